import { randomUUID } from 'node:crypto';
import { getRecap, type PersonalBest, type Recap } from '@sendlap/contract/stats.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Recorded, record, recordAndScan, scan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';

/** A Friday in Bilbao, of 2026-W12, a week of 2026-Q1. The first week of 2026-Q2 is that of two weeks later. */
const FRIDAY = Date.parse('2026-03-20T09:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOTHING = { lifetime_points: 0, last_week: null, season: null, best_week: null, bests: [] };
const MADRID = 'Europe/Madrid';
const SPRING = { key: '2026-Q2', starts_on: '2026-03-30', ends_on: '2026-06-28' };

let world: ClockedWorld;
let ada: Person;
let rex: Person;
beforeAll(async () => {
  world = await openClockedWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.makePerson('Ada');
  rex = await world.makePerson('Rex');
  await world.grant(rex, world.center);
});

const at = (days: number, hours = 0) => FRIDAY + days * DAY_MS + hours * HOUR_MS;

async function read(who: Person, moment: number): Promise<Recap> {
  const { status, data } = await world.call('GET', getRecap.path, who, moment);
  expect(status).toBe(200);
  return data as unknown as Recap;
}

const valuesOf = ({ bests }: Recap) => bests.map(({ measure, sport_type, value }) => [measure, sport_type, value]);

async function deleteActivity({ client_id }: Recorded, moment: number): Promise<void> {
  const url = `/v1/activities/${client_id}`;
  expect((await world.call('DELETE', url, ada, moment, { op_id: randomUUID() })).status).toBe(200);
}

describe('the recap does not count', () => {
  test('anything for an athlete without activities', async () => {
    expect(await read(ada, at(0))).toEqual({ ...NOTHING, week: { key: '2026-W12', time_zone: 'UTC' } });
  });

  test('an unconfirmed, a rejected and a deleted activity, and those of others', async () => {
    await record(world, ada, at(0));
    await scan(world, rex, await record(world, ada, at(0, 2)), { decision: 'reject' });
    await deleteActivity(await recordAndScan(world, [ada, rex], at(0, 4)), at(0, 6));
    const bea = await world.makePerson('Bea');
    await recordAndScan(world, [bea, rex], at(0, 7));
    expect(await read(ada, at(7))).toEqual({ ...NOTHING, week: { key: '2026-W13', time_zone: MADRID } });
  });

  test('an activity that is too short for points', async () => {
    await recordAndScan(world, [ada, rex], at(0), { minutes: 9 });
    expect(await read(ada, at(7))).toEqual({ ...NOTHING, week: { key: '2026-W13', time_zone: MADRID } });
  });

  test('a personal best whose activity was edited afterwards, until it is confirmed again', async () => {
    const kept = await recordAndScan(world, [ada, rex], at(0), { minutes: 60 });
    const edited = await recordAndScan(world, [ada, rex], at(0, 2), { minutes: 90 });
    const edit = { op_id: randomUUID(), edited_at: new Date(at(0, 5)).toISOString(), intensity: 'easy' };
    const url = `/v1/activities/${edited.client_id}`;
    expect((await world.call('PATCH', url, ada, at(0, 5), edit)).status).toBe(200);
    const { bests, lifetime_points, best_week } = await read(ada, at(0, 6));
    expect(bests.map(({ client_id }) => client_id)).toEqual([kept.client_id, kept.client_id]);
    expect([lifetime_points, best_week?.points]).toEqual([236, 236]);
  });

  test('a distance faster than the world record, and one of 0 metres', async () => {
    await recordAndScan(world, [ada, rex], at(0), { minutes: 45, sport_type: 'swimming', distance_m: 6301 });
    await recordAndScan(world, [ada, rex], at(1), { minutes: 20, sport_type: 'swimming', distance_m: 0 });
    const of_time = [
      ['points', 'swimming'],
      ['minutes', 'swimming'],
    ];
    expect((await read(ada, at(2))).bests.map(({ measure, sport_type }) => [measure, sport_type])).toEqual(of_time);
    await recordAndScan(world, [ada, rex], at(3), { minutes: 45, sport_type: 'swimming', distance_m: 6300 });
    expect(valuesOf(await read(ada, at(4))).at(-1)).toEqual(['metres', 'swimming', 6300]);
  });
});

test('by hand: total, last week, season, best week and personal bests, each with its activity', async () => {
  const long_climb = await recordAndScan(world, [ada, rex], at(0), { minutes: 120 });
  await recordAndScan(world, [ada, rex], at(14), { minutes: 90 });
  const swim = { sport_type: 'swimming' } as const;
  const far_swim = await recordAndScan(world, [ada, rex], at(15), { ...swim, minutes: 45, distance_m: 2000 });
  const long_swim = await recordAndScan(world, [ada, rex], at(21), { ...swim, minutes: 60 });
  await record(world, ada, at(22), { minutes: 180 });
  const { bests, ...sums } = await read(ada, at(22, 4));
  const last_week = { key: '2026-W14', starts_on: '2026-03-30', ends_on: '2026-04-05', points: 355 + 323 };
  expect(sums).toEqual({
    lifetime_points: 473 + 355 + 323 + 314,
    week: { key: '2026-W15', time_zone: MADRID },
    last_week: {
      ...last_week,
      active_days: 2,
      sports: [
        { sport_type: 'climbing', activities: 1, metres: null },
        { sport_type: 'swimming', activities: 1, metres: 2000 },
      ],
    },
    season: {
      ...SPRING,
      points: 355 + 323 + 314,
      active_days: 3,
      sports: [
        { sport_type: 'climbing', activities: 1, metres: null },
        { sport_type: 'swimming', activities: 2, metres: 2000 },
      ],
    },
    best_week: last_week,
  });
  const { name: sport_center_name } = await world.api.database
    .selectFrom('sport_centers')
    .select('name')
    .where('id', '=', world.center)
    .executeTakeFirstOrThrow();
  const bestOf = (
    [measure, value]: [PersonalBest['measure'], number],
    { sport_type, client_id }: Recorded,
    local_date: string,
  ): PersonalBest => ({ measure, value, sport_type, client_id, sport_center_name, local_date });
  expect(bests).toEqual([
    bestOf(['points', 473], long_climb, '2026-03-20'),
    bestOf(['minutes', 120], long_climb, '2026-03-20'),
    bestOf(['minutes', 60], long_swim, '2026-04-10'),
    bestOf(['metres', 2000], far_swim, '2026-04-04'),
  ]);
});

test('a personal best stays with the activity that reached it first', async () => {
  const first = await recordAndScan(world, [ada, rex], at(0), { minutes: 60 });
  await recordAndScan(world, [ada, rex], at(7), { minutes: 60 });
  const { bests, best_week } = await read(ada, at(8));
  expect(bests.map(({ client_id }) => client_id)).toEqual([first.client_id, first.client_id]);
  expect(best_week).toMatchObject({ key: '2026-W12', points: 236 });
});

test('the present week is in the season and never the last week; a last week without activities is left out', async () => {
  await recordAndScan(world, [ada, rex], at(14), { minutes: 60 });
  expect(await read(ada, at(15))).toMatchObject({ last_week: null, season: { ...SPRING, points: 236 } });
  expect(await read(ada, at(21))).toMatchObject({ last_week: { key: '2026-W14', points: 236 } });
  expect(await read(ada, at(28))).toMatchObject({ last_week: null, season: { points: 236 }, lifetime_points: 236 });
});

test('around a Monday the weeks follow the zone of my last center', async () => {
  // In Bilbao it is Monday 2026-03-30 already, the first day of the season.
  const late_sunday = Date.parse('2026-03-29T22:30:00.000Z');
  await recordAndScan(world, [ada, rex], at(8), { minutes: 90 });
  expect(await read(ada, late_sunday)).toMatchObject({
    week: { key: '2026-W14', time_zone: MADRID },
    last_week: { key: '2026-W13', points: 355 },
    season: null,
    lifetime_points: 355,
  });
});

test('friends’ proofs count as well', async () => {
  const bea = await world.makePerson('Bea');
  await world.befriend(ada, bea);
  const climb = await record(world, ada, at(0), { minutes: 90 });
  await record(world, bea, at(0), { minutes: 90 });
  await scan(world, bea, climb);
  expect(valuesOf(await read(ada, at(1)))).toEqual([
    ['points', 'climbing', 355],
    ['minutes', 'climbing', 90],
  ]);
});
