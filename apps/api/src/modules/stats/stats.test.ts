import { randomUUID } from 'node:crypto';
import { type Activity, listActivities, startActivity } from '@sendlap/contract/activities.ts';
import { getRecap, getSkills, getTrend, type Skill, type TrendWeek } from '@sendlap/contract/stats.ts';
import { SKILL_AXES } from '@sendlap/domain/progress/skills.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Recorded, record, recordAndScan, scan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';

/** A Friday in Bilbao; its week is 2026-W12, from the 16th on. */
const FRIDAY = Date.parse('2026-03-20T09:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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
  await world.grant(rex, world.wall);
});

const at = (days: number, hours = 0) => FRIDAY + days * DAY_MS + hours * HOUR_MS;

async function readSkills(who: Person, moment: number): Promise<Record<string, unknown>> {
  const { status, data } = await world.call('GET', getSkills.path, who, moment);
  expect(status).toBe(200);
  const axes = data.axes as Skill[];
  expect(axes.map(({ axis }) => axis)).toEqual(SKILL_AXES);
  return Object.fromEntries(axes.map(({ axis, value, measured }) => [axis, [value, measured]]));
}

async function readTrend(who: Person, moment: number): Promise<TrendWeek[]> {
  const { status, data } = await world.call('GET', getTrend.path, who, moment);
  expect(status).toBe(200);
  return data.weeks as TrendWeek[];
}

const pointsOf = async (who: Person, moment: number) => (await readTrend(who, moment)).map(({ points }) => points);

test.each([[getSkills.path], [getTrend.path], [getRecap.path]])('%s is refused without a token', async (url) => {
  const reply = await world.api.app.inject({ url });
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthenticated']);
});

test('a new athlete has six axes of 0 and twelve weeks of 0, of UTC', async () => {
  expect(await readSkills(ada, at(0))).toEqual(Object.fromEntries(SKILL_AXES.map((axis) => [axis, [0, 0]])));
  const weeks = await readTrend(ada, at(0));
  expect(weeks).toHaveLength(12);
  expect(weeks[0]).toEqual({ key: '2026-W01', starts_on: '2025-12-29', points: 0, unconfirmed_points: 0 });
  expect(weeks.at(-1)).toEqual({ key: '2026-W12', starts_on: '2026-03-16', points: 0, unconfirmed_points: 0 });
  expect(weeks.every(({ points }) => points === 0)).toBe(true);
});

test('no athlete sees the statistics of others', async () => {
  await recordAndScan(world, [ada, rex], at(0));
  const bea = await world.makePerson('Bea');
  expect(await readSkills(bea, at(1))).toMatchObject({ volume: [0, 0], fair_play: [0, 0] });
  expect((await pointsOf(bea, at(1))).at(-1)).toBe(0);
});

describe('skills', () => {
  test('by hand: two climbs, a swim, and an unconfirmed climb', async () => {
    await recordAndScan(world, [ada, rex], at(0), { minutes: 90 });
    await recordAndScan(world, [ada, rex], at(0, 2), { minutes: 60, center: world.wall });
    await recordAndScan(world, [ada, rex], at(1), { minutes: 45, sport_type: 'swimming', distance_m: 2000 });
    await record(world, ada, at(1, 2));
    expect(await readSkills(ada, at(2))).toEqual({
      endurance: [67, 60],
      // 355 + 236 + 323 points of 4,800.
      volume: [19, 914],
      // (7.3 + 7.3 + 8.1) / 3, as 2,000 m in 45 min are 44.4 m/min.
      intensity: [65, 7.6],
      consistency: [0, 0],
      // Both sports at one center, climbing at another.
      variety: [50, 3],
      fair_play: [75, 75],
    });
  });

  test('a rejected one counts against fair play, a deleted one does not', async () => {
    await recordAndScan(world, [ada, rex], at(0));
    await scan(world, rex, await record(world, ada, at(0, 2)), { decision: 'reject' });
    const gone = await record(world, ada, at(0, 4));
    expect(await readSkills(ada, at(1))).toMatchObject({ fair_play: [33, 33] });
    const url = `/v1/activities/${gone.client_id}`;
    expect((await world.call('DELETE', url, ada, at(0, 6), { op_id: randomUUID() })).status).toBe(200);
    expect(await readSkills(ada, at(1))).toMatchObject({ fair_play: [50, 50] });
  });

  test('volume looks back 28 days, endurance and intensity at the last ten however old', async () => {
    await recordAndScan(world, [ada, rex], at(0), { minutes: 90 });
    expect(await readSkills(ada, at(28))).toMatchObject({ volume: [7, 355], endurance: [100, 90] });
    expect(await readSkills(ada, at(29))).toMatchObject({ volume: [0, 0], endurance: [100, 90], variety: [17, 1] });
    for (let day = 20; day < 30; day += 1) await recordAndScan(world, [ada, rex], at(day), { minutes: 30 });
    expect(await readSkills(ada, at(30))).toMatchObject({ endurance: [33, 30], intensity: [61, 7.3] });
  });

  test('consistency counts complete weeks on target', async () => {
    await recordAndScan(world, [ada, rex], at(0));
    await recordAndScan(world, [ada, rex], at(7));
    expect(await readSkills(ada, at(7, 3))).toMatchObject({ consistency: [13, 1] });
    expect(await readSkills(ada, at(14))).toMatchObject({ consistency: [25, 2] });
  });
});

describe('trend', () => {
  test('each week has its points, of all proofs and without a best five, and weeks between have 0', async () => {
    for (let day = -4; day < 2; day += 1) await recordAndScan(world, [ada, rex], at(day), { minutes: 30 });
    await recordAndScan(world, [ada, rex], at(14), { minutes: 90 });
    expect((await pointsOf(ada, at(14, 2))).slice(-4)).toEqual([0, 6 * 118, 0, 355]);
  });

  test('the present week follows the zone of my last center', async () => {
    // In Bilbao it is 2026-03-23 already, a Monday.
    const late_sunday = Date.parse('2026-03-22T23:30:00.000Z');
    expect((await readTrend(ada, late_sunday)).at(-1)?.key).toBe('2026-W12');
    await recordAndScan(world, [ada, rex], late_sunday, { minutes: 90 });
    expect((await readTrend(ada, late_sunday)).slice(-2)).toMatchObject([
      { key: '2026-W12', points: 0 },
      { key: '2026-W13', starts_on: '2026-03-23', points: 355 },
    ]);
  });

  test('a withdrawn, edited or deleted activity leaves no trace in it', async () => {
    const { database } = world.api;
    const weeksOf = () => database.selectFrom('athlete_weeks').selectAll().where('user_id', '=', ada.id).execute();
    await recordAndScan(world, [ada, rex], at(0), { minutes: 90 });
    const before = await weeksOf();
    expect(before).toMatchObject([{ week_key: '2026-W12', points: 355, days: 0b10000, climbs: 1, proofs: 'r' }]);

    const second = await record(world, ada, at(0, 2));
    const scan_op_id = await scan(world, rex, second);
    expect(await weeksOf()).toMatchObject([{ points: 591, climbs: 2, proofs: 'rr' }]);
    const url = `/v1/activities/${second.client_id}`;
    await world.call('POST', `${url}/withdraw`, rex, at(0, 4), { op_id: randomUUID(), scan_op_id });
    expect(await weeksOf()).toEqual(before);

    await scan(world, rex, second, { at: at(0, 4) });
    const edit = { op_id: randomUUID(), edited_at: new Date(at(0, 5)).toISOString(), intensity: 'easy' };
    expect((await world.call('PATCH', url, ada, at(0, 5), edit)).status).toBe(200);
    expect(await weeksOf()).toEqual(before);

    await scan(world, rex, second, { at: at(0, 6) });
    expect(await weeksOf()).toHaveLength(1);
    expect((await world.call('DELETE', url, ada, at(0, 7), { op_id: randomUUID() })).status).toBe(200);
    expect(await weeksOf()).toEqual(before);
  });

  test('a week loses its row with its last activity', async () => {
    const { client_id } = await recordAndScan(world, [ada, rex], at(0));
    await world.call('DELETE', `/v1/activities/${client_id}`, ada, at(0, 2), { op_id: randomUUID() });
    const { database } = world.api;
    expect(await database.selectFrom('athlete_weeks').selectAll().where('user_id', '=', ada.id).execute()).toEqual([]);
    expect((await pointsOf(ada, at(1))).at(-1)).toBe(0);
  });
});

describe('unconfirmed points', () => {
  const readUnconfirmed = async (moment: number) =>
    (await readTrend(ada, moment)).slice(-2).map(({ points, unconfirmed_points }) => [points, unconfirmed_points]);
  const deleteActivity = ({ client_id }: Recorded, moment: number) =>
    world.call('DELETE', `/v1/activities/${client_id}`, ada, moment, { op_id: randomUUID() });

  test('exclude a running, a rejected, a deleted and a too short activity, and those of others', async () => {
    await scan(world, rex, await record(world, ada, at(0)), { decision: 'reject' });
    expect((await deleteActivity(await record(world, ada, at(0, 2)), at(0, 4))).status).toBe(200);
    await record(world, ada, at(0, 6), { minutes: 9 });
    await record(world, rex, at(0, 6));
    const start = {
      client_id: randomUUID(),
      op_id: randomUUID(),
      sport_center_id: world.center,
      sport_type: 'climbing',
    };
    const started_at = new Date(at(0, 8)).toISOString();
    expect((await world.call('POST', startActivity.path, ada, at(0, 8), { ...start, started_at })).status).toBe(201);
    expect(await readUnconfirmed(at(0, 9))).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('they are the sum of the potential points of a week, without the cap of a day, also after the window', async () => {
    for (const hours of [0, 4]) await record(world, ada, at(0, hours), { minutes: 180 });
    await record(world, ada, at(7), { minutes: 45, sport_type: 'swimming' });
    const { data } = await world.call('GET', listActivities.path, ada, at(8));
    const potential = (data.items as Activity[]).map(({ potential_points }) => potential_points);
    expect(potential).toEqual([235, 709, 709]);
    expect(await readUnconfirmed(at(8))).toEqual([
      [0, 2 * 709],
      [0, 235],
    ]);
  });

  test('a confirmation makes them points, and an edit of the confirmed activity makes them unconfirmed again', async () => {
    const recorded = await record(world, ada, at(7), { minutes: 90 });
    await record(world, ada, at(7, 2), { minutes: 60 });
    expect((await readUnconfirmed(at(7, 4)))[1]).toEqual([0, 355 + 236]);
    await scan(world, rex, recorded);
    expect((await readUnconfirmed(at(7, 4)))[1]).toEqual([355, 236]);
    const edit = { op_id: randomUUID(), edited_at: new Date(at(7, 5)).toISOString(), intensity: 'easy' };
    const url = `/v1/activities/${recorded.client_id}`;
    expect((await world.call('PATCH', url, ada, at(7, 5), edit)).status).toBe(200);
    expect((await readUnconfirmed(at(7, 6)))[1]).toEqual([0, 314 + 236]);
  });

  test('they give no skill, and those from before the twelve weeks are not summed', async () => {
    await record(world, ada, at(-77), { minutes: 60 });
    await record(world, ada, at(-84), { minutes: 60 });
    const weeks = await readTrend(ada, at(0));
    expect(weeks[0]).toMatchObject({ key: '2026-W01', points: 0, unconfirmed_points: 236 });
    expect(weeks.slice(1).every(({ unconfirmed_points }) => unconfirmed_points === 0)).toBe(true);
    expect(await readSkills(ada, at(0))).toMatchObject({ volume: [0, 0], consistency: [0, 0], variety: [0, 0] });
  });
});
