import { type Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { updateSettings } from '@sendlap/contract/users.ts';
import { BADGE_IDS } from '@sendlap/domain/progress/badges.ts';
import { SKILL_AXES } from '@sendlap/domain/progress/skills.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { record, recordAndScan, scan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';
import { createDashboardService } from './service.ts';

/** A Friday in Bilbao, of 2026-W12. All tests share the boards, so each test has its own week. */
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
});

const at = (days: number, hours = 0) => FRIDAY + days * DAY_MS + hours * HOUR_MS;

async function read(who: Person, moment: number): Promise<Dashboard> {
  const { status, data } = await world.call('GET', getDashboard.path, who, moment);
  expect(status).toBe(200);
  return data as unknown as Dashboard;
}

test('the dashboard is refused without a token', async () => {
  const reply = await world.api.app.inject({ url: getDashboard.path });
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthenticated']);
});

test('a new athlete is at the beginning of everything', async () => {
  const { skills, trend, badges, ...others } = await read(ada, at(0));
  expect(others).toEqual({
    lifetime_points: 0,
    week: { key: '2026-W12', starts_on: '2026-03-16', ends_on: '2026-03-22', time_zone: 'UTC', points: 0 },
    streak: { weeks: 0, target_days: 1, days_this_week: 0, rest_available: false },
    rank: null,
    rank_known: true,
  });
  expect(badges).toMatchObject({ earned: 0, total: BADGE_IDS.length, latest: [] });
  // All are equally near: the order of the shelf, one of each family.
  expect(badges.next.map(({ id }) => id)).toEqual(['first_activity', 'swimming_starter', 'climbing_rookie']);
  expect(skills.axes.map(({ axis, value }) => [axis, value])).toEqual(SKILL_AXES.map((axis) => [axis, 0]));
  expect(trend.weeks).toHaveLength(12);
});

test('it has week, level, streak, badges, skills and trend of all validated activities', async () => {
  await recordAndScan(world, [ada, rex], at(0), { minutes: 90 });
  await recordAndScan(world, [ada, rex], at(7), { minutes: 120 });
  await recordAndScan(world, [ada, rex], at(8), { minutes: 45, sport_type: 'swimming' });
  await record(world, ada, at(8, 2));
  const { rank: _rank, rank_known, skills, trend, badges, ...others } = await read(ada, at(8, 5));
  expect(rank_known).toBe(true);
  expect(others).toEqual({
    lifetime_points: 355 + 473 + 235,
    week: { key: '2026-W13', starts_on: '2026-03-23', ends_on: '2026-03-29', time_zone: 'Europe/Madrid', points: 708 },
    streak: { weeks: 2, target_days: 1, days_this_week: 2, rest_available: true },
  });
  expect(trend.weeks.map(({ points }) => points).slice(-3)).toEqual([0, 355, 708]);
  expect(trend.weeks.map(({ unconfirmed_points }) => unconfirmed_points).slice(-3)).toEqual([0, 0, 236]);
  expect(skills.axes.find(({ axis }) => axis === 'fair_play')).toEqual({
    axis: 'fair_play',
    value: 75,
    measured: 75,
    anchor: 100,
  });
  expect(badges.earned).toBe(6);
  expect(badges.latest.map(({ id }) => id)).toEqual([
    'swimming_starter',
    'who_week',
    'all_rounder',
    'long_haul',
    'first_activity',
    'climbing_rookie',
  ]);
  expect(badges.latest.every(({ progress, goal, earned_at }) => progress === goal && earned_at !== null)).toBe(true);
  // Two of three days, 708 of 1,200, two of four weeks.
  expect(badges.next.map(({ id, progress }) => [id, progress])).toEqual([
    ['week_three', 2],
    ['who_plus', 708],
    ['rhythm_4', 2],
  ]);
});

test('it has at most the six latest badges', async () => {
  await recordAndScan(world, [ada, rex], at(0), { minutes: 20 });
  await recordAndScan(world, [ada, rex], at(7), { minutes: 180, sport_type: 'swimming', distance_m: 10_000 });
  const { earned, latest } = (await read(ada, at(7, 4))).badges;
  expect(latest.map(({ id }) => id)).toEqual([
    'swimming_starter',
    'who_week',
    'who_plus',
    'kilometre_1',
    'kilometre_10',
    'first_activity',
  ]);
  expect(earned).toBe(7);
});

test('it has my rank of the week and the one before; of a hidden athlete only to themselves', async () => {
  const bea = await world.makePerson('Bea');
  await recordAndScan(world, [bea, rex], at(14), { minutes: 90 });
  await recordAndScan(world, [ada, rex], at(14, 3), { minutes: 60 });
  expect((await read(ada, at(14, 5))).rank).toEqual({ rank: 2, total: 2, previous_rank: null, hidden: false });
  expect((await read(bea, at(21))).rank).toBeNull();
  await recordAndScan(world, [ada, rex], at(21), { minutes: 60 });
  expect((await read(ada, at(21, 2))).rank).toEqual({ rank: 1, total: 1, previous_rank: 2, hidden: false });
  const { status } = await world.call('PATCH', updateSettings.path, ada, at(21, 3), { boards: false });
  expect(status).toBe(200);
  expect((await read(ada, at(21, 4))).rank).toMatchObject({ rank: 1, hidden: true });
});

test("friends' proofs give points and days, and no rank", async () => {
  const bea = await world.makePerson('Bea');
  await world.befriend(ada, bea);
  const climb = await record(world, ada, at(28), { minutes: 90 });
  await record(world, bea, at(28), { minutes: 90 });
  await scan(world, bea, climb);
  const { rank, week, streak } = await read(ada, at(28, 4));
  expect([rank, week.points, streak.days_this_week]).toEqual([null, 355, 1]);
});

test('around a Monday it uses the week in the zone of my last center, for the rank too', async () => {
  // In Bilbao it is a Monday already, 2026-04-27.
  const late_sunday = Date.parse('2026-04-26T22:30:00.000Z');
  await recordAndScan(world, [ada, rex], late_sunday, { minutes: 60 });
  const { week, rank } = await read(ada, late_sunday + HOUR_MS + 60_000);
  expect(week).toMatchObject({ key: '2026-W18', starts_on: '2026-04-27', time_zone: 'Europe/Madrid', points: 236 });
  expect(rank).toMatchObject({ rank: 1, total: 1 });
});

describe('while the boards cannot be read', () => {
  const AT = new Date(at(0, 2));
  const readWithout = (error: Error) => {
    const leaderboards = { getWeekRank: () => Promise.reject(error) };
    return createDashboardService({ database: world.api.database, leaderboards, now: () => AT }).getDashboard(ada.id);
  };

  test('everything but the rank is returned', async () => {
    await recordAndScan(world, [ada, rex], at(0));
    const found = await readWithout(new AppError('unavailable', 'The boards are away'));
    expect(found).toMatchObject({ rank: null, rank_known: false, lifetime_points: 236, badges: { earned: 2 } });
  });

  test('another error is thrown', async () => {
    const fault = new Error('a fault');
    await expect(readWithout(fault)).rejects.toBe(fault);
  });
});

test('it holds no other user’s data', async () => {
  const bea = await world.makePerson('Bea of the canaries');
  await recordAndScan(world, [bea, rex], at(0));
  await recordAndScan(world, [ada, rex], at(0, 2));
  const text = JSON.stringify(await read(ada, at(0, 4)));
  for (const theirs of [bea, rex].flatMap(({ id, public_id }) => [id, public_id])) expect(text).not.toContain(theirs);
  expect(text).not.toContain('canaries');
});
