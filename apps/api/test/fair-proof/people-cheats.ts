import { timeStepAt } from '@sendlap/domain/qr-code.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, resultOf } from '../attacks/attack.ts';
import { FIRST_MOMENT, type Person } from '../scenes/clocked-world.ts';
import { type Cheat, type CheatStage, newId } from './cheat.ts';

const FREE = { codes_read: 0, people: 0, rights: 0 };
const A_REFEREE = { codes_read: 0, people: 0, rights: 1 };

/** Ways to points by friends, referees and a second account. */
export const peopleCheats: Cheat[] = [
  {
    name: 'two accounts of one person prove 26 activities in one second',
    is_regression: true,
    cost: FREE,
    async play(cheat) {
      const pair = await befriended(cheat);
      for (let nth = 0; nth < 13; nth += 1) await inventTogether(cheat, pair, { minutes: 20, ago: 1 + nth * 21 });
      return pair;
    },
  },
  {
    name: 'two accounts of one person prove one activity a day for ten days',
    cost: FREE,
    async play(cheat) {
      const pair = await befriended(cheat);
      for (let day = 0; day < 10; day += 1) {
        await inventTogether(cheat, pair, { minutes: 90, ago: 1 });
        cheat.stage.now += DAY_MS;
      }
      return pair;
    },
  },
  {
    name: 'three accounts of one person prove each other in a ring',
    cost: FREE,
    async play(cheat) {
      const ring = await cheat.people(3);
      for (const [nth, who] of ring.entries()) await cheat.stage.world.befriend(who, ring[(nth + 1) % 3] as Person);
      const planned_activities = await Promise.all(ring.map((who) => cheat.stage.record(cheat.stage.climb(), who)));
      for (const [nth, who] of ring.entries())
        await cheat.scan(cheat.code(planned_activities[nth] as never, who), {}, ring[(nth + 1) % 3]);
      return ring;
    },
  },
  {
    name: 'a friend made today',
    cost: FREE,
    async play(cheat) {
      const [one, other] = (await cheat.people(2)) as [Person, Person];
      await cheat.stage.world.befriend(one, other, cheat.stage.now - HOUR_MS);
      await inventTogether(cheat, [one, other], { minutes: 60, ago: 1 });
      return [one, other];
    },
  },
  {
    name: 'a stranger who claims to have been there',
    cost: FREE,
    async play(cheat) {
      const [one, other] = (await cheat.people(2)) as [Person, Person];
      await inventTogether(cheat, [one, other], { minutes: 60, ago: 1 });
      return [one, other];
    },
  },
  {
    name: 'a friend without an activity there',
    cost: FREE,
    async play(cheat) {
      const [one, other] = await befriended(cheat);
      await cheat.invent(one, other);
      return [one];
    },
  },
  {
    name: 'a week of the past, both phones with clocks set back',
    cost: FREE,
    async play(cheat) {
      const [one, other] = await befriended(cheat);
      for (let day = 1; day < 8; day += 1) {
        const planned = await cheat.stage.record(cheat.stage.climb({ ago: day * DAY_MS }), one);
        await cheat.stage.record({ ...planned, client_id: newId() }, other);
        const scanned = planned.ended + MINUTE_MS;
        const payload = cheat.code(planned, one, { step: timeStepAt(scanned, 30_000) });
        await cheat.scan(payload, { scanned_at: iso(scanned), recorded_offline: true }, other);
      }
      return [one, other];
    },
  },
  {
    name: 'a friend who calls the climb hard',
    cost: FREE,
    async play(cheat) {
      const [one, other] = await befriended(cheat);
      const planned = await cheat.stage.record(cheat.stage.climb(), one);
      await cheat.stage.record({ ...planned, client_id: newId() }, other);
      await cheat.scan(cheat.code(planned, one), { adjust: { intensity: 'hard' } }, other);
      return [one];
    },
  },
  {
    name: "a referee's second account, on a phone of its own",
    is_regression: true,
    cost: A_REFEREE,
    async play(cheat) {
      const [second] = (await cheat.people(1)) as [Person];
      for (let day = 0; day < 11; day += 1) {
        await cheat.invent(second, cheat.stage.rex);
        cheat.stage.now += DAY_MS;
      }
      return [second];
    },
  },
  {
    name: "a referee's second account, on the referee's own phone",
    cost: FREE,
    async play(cheat) {
      const [second] = (await cheat.people(1)) as [Person];
      await onOnePhone(cheat, [second, cheat.stage.rex]);
      await cheat.invent(second, cheat.stage.rex);
      return [second];
    },
  },
  {
    name: 'the same, with the scan sent before the activity',
    cost: FREE,
    async play(cheat) {
      const [second] = (await cheat.people(1)) as [Person];
      await onOnePhone(cheat, [second, cheat.stage.rex]);
      const planned = cheat.stage.climb();
      await cheat.scan(cheat.code(planned, second));
      await cheat.stage.record(planned, second);
      return [second];
    },
  },
  {
    name: "the same, and the referee's account befriends the second one",
    cost: FREE,
    async play(cheat) {
      const [second] = (await cheat.people(1)) as [Person];
      await onOnePhone(cheat, [second, cheat.stage.rex]);
      await cheat.stage.world.befriend(second, cheat.stage.rex);
      await inventTogether(cheat, [second, cheat.stage.rex], { minutes: 60, ago: 1 });
      return [second];
    },
  },
  {
    name: 'two referees confirm each other',
    cost: A_REFEREE,
    async play(cheat) {
      const roxy = await cheat.stage.referee();
      await inventTogether(cheat, [cheat.stage.rex, roxy], { minutes: 60, ago: 1 });
      return [cheat.stage.rex, roxy];
    },
  },
  {
    name: 'a referee confirms their own activity',
    cost: FREE,
    async play(cheat) {
      await cheat.invent(cheat.stage.rex, cheat.stage.rex);
      return [cheat.stage.rex];
    },
  },
  {
    name: 'a referee confirms a whole day of one athlete',
    cost: A_REFEREE,
    async play(cheat) {
      for (let nth = 0; nth < 6; nth += 1)
        await cheat.invent(cheat.stage.ada, cheat.stage.rex, { minutes: 20, ago: MINUTE_MS + nth * 21 * MINUTE_MS });
      return [cheat.stage.ada];
    },
  },
  {
    name: 'a referee of another center',
    cost: FREE,
    async play(cheat) {
      const roxy = await cheat.stage.world.makePerson('Roxy');
      await cheat.stage.world.grant(roxy, cheat.stage.world.wall);
      await cheat.invent(cheat.stage.ada, roxy);
      return [cheat.stage.ada];
    },
  },
  {
    name: 'a referee whose right has ended',
    cost: FREE,
    async play(cheat) {
      await endRight(cheat, cheat.stage.now - HOUR_MS);
      await cheat.invent(cheat.stage.ada, cheat.stage.rex);
      return [cheat.stage.ada];
    },
  },
  {
    name: 'a referee whose right has ended claims to have scanned before, on a phone without network',
    cost: A_REFEREE,
    async play(cheat) {
      await endRight(cheat, cheat.stage.now - HOUR_MS);
      const planned = await cheat.stage.record(cheat.stage.climb({ ago: 3 * HOUR_MS }), cheat.stage.ada);
      const scanned = cheat.stage.now - 2 * HOUR_MS;
      const payload = cheat.code(planned, cheat.stage.ada, { step: timeStepAt(scanned, 30_000) });
      await cheat.scan(payload, { scanned_at: iso(scanned), recorded_offline: true });
      return [cheat.stage.ada];
    },
  },
  {
    name: 'a rejected climb recorded again for a friend',
    cost: FREE,
    async play(cheat) {
      const [one, other] = await befriended(cheat);
      const planned = await cheat.stage.record(cheat.stage.climb(), one);
      await cheat.stage.record({ ...planned, client_id: newId() }, other);
      await cheat.scan(cheat.code(planned, one), { decision: 'reject' });
      cheat.stage.now += MINUTE_MS;
      const again = { ...planned, client_id: newId() };
      await cheat.stage.record(again, one);
      await cheat.scan(cheat.code(again, one), {}, other);
      return [one];
    },
  },
  {
    name: "a code by the key of another athlete's phone",
    cost: FREE,
    async play(cheat) {
      const [one] = (await cheat.people(1)) as [Person];
      const planned = await cheat.stage.record(cheat.stage.climb(), one);
      await cheat.scan(cheat.stage.code(planned, {}, { key_id: one.key_id, key: cheat.stage.ada.key }, one).payload);
      return [one];
    },
  },
  {
    name: 'a code of a running activity that says it has ended',
    cost: FREE,
    async play(cheat) {
      const [one] = (await cheat.people(1)) as [Person];
      const planned = cheat.stage.climb();
      await cheat.stage.start(planned, {}, one);
      await cheat.scan(cheat.code({ ...planned, ended: cheat.stage.now + HOUR_MS }, one));
      return [one];
    },
  },
  {
    name: 'a screenshot of the code, an hour old',
    cost: FREE,
    async play(cheat) {
      const planned = await cheat.stage.climbed();
      const payload = cheat.code(planned, cheat.stage.ada);
      cheat.stage.now += HOUR_MS;
      await cheat.scan(payload);
      return [cheat.stage.ada];
    },
  },
  {
    name: 'eleven guesses of the eight digits',
    cost: FREE,
    async play(cheat) {
      const [one] = (await cheat.people(1)) as [Person];
      await cheat.stage.climbed();
      for (let guess = 0; guess < 11; guess += 1) {
        const body = { code: String(10_000_000 + guess) };
        cheat.note(resultOf(await cheat.stage.post(one, '/v1/activities/codes/resolve', body)));
      }
      return [one];
    },
  },
];

async function befriended(cheat: CheatStage): Promise<[Person, Person]> {
  const pair = (await cheat.people(2)) as [Person, Person];
  await cheat.stage.world.befriend(...pair, FIRST_MOMENT - 30 * DAY_MS);
  return pair;
}

async function onOnePhone(cheat: CheatStage, people: Person[]): Promise<void> {
  const phone = newId();
  for (const who of people) await cheat.signInOn(phone, who);
}

/** Both record the same time, and each confirms the other. `ago`: minutes. */
async function inventTogether(
  cheat: CheatStage,
  [one, other]: [Person, Person],
  { minutes, ago }: { minutes: number; ago: number },
): Promise<void> {
  const planned = await cheat.stage.record(cheat.stage.climb({ minutes, ago: ago * MINUTE_MS }), one);
  const same = await cheat.stage.record({ ...planned, client_id: newId() }, other);
  await cheat.scan(cheat.code(planned, one), {}, other);
  await cheat.scan(cheat.code(same, other), {}, one);
}

function endRight({ stage: { world, rex } }: CheatStage, at: number): Promise<unknown> {
  return createRefereeService(world.api.database).revoke(
    { user_id: rex.id, sport_center_id: world.center, at: new Date(at) },
    null,
  );
}
