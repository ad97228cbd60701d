import { randomUUID } from 'node:crypto';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { FIRST_MOMENT, type Person } from '../scenes/clocked-world.ts';
import { type Attack, DAY_MS, HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, type Stage } from './attack.ts';

/** Scanners without the right, with a right that has ended, or over a limit. */
export const rightAttacks: Attack[] = [
  {
    name: 'a referee of another center',
    expected: 'not_a_referee',
    async attempt(stage) {
      const roxy = await stage.world.makePerson('Roxy');
      await stage.world.grant(roxy, stage.world.wall);
      return stage.scanned(stage.code(await stage.climbed()).payload, {}, roxy);
    },
  },
  {
    name: 'a referee whose right was revoked before the scan',
    expected: 'not_a_referee',
    async attempt(stage) {
      const { center, api } = stage.world;
      await createRefereeService(api.database).revoke(
        { user_id: stage.rex.id, sport_center_id: center, at: new Date(stage.now - 1000) },
        null,
      );
      return stage.scanned(stage.code(await stage.climbed()).payload);
    },
  },
  {
    name: 'a referee whose right begins tomorrow',
    expected: 'not_a_referee',
    async attempt(stage) {
      const roxy = await stage.world.makePerson('Roxy');
      await stage.world.grant(roxy, stage.world.center, ['climbing'], stage.now + DAY_MS);
      return stage.scanned(stage.code(await stage.climbed()).payload, {}, roxy);
    },
  },
  {
    name: 'a referee of the other sport',
    expected: 'sport_not_refereed',
    async attempt(stage) {
      const roxy = await stage.world.makePerson('Roxy');
      await stage.world.grant(roxy, stage.world.center, ['swimming']);
      return stage.scanned(stage.code(await stage.climbed()).payload, {}, roxy);
    },
  },
  {
    name: 'an own activity',
    expected: 'own_activity',
    async attempt(stage) {
      await stage.world.grant(stage.ada, stage.world.center);
      return stage.scanned(stage.code(await stage.climbed()).payload, {}, stage.ada);
    },
  },
  {
    name: 'a stranger who was there',
    expected: 'not_a_referee',
    attempt: async (stage) => byFriend(stage, { since: null }),
  },
  {
    name: 'a friend of 23 hours',
    expected: 'peer_too_new',
    attempt: async (stage) => byFriend(stage, { since: stage.now - 23 * HOUR_MS }),
  },
  {
    name: 'a friend who was not there',
    expected: 'peer_not_there',
    attempt: async (stage) => byFriend(stage, { was_there: false }),
  },
  {
    name: 'a friend who rejects',
    expected: 'peer_cannot_decide',
    attempt: async (stage) => byFriend(stage, { scan: { decision: 'reject' } }),
  },
  {
    name: 'a friend who says that it was hard',
    expected: 'peer_cannot_decide',
    attempt: async (stage) => byFriend(stage, { scan: { adjust: { intensity: 'hard' } } }),
  },
  {
    name: 'a referee who adds time',
    expected: 'adjust_invalid',
    async attempt(stage) {
      const planned = await stage.climbed();
      return stage.scanned(stage.code(planned).payload, { adjust: { ended_at: iso(planned.ended + 30_000) } });
    },
  },
  {
    name: 'the fourth of a pair on a day of the center',
    expected: 'pair_limit_reached',
    async attempt(stage) {
      const planned_activities: PlannedActivity[] = [];
      for (let nth = 0; nth < 4; nth += 1)
        planned_activities.push(await stage.climbed({ minutes: 20, ago: (1 + nth * 21) * MINUTE_MS }));
      const results: string[] = [];
      for (const planned of planned_activities) results.push(await stage.scanned(stage.code(planned).payload));
      if (results.slice(0, 3).some((result) => result !== 'accepted')) throw new Error(`of three: ${results}`);
      return results[3] ?? '';
    },
  },
  {
    name: 'the 41st of a referee on a day',
    expected: 'referee_limit_reached',
    async attempt(stage) {
      const results: string[] = [];
      for (let nth = 0; nth < 41; nth += 1) {
        const who = nth === 40 ? stage.ada : await athleteOf(stage, nth);
        const planned = await stage.record(stage.climb(), who);
        results.push(await stage.scanned(stage.code(planned, {}, who, who).payload));
      }
      if (results.slice(0, 40).some((result) => result !== 'accepted')) throw new Error(`of forty: ${results}`);
      return results[40] ?? '';
    },
  },
  {
    name: 'the referee who rejected decides about the appeal',
    expected: 'appeal_needs_another_referee',
    async attempt(stage) {
      const planned = await stage.climbed();
      await stage.scan(stage.code(planned).payload, { decision: 'reject' });
      stage.now += MINUTE_MS;
      const url = `/v1/activities/${planned.client_id}/appeal`;
      const appeal = await stage.post(stage.ada, url, { op_id: randomUUID(), appealed_at: iso(stage.now) });
      if (appeal.status !== 200) throw new Error(`the appeal was answered ${appeal.code}`);
      stage.now += MINUTE_MS;
      return stage.scanned(stage.code(planned).payload);
    },
  },
  {
    name: 'a decision taken back after 24 hours',
    expected: 'decision_too_old',
    async attempt(stage) {
      const planned = await stage.climbed();
      const op_id = randomUUID();
      await stage.scan(stage.code(planned).payload, { op_id });
      stage.now += DAY_MS + 1000;
      const url = `/v1/activities/${planned.client_id}/withdraw`;
      return resultOf(await stage.post(stage.rex, url, { op_id: randomUUID(), scan_op_id: op_id }));
    },
  },
  {
    name: "another one's decision taken back",
    expected: 'decision_not_found',
    has_no_switch: true,
    async attempt(stage) {
      const planned = await stage.climbed();
      const op_id = randomUUID();
      await stage.scan(stage.code(planned).payload, { op_id });
      const url = `/v1/activities/${planned.client_id}/withdraw`;
      return resultOf(await stage.post(await stage.referee(), url, { op_id: randomUUID(), scan_op_id: op_id }));
    },
  },
  {
    name: 'the same op id with another decision',
    expected: 'idempotency_mismatch',
    has_no_switch: true,
    async attempt(stage) {
      const planned = await stage.climbed();
      const scan = stage.scanBody({ payload: stage.code(planned).payload });
      await stage.post(stage.rex, '/v1/activities/validate', scan);
      return resultOf(await stage.post(stage.rex, '/v1/activities/validate', { ...scan, decision: 'reject' }));
    },
  },
];

/** `since`: how long they have been friends; null: they are not friends. */
async function byFriend(
  stage: Stage,
  {
    since = FIRST_MOMENT - 30 * DAY_MS,
    was_there = true,
    scan = {},
  }: { since?: number | null; was_there?: boolean; scan?: object },
): Promise<string> {
  const ben = await stage.world.makePerson('Ben');
  if (since !== null) await stage.world.befriend(stage.ada, ben, since);
  if (was_there) await stage.record(stage.climb(), ben);
  return stage.scanned(stage.code(await stage.climbed()).payload, scan, ben);
}

function athleteOf(stage: Stage, nth: number): Promise<Person> {
  return stage.world.makePerson(`Ada ${nth}`);
}
