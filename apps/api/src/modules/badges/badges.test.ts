import { randomUUID } from 'node:crypto';
import { type Badge, listBadges } from '@sendlap/contract/badges.ts';
import { BADGE_IDS, BADGES } from '@sendlap/domain/progress/badges.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { record, recordAndScan, scan, sendOps } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';
import { venueCodeAt } from '#test/scenes/kiosk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Some days after all users signed up. */
const START = FIRST_MOMENT + 2 * DAY_MS;

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

const at = (days: number, hours = 0) => START + days * DAY_MS + hours * HOUR_MS;

async function readShelf(who: Person, moment = at(30)): Promise<Badge[]> {
  const { status, data } = await world.call('GET', listBadges.path, who, moment);
  expect(status).toBe(200);
  return data.items as Badge[];
}

const earnedOf = async (who: Person) =>
  (await readShelf(who)).flatMap(({ id, earned_at }) => (earned_at === null ? [] : [id]));
const badgeOf = async (who: Person, id: string) => (await readShelf(who)).find((badge) => badge.id === id);

/** The badges that a user's streams were told of, in order. */
async function toldTo({ id }: Person): Promise<unknown[]> {
  const rows = await world.api.database
    .selectFrom('user_events')
    .select('data')
    .where('user_id', '=', id)
    .where('type', '=', 'badge_earned')
    .orderBy('seq')
    .execute();
  return rows.map(({ data }) => (data as { badge: string }).badge);
}

test('the shelf is refused without a token', async () => {
  const reply = await world.api.app.inject({ url: listBadges.path });
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthenticated']);
});

test('a new athlete’s shelf has every badge in its order, all unearned', async () => {
  const shelf = BADGE_IDS.map((id) => ({ id, earned_at: null, progress: 0, goal: BADGES[id].goal }));
  expect(await readShelf(ada)).toEqual(shelf);
});

describe('nothing is earned', () => {
  test('by unconfirmed activities, nor by rejected ones', async () => {
    await record(world, ada, at(0));
    await scan(world, rex, await record(world, ada, at(1)), { decision: 'reject' });
    expect([await earnedOf(ada), await earnedOf(rex), await toldTo(ada)]).toEqual([[], [], []]);
    expect(await badgeOf(ada, 'regular_10')).toMatchObject({ progress: 0 });
  });

  test('by activities that are too short for points, nor for confirming them', async () => {
    const minutes = 9;
    await recordAndScan(world, [ada, rex], at(0), { minutes });
    await recordAndScan(world, [ada, rex], at(1), { minutes, sport_type: 'swimming', distance_m: 1200 });
    expect([await earnedOf(ada), await toldTo(ada)]).toEqual([[], []]);
    expect(await badgeOf(ada, 'kilometre_1')).toMatchObject({ progress: 0 });
    expect(await badgeOf(rex, 'official_10')).toMatchObject({ progress: 0 });
    for (let day = 2; day < 11; day += 1) await recordAndScan(world, [ada, rex], at(day), { minutes: 10 });
    expect(await badgeOf(rex, 'official_10')).toMatchObject({ earned_at: null, progress: 9 });
    await recordAndScan(world, [ada, rex], at(11), { minutes });
    expect(await toldTo(rex)).toEqual([]);
  });

  test('by more metres than the minutes of a swim allow', async () => {
    await recordAndScan(world, [ada, rex], at(0), { sport_type: 'swimming', minutes: 10, distance_m: 100_000 });
    expect(await toldTo(ada)).toEqual(['first_activity', 'swimming_starter', 'kilometre_1']);
    expect(await badgeOf(ada, 'kilometre_10')).toMatchObject({ progress: 1400 });
  });

  test('by others’ activities, and no user sees another’s shelf', async () => {
    const bea = await world.makePerson('Bea');
    await recordAndScan(world, [bea, rex], at(0));
    const { data } = await world.call('GET', listBadges.path, ada, at(1));
    expect(await earnedOf(ada)).toEqual([]);
    for (const theirs of [bea.id, bea.public_id, bea.name]) expect(JSON.stringify(data)).not.toContain(theirs);
  });
});

describe('badges are earned with the validation', () => {
  test('the first climb gives First Activity and Climbing Rookie, dated and announced once [spec 1.badge.first-activity, 1.badge.climbing-rookie, 1.badge.awarded]', async () => {
    const climb = await recordAndScan(world, [ada, rex], at(0));
    expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
    const earned_at = new Date(climb.ended_at + 60_000).toISOString();
    expect(await badgeOf(ada, 'first_activity')).toEqual({ id: 'first_activity', earned_at, progress: 1, goal: 1 });
    expect(await badgeOf(ada, 'swimming_starter')).toMatchObject({ earned_at: null, progress: 0 });
    await recordAndScan(world, [ada, rex], at(1));
    expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
    expect(await badgeOf(ada, 'first_activity')).toMatchObject({ earned_at });
  });

  test('the first swim gives Swimming Starter and its metres, both sports in a week All-rounder [spec 1.badge.swimming-starter]', async () => {
    await recordAndScan(world, [ada, rex], at(0), { sport_type: 'swimming', distance_m: 999, minutes: 20 });
    expect(await toldTo(ada)).toEqual(['first_activity', 'swimming_starter']);
    expect(await badgeOf(ada, 'kilometre_1')).toMatchObject({ earned_at: null, progress: 999 });
    await recordAndScan(world, [ada, rex], at(0, 3), { minutes: 20 });
    expect(await toldTo(ada)).toEqual(['first_activity', 'swimming_starter', 'climbing_rookie', 'all_rounder']);
    await recordAndScan(world, [ada, rex], at(1), { sport_type: 'swimming', distance_m: 1, minutes: 20 });
    expect((await toldTo(ada)).slice(4)).toEqual(['kilometre_1']);
  });

  test('by several rules at once: a long climb, three days, a week of 600 points', async () => {
    await recordAndScan(world, [ada, rex], at(-1), { minutes: 119 });
    expect(await badgeOf(ada, 'long_haul')).toMatchObject({ earned_at: null, progress: 119 });
    await recordAndScan(world, [ada, rex], at(0), { minutes: 120 });
    expect((await toldTo(ada)).slice(2)).toEqual(['who_week', 'long_haul']);
    await recordAndScan(world, [ada, rex], at(1), { minutes: 10 });
    expect((await toldTo(ada)).slice(4)).toEqual(['week_three']);
  });

  test('a month after the last time is a comeback, a day less is not', async () => {
    await recordAndScan(world, [ada, rex], at(0));
    await recordAndScan(world, [ada, rex], at(29));
    expect(await badgeOf(ada, 'comeback')).toMatchObject({ earned_at: null, progress: 0 });
    const bea = await world.makePerson('Bea');
    await recordAndScan(world, [bea, rex], at(0));
    await recordAndScan(world, [bea, rex], at(30));
    expect(await toldTo(bea)).toContain('comeback');
  });

  test('by a scan that waited for the steps, with an event to the athlete when they arrive', async () => {
    const recorded = { ...(await record(world, ada, at(0))), client_id: randomUUID() };
    const late = { ...recorded, started_at: at(0, 2), ended_at: at(0, 3) };
    await scan(world, rex, late, { outcome: 'waiting' });
    expect(await toldTo(ada)).toEqual([]);
    await sendOps(world, late);
    expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
    expect(await badgeOf(rex, 'official_10')).toMatchObject({ progress: 1 });
  });
});

test('ten confirmations make an Official, not nine, and the referee gets an event', async () => {
  for (let day = 0; day < 9; day += 1) await recordAndScan(world, [ada, rex], at(day));
  expect(await badgeOf(rex, 'official_10')).toMatchObject({ earned_at: null, progress: 9 });
  expect(await badgeOf(ada, 'fair_play')).toMatchObject({ earned_at: null, progress: 9 });
  await recordAndScan(world, [ada, rex], at(9));
  expect(await toldTo(rex)).toEqual(['official_10']);
  expect((await toldTo(ada)).slice(-2)).toEqual(['regular_10', 'fair_play']);
  expect(await badgeOf(rex, 'official_50')).toMatchObject({ earned_at: null, progress: 10 });
  expect(await badgeOf(ada, 'official_10')).toMatchObject({ earned_at: null, progress: 0 });
});

test('an Official badge reached by another user’s op is announced with the next confirmation', async () => {
  for (let day = 0; day < 10; day += 1) await recordAndScan(world, [ada, rex], at(day));
  // As if an edit of the athlete had put the tenth back in force, which notifies no scanner.
  const { database } = world.api;
  await database.deleteFrom('badges').where('user_id', '=', rex.id).execute();
  await database.deleteFrom('user_events').where('user_id', '=', rex.id).execute();
  await recordAndScan(world, [ada, rex], at(10));
  expect(await toldTo(rex)).toEqual(['official_10']);
});

test('a row of referees begins again after a proof by a friend', async () => {
  const bea = await world.makePerson('Bea');
  await world.befriend(ada, bea);
  for (let day = 0; day < 3; day += 1) await recordAndScan(world, [ada, rex], at(day));
  expect(await badgeOf(ada, 'fair_play')).toMatchObject({ progress: 3 });
  const climb = await record(world, ada, at(3));
  await record(world, bea, at(3));
  await scan(world, bea, climb);
  expect(await badgeOf(ada, 'fair_play')).toMatchObject({ progress: 0 });
});

test("a friend's proof earns badges", async () => {
  const bea = await world.makePerson('Bea');
  await world.befriend(ada, bea);
  const climb = await record(world, ada, at(0));
  await record(world, bea, at(0));
  await scan(world, bea, climb);
  expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
  expect(await badgeOf(bea, 'official_10')).toMatchObject({ progress: 1 });
});

test("a center's code earns badges", async () => {
  const { center, keys } = await world.pairKiosk(world.center, at(0) - HOUR_MS);
  const shown = (moment: number) => ({
    payload: venueCodeAt({ center: { id: center, name: '', city: null, time_zone: '', sports: [] }, keys }, moment),
    scanned_at: new Date(moment).toISOString(),
  });
  const client_id = randomUUID();
  const facts = {
    client_id,
    sport_center_id: center,
    sport_type: 'climbing',
    started_at: new Date(at(0)).toISOString(),
  };
  const start = { ...facts, op_id: randomUUID(), venue_scan: shown(at(0)) };
  expect((await world.call('POST', '/v1/activities', ada, at(0), start)).status).toBe(201);
  const finish = { op_id: randomUUID(), ended_at: new Date(at(0, 1)).toISOString(), venue_scan: shown(at(0, 1)) };
  const { data } = await world.call('POST', `/v1/activities/${client_id}/finish`, ada, at(0, 1), finish);
  expect(data.validation).toBe('venue');
  expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
});

test('four weeks in a row are a rhythm', async () => {
  for (let week = 0; week < 3; week += 1) await recordAndScan(world, [ada, rex], at(7 * week));
  const progress = async (moment: number) =>
    (await readShelf(ada, moment)).find(({ id }) => id === 'rhythm_4')?.progress;
  // One missed week is forgiven, not two.
  expect([await progress(at(14, 2)), await progress(at(40))]).toEqual([3, 0]);
  await recordAndScan(world, [ada, rex], at(21));
  expect(await toldTo(ada)).toContain('rhythm_4');
});

test('a badge stays when its proof is withdrawn, progress does not, and the badge is not announced again', async () => {
  const climb = await record(world, ada, at(0));
  const scan_op_id = await scan(world, rex, climb);
  const body = { op_id: randomUUID(), scan_op_id };
  const url = `/v1/activities/${climb.client_id}/withdraw`;
  expect((await world.call('POST', url, rex, at(0, 2), body)).status).toBe(200);
  expect(await earnedOf(ada)).toEqual(['first_activity', 'climbing_rookie']);
  expect(await badgeOf(ada, 'first_activity')).toMatchObject({ progress: 1 });
  expect(await badgeOf(ada, 'regular_10')).toMatchObject({ progress: 0 });
  await scan(world, rex, climb, { at: at(0, 3) });
  expect(await toldTo(ada)).toEqual(['first_activity', 'climbing_rookie']);
  expect(await badgeOf(ada, 'regular_10')).toMatchObject({ progress: 1 });
});

test('the next validation awards badges that earlier activities had earned, without announcing them', async () => {
  await recordAndScan(world, [ada, rex], at(0));
  await world.api.database.deleteFrom('badges').where('user_id', '=', ada.id).execute();
  const told = await toldTo(ada);
  await recordAndScan(world, [ada, rex], at(0, 2), { sport_type: 'swimming', minutes: 20 });
  expect(await earnedOf(ada)).toEqual(['first_activity', 'swimming_starter', 'climbing_rookie', 'all_rounder']);
  expect((await toldTo(ada)).slice(told.length)).toEqual(['swimming_starter', 'all_rounder']);
});
