import { fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type PlannedActivity } from '../attacks/attack.ts';
import type { Person } from '../scenes/clocked-world.ts';
import { type Cheat, type CheatStage, newId } from './cheat.ts';

const FREE = { codes_read: 0, people: 0, rights: 0 };

/** Ways to points by a kiosk's codes. */
export const kioskCheats: Cheat[] = [
  {
    name: 'five accounts with one picture of the kiosk at the start and one at the finish, on three days',
    is_regression: true,
    cost: { codes_read: 6, people: 3, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      for (let day = 0; day < 3; day += 1) {
        await cheat.visit(accounts);
        cheat.stage.now += DAY_MS;
      }
      return accounts;
    },
  },
  {
    name: 'the same, all five finishes sent at the same moment',
    cost: { codes_read: 2, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      await cheat.visit(accounts, { at_once: true });
      return accounts;
    },
  },
  {
    name: 'five accounts with one picture at the start, each with a code of its own at the finish',
    cost: { codes_read: 6, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      await cheat.visit(accounts, { end_codes: 5 });
      return accounts;
    },
  },
  {
    name: 'five accounts, each with a code of its own at the start, with one picture at the finish',
    cost: { codes_read: 6, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      await cheat.visit(accounts, { start_codes: 5 });
      return accounts;
    },
  },
  {
    name: 'a camera left at the kiosk reads the codes of five accounts on three days: one at the start, five at the finish',
    cost: { codes_read: 18, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      for (let day = 0; day < 3; day += 1) {
        await cheat.visit(accounts, { end_codes: 5 });
        cheat.stage.now += DAY_MS;
      }
      return accounts;
    },
  },
  {
    name: '25 accounts combine five codes of the start with five of the finish',
    cost: { codes_read: 10, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(25);
      await cheat.visit(accounts, { start_codes: 5, end_codes: 5 });
      return accounts;
    },
  },
  {
    name: 'three accounts combine three codes, of which one is the finish of one and the start of another',
    cost: { codes_read: 3, people: 1, rights: 0 },
    async play(cheat) {
      const [one, other, third] = (await cheat.people(3)) as [Person, Person, Person];
      const [early, late, long] = [one, other, third].map(() => ({ ...cheat.stage.climb(), started: cheat.stage.now }));
      await cheat.start(early as PlannedActivity, one);
      await cheat.start(long as PlannedActivity, third);
      cheat.stage.now += HOUR_MS;
      await cheat.finish(early as PlannedActivity, one);
      await cheat.start({ ...(late as PlannedActivity), started: cheat.stage.now }, other);
      cheat.stage.now += HOUR_MS;
      await cheat.finish({ ...(late as PlannedActivity), started: cheat.stage.now - HOUR_MS }, other);
      await cheat.finish(long as PlannedActivity, third);
      return [one, other, third];
    },
  },
  {
    name: 'accounts that start with five codes of one day finish with one code of each of three later days',
    cost: { codes_read: 8, people: 4, rights: 0 },
    play: finishOnLaterDays,
  },
  {
    name: 'five accounts on one phone, each with codes of its own',
    cost: { codes_read: 10, people: 1, rights: 0 },
    async play(cheat) {
      const accounts = await cheat.people(5);
      const phone = newId();
      for (const who of accounts) await cheat.signInOn(phone, who);
      await cheat.visit(accounts, { start_codes: accounts.length, end_codes: accounts.length });
      return accounts;
    },
  },
  {
    name: 'the first account deletes its visit, so that the second one is alone with the codes',
    cost: { codes_read: 2, people: 1, rights: 0 },
    async play(cheat) {
      const [first, second] = (await cheat.people(2)) as [Person, Person];
      const one = { ...cheat.stage.climb(), started: cheat.stage.now };
      const two = { ...cheat.stage.climb(), started: cheat.stage.now };
      await cheat.start(one, first);
      await cheat.start(two, second);
      cheat.stage.now += HOUR_MS;
      await cheat.finish(one, first);
      const deletion = { op_id: newId() };
      await cheat.stage.world.call('DELETE', `/v1/activities/${one.client_id}`, first, cheat.stage.now, deletion);
      await cheat.finish(two, second);
      return [first, second];
    },
  },
  {
    name: 'a picture of the kiosk that is sent a minute later',
    cost: FREE,
    play: (cheat) => photographed(cheat, MINUTE_MS),
  },
  {
    name: 'a picture of the kiosk of the day before',
    cost: FREE,
    play: (cheat) => photographed(cheat, 20 * HOUR_MS),
  },
  {
    name: 'a code for a minute from now, by a picture of a tablet whose clock is ahead',
    cost: FREE,
    play: (cheat) => photographed(cheat, -MINUTE_MS),
  },
  {
    name: 'the code of the start sent again at the finish',
    cost: FREE,
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const planned = { ...cheat.stage.climb(), started: cheat.stage.now };
      const payload = cheat.stage.venueCode();
      await cheat.start(planned, who, payload);
      cheat.stage.now += HOUR_MS;
      await cheat.finish(planned, who, payload);
      return [who];
    },
  },
  {
    name: 'a made-up code of the kiosk',
    cost: FREE,
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const planned = { ...cheat.stage.climb(), started: cheat.stage.now };
      await cheat.start(planned, who, forged(cheat.stage.venueCode()));
      cheat.stage.now += HOUR_MS;
      await cheat.finish(planned, who, forged(cheat.stage.venueCode()));
      return [who];
    },
  },
  {
    name: 'the kiosk of a center nearby for an activity at another center',
    cost: FREE,
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const planned = { ...cheat.stage.climb(), center: cheat.stage.world.wall, started: cheat.stage.now };
      await cheat.start(planned, who);
      cheat.stage.now += HOUR_MS;
      await cheat.finish(planned, who);
      return [who];
    },
  },
  {
    name: 'a start at the kiosk, and a finish from home',
    cost: { codes_read: 1, people: 1, rights: 0 },
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const planned = { ...cheat.stage.climb(), started: cheat.stage.now };
      await cheat.start(planned, who);
      cheat.stage.now += HOUR_MS;
      await cheat.finish(planned, who, null);
      return [who];
    },
  },
  {
    name: 'six hours before the first scan, by times that the phone makes up',
    cost: { codes_read: 2, people: 1, rights: 0 },
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const planned = { ...cheat.stage.climb(), started: cheat.stage.now - 6 * HOUR_MS };
      await cheat.start(planned, who);
      await cheat.finish(planned, who);
      return [who];
    },
  },
  {
    name: 'a visit moved to another day by an edit',
    cost: { codes_read: 2, people: 1, rights: 0 },
    async play(cheat) {
      const [who] = (await cheat.people(1)) as [Person];
      const [planned] = await cheat.visit([who]);
      cheat.stage.now += MINUTE_MS;
      const edit = { op_id: newId(), edited_at: new Date(cheat.stage.now).toISOString() };
      const started_at = new Date(cheat.stage.now - DAY_MS).toISOString();
      const ended_at = new Date(cheat.stage.now - DAY_MS + HOUR_MS).toISOString();
      const body = { ...edit, started_at, ended_at };
      await cheat.stage.world.call('PATCH', `/v1/activities/${planned?.client_id}`, who, cheat.stage.now, body);
      return [who];
    },
  },
  {
    name: "the keys of the center's own tablet, copied",
    cost: { codes_read: 0, people: 0, rights: 1 },
    async play(cheat) {
      const accounts = await cheat.people(2);
      await cheat.visit(accounts, { start_codes: accounts.length, end_codes: accounts.length });
      return accounts;
    },
  },
];

/** On each later day five accounts, one of each code of the start, say that they ended two hours after the start. */
async function finishOnLaterDays(cheat: CheatStage): Promise<Person[]> {
  const accounts = await cheat.people(15);
  const visits: { who: Person; planned: PlannedActivity }[] = [];
  for (const [nth, who] of accounts.entries()) {
    const planned = { ...cheat.stage.climb(), started: cheat.stage.now, ended: cheat.stage.now + 2 * HOUR_MS };
    await cheat.start(planned, who);
    visits.push({ who, planned });
    if (nth % 3 === 2) cheat.stage.now += 15_000;
  }
  for (let day = 0; day < 3; day += 1) {
    cheat.stage.now += DAY_MS + HOUR_MS;
    for (const { who, planned } of visits.filter((_visit, nth) => nth % 3 === day)) {
      await cheat.finish(planned, who, cheat.stage.venueCode(), { ended_at: new Date(planned.ended).toISOString() });
    }
  }
  return accounts;
}

async function photographed(cheat: CheatStage, age_ms: number): Promise<Person[]> {
  const [who] = (await cheat.people(1)) as [Person];
  const planned = { ...cheat.stage.climb(), started: cheat.stage.now };
  await cheat.start(planned, who, cheat.stage.venueCode(cheat.stage.now - age_ms));
  cheat.stage.now += HOUR_MS;
  await cheat.finish(planned, who, cheat.stage.venueCode(cheat.stage.now - age_ms));
  return [who];
}

function forged(payload: string): string {
  const bytes = new Uint8Array(fromBase64Url(payload) ?? []);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return toBase64Url(bytes);
}
