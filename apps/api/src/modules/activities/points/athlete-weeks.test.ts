import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { recomputeScores, verifyScores } from './verify-scores.ts';

/** Each test leaves the athlete's weeks as they were. */
let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
  await scene.renew();
  const climb = makeClimb(90);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
});
afterAll(() => scene.api.close());

const differences = async () =>
  (await verifyScores(scene.api.database)).differences.filter(({ user_id }) => user_id === scene.athlete.user.id);
const readWeeks = () =>
  scene.api.database.selectFrom('athlete_weeks').selectAll().where('user_id', '=', scene.athlete.user.id).execute();
const change = (values: object) =>
  scene.api.database.updateTable('athlete_weeks').set(values).where('user_id', '=', scene.athlete.user.id).execute();

test.each([
  [{ points: 9000 }, 9000],
  [{ days: 0b1111111 }, 355],
  [{ climbs: 2 }, 355],
  [{ swims: 1 }, 355],
  [{ swum_m: 100_000 }, 355],
  [{ longest_climb_minutes: 120 }, 355],
  [{ sport_center_ids: [] }, 355],
  [{ proofs: 'rrrrrrrrrr' }, 355],
  [{ week_key: '2026-W01' }, 355],
])('an athlete week that was changed to %j is found and made again', async (values, is) => {
  const before = await readWeeks();
  expect(before).toHaveLength(1);
  await change(values);
  const found = await differences();
  expect(found).toContainEqual(expect.objectContaining({ what: 'athlete_week', is }));
  expect(found.every(({ what }) => what === 'athlete_week')).toBe(true);
  const { changed } = await recomputeScores(scene.api.database);
  expect(changed).toBeGreaterThan(0);
  expect([await readWeeks(), await differences()]).toEqual([before, []]);
  expect(await recomputeScores(scene.api.database)).toMatchObject({ changed: 0 });
});

test('a badge that is missing is found and given again', async () => {
  const { database } = scene.api;
  const deleteBadge = (badge: 'first_activity') => database.deleteFrom('badges').where('badge', '=', badge);
  await deleteBadge('first_activity').where('user_id', '=', scene.athlete.user.id).execute();
  expect(await differences()).toMatchObject([{ what: 'badge', is: 0, should_be: 1 }]);
  expect(await recomputeScores(database)).toMatchObject({ changed: 1 });
  expect(await differences()).toEqual([]);
});

test('a stored week of an athlete without any activity is found and removed', async () => {
  const { database } = scene.api;
  const [week] = await readWeeks();
  const { user } = await scene.api.signIn('Zoe');
  if (!week) throw new Error('there is a week');
  await database
    .insertInto('athlete_weeks')
    .values({ ...week, user_id: user.id })
    .execute();
  const found = (await verifyScores(database)).differences.filter(({ user_id }) => user_id === user.id);
  expect(found).toMatchObject([{ what: 'athlete_week', is: 355, should_be: 0 }]);
  await recomputeScores(database);
  expect((await verifyScores(database)).differences).toEqual([]);
});

test('a week that is missing is found and made again', async () => {
  const before = await readWeeks();
  await scene.api.database.deleteFrom('athlete_weeks').where('user_id', '=', scene.athlete.user.id).execute();
  expect(await differences()).toMatchObject([{ what: 'athlete_week', is: 0, should_be: 355 }]);
  await recomputeScores(scene.api.database);
  expect([await readWeeks(), await differences()]).toEqual([before, []]);
});
