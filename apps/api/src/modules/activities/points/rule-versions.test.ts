import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Recorded, record, recordAndScan, scan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';
import { verifyScores } from './verify-scores.ts';

const NOON = Date.parse('2026-03-20T11:00:00.000Z');
const HOUR_MS = 3_600_000;
const SWIM = { minutes: 45, sport_type: 'swimming' } as const;

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

const ledgerOf = async ({ client_id }: Recorded) =>
  (
    await world.api.database
      .selectFrom('score_ledger')
      .select(['kind', 'points', 'rule_version'])
      .where('activity_id', '=', client_id)
      .orderBy('id')
      .execute()
  ).map(({ kind, points, rule_version }) => [kind, points, rule_version]);

const mistakesOf = async ({ id }: Person) =>
  (await verifyScores(world.api.database)).differences.filter(({ user_id }) => user_id === id);

test('an activity that began with met-1 is scored by it whatever happens to its day, to the last point', async () => {
  const swim = await record(world, ada, NOON, SWIM);
  await world.api.database
    .updateTable('activities')
    .set({ rule_version: 'met-1' })
    .where('id', '=', swim.client_id)
    .execute();
  await scan(world, rex, swim);
  expect(await ledgerOf(swim)).toEqual([['validation', 331, 'met-1']]);
  // The 220 minutes before it leave 20 of the day's 240.
  await recordAndScan(world, [ada, rex], NOON - 5 * HOUR_MS, { minutes: 180 });
  await recordAndScan(world, [ada, rex], NOON - HOUR_MS, { minutes: 40 });
  expect(await ledgerOf(swim)).toEqual([
    ['validation', 331, 'met-1'],
    ['allotment', 147 - 331, 'met-1'],
  ]);
  expect(await mistakesOf(ada)).toEqual([]);
});

test('an activity that begins now is scored by met-2: a swim is easy without a distance that a referee confirmed', async () => {
  const unmeasured = await recordAndScan(world, [ada, rex], NOON, SWIM);
  const measured = await recordAndScan(world, [ada, rex], NOON + 2 * HOUR_MS, { ...SWIM, distance_m: 2000 });
  expect(await ledgerOf(unmeasured)).toEqual([['validation', 235, 'met-2']]);
  expect(await ledgerOf(measured)).toEqual([['validation', 323, 'met-2']]);
  expect(await mistakesOf(ada)).toEqual([]);
});

test('a distance that only a friend confirmed raises nothing', async () => {
  const ben = await world.makePerson('Ben');
  await world.befriend(ada, ben);
  const swim = await record(world, ada, NOON, { ...SWIM, distance_m: 2000 });
  await record(world, ben, NOON, SWIM);
  await scan(world, ben, swim);
  expect(await ledgerOf(swim)).toEqual([['validation', 235, 'met-2']]);
});
