import { randomUUID } from 'node:crypto';
import { EXPORT_ACTIVITIES_PATH } from '@sendlap/contract/users.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import { verifyScores } from './points/verify-scores.ts';

const QUARTER_S = 900;
const HALF_HOUR_S = 1800;
/** Climbs at a moderate intensity. */
const POINTS = { of_60_minutes: 236, of_75_minutes: 296, of_90_minutes: 355 };

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

const iso = (epoch_ms: number) => new Date(epoch_ms).toISOString();
const read = async (url: string) => (await scene.api.app.inject({ url, headers: scene.athlete.headers })).json().data;

async function start(climb: Climb): Promise<void> {
  const { client_id, started_at } = climb;
  const body = { client_id, sport_center_id: scene.center, sport_type: 'climbing', started_at: iso(started_at) };
  expect((await scene.send(scene.athlete, 'POST', '/v1/activities', body)).status).toBe(201);
}

function finish({ client_id, ended_at }: Climb, fields: object = {}) {
  const url = `/v1/activities/${client_id}/finish`;
  return scene.send(scene.athlete, 'POST', url, { ended_at: iso(ended_at), ...fields });
}

/** A climb of 90 minutes that ended a minute ago. */
async function record(paused_s: number): Promise<Climb> {
  const climb = makeClimb(90);
  await start(climb);
  expect((await finish(climb, { paused_s })).status).toBe(200);
  return climb;
}

async function confirm(climb: Climb, paused_s: number, overrides: object = {}) {
  return scene.validate(scene.referee, scene.codeOf(climb, { paused_s }).payload, overrides);
}

async function listDifferences() {
  return (await verifyScores(scene.api.database)).differences.filter(
    ({ user_id }) => user_id === scene.athlete.user.id,
  );
}

describe('a pause is refused, and changes nothing,', () => {
  test.each<[string, unknown, number, string]>([
    ['when it is negative', -1, 400, 'validation_failed'],
    ['when it is no whole number', 0.5, 400, 'validation_failed'],
    ['when it is a text', '900', 400, 'validation_failed'],
    ['when it is longer than the activity', 90 * 60 + 1, 422, 'activity_pause_invalid'],
    ['when it is endless', Number.MAX_SAFE_INTEGER, 422, 'activity_pause_invalid'],
  ])('%s', async (_name, paused_s, status, code) => {
    const climb = makeClimb(90);
    await start(climb);
    expect(await finish(climb, { paused_s })).toMatchObject({ status, code });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'active', ended_at: null, paused_s: 0 });
    expect((await finish(climb, { paused_s: 90 * 60 })).data).toMatchObject({
      status: 'finished',
      paused_s: 5400,
      potential_points: 0,
    });
  });

  test.each<[string, (climb: Climb) => object, string]>([
    ['in an edit, when it is longer than the activity', () => ({ paused_s: 5401 }), 'activity_pause_invalid'],
    [
      'in an edit of times, when it no longer fits',
      ({ started_at }) => ({ ended_at: iso(started_at + 14 * MINUTE_MS) }),
      'activity_pause_invalid',
    ],
    ['in an edit, when it is negative', () => ({ paused_s: -1 }), 'validation_failed'],
  ])('%s', async (_name, fieldsOf, code) => {
    const climb = await record(QUARTER_S);
    await confirm(climb, QUARTER_S);
    expect((await scene.edit(climb, fieldsOf(climb))).code).toBe(code);
    const unchanged = { status: 'validated', paused_s: QUARTER_S, points: POINTS.of_75_minutes };
    expect(await scene.readMine(climb.client_id)).toMatchObject(unchanged);
  });

  test('in an edit, while the activity runs: its device knows the pauses', async () => {
    const climb = makeClimb();
    await start(climb);
    expect((await scene.edit(climb, { paused_s: 60 })).code).toBe('activity_not_finished');
  });

  test('in a scan that makes the activity shorter than its pauses', async () => {
    const climb = await record(HALF_HOUR_S);
    const adjust = { ended_at: iso(climb.started_at + 29 * MINUTE_MS) };
    expect(await confirm(climb, HALF_HOUR_S, { adjust })).toMatchObject({ status: 422, code: 'adjust_invalid' });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
    adjust.ended_at = iso(climb.started_at + 90 * MINUTE_MS);
    expect((await confirm(climb, HALF_HOUR_S, { adjust })).status).toBe(200);
  });
});

describe('the points count the active time', () => {
  test('before a confirmation, after it, and in the ledger', async () => {
    const climb = await record(HALF_HOUR_S);
    expect(await scene.readMine(climb.client_id)).toMatchObject({
      paused_s: HALF_HOUR_S,
      points: 0,
      potential_points: POINTS.of_60_minutes,
      score: { minutes: 60, counted_minutes: 60 },
    });
    expect((await confirm(climb, HALF_HOUR_S)).data.outcome).toBe('accepted');
    expect(await scene.readMine(climb.client_id)).toMatchObject({
      points: POINTS.of_60_minutes,
      paused_s: HALF_HOUR_S,
    });
    expect(await scene.readLedger()).toEqual([POINTS.of_60_minutes]);
    expect(await listDifferences()).toEqual([]);
  });

  test('by the pause in the code, whatever the row says', async () => {
    const climb = await record(0);
    await confirm(climb, HALF_HOUR_S);
    expect(await scene.readMine(climb.client_id)).toMatchObject({
      points: POINTS.of_60_minutes,
      paused_s: HALF_HOUR_S,
    });
    expect(await listDifferences()).toEqual([]);
  });

  test('also of a referee who makes the activity shorter', async () => {
    const climb = await record(HALF_HOUR_S);
    await confirm(climb, HALF_HOUR_S, { adjust: { ended_at: iso(climb.ended_at - 15 * MINUTE_MS) } });
    expect((await scene.readMine(climb.client_id)).score).toMatchObject({ minutes: 45 });
  });

  test('and the cap of the day counts active minutes', async () => {
    const [first, second] = [makeClimb(200, 120), makeClimb(110, 1)];
    for (const [climb, paused_s] of [
      [first, 50 * 60],
      [second, 0],
    ] as const) {
      await start(climb);
      await finish(climb, { paused_s });
      await confirm(climb, paused_s);
    }
    const [later, earlier] = (await read('/v1/activities')).items;
    expect(earlier.score).toMatchObject({ minutes: 150, counted_minutes: 150 });
    // 240 minutes a day, unless the local day began in between.
    expect([90, 110]).toContain(later.score.counted_minutes);
    expect(await listDifferences()).toEqual([]);
  });

  test('and badges, personal bests and the radar count active minutes', async () => {
    const [short, long] = [makeClimb(90, 100), makeClimb(90, 1)];
    for (const [climb, paused_s] of [
      [short, 81 * 60],
      [long, HALF_HOUR_S],
    ] as const) {
      await start(climb);
      await finish(climb, { paused_s });
      await confirm(climb, paused_s);
    }
    const { bests, lifetime_points } = await read('/v1/stats/recap');
    expect(lifetime_points).toBe(POINTS.of_60_minutes);
    expect(bests).toContainEqual(expect.objectContaining({ measure: 'minutes', value: 60 }));
    const { rows } = { rows: await scene.api.database.selectFrom('athlete_weeks').selectAll().execute() };
    const mine = rows.filter(({ user_id }) => user_id === scene.athlete.user.id);
    expect(mine.reduce((sum, { climbs }) => sum + climbs, 0)).toBe(1);
    expect(Math.max(...mine.map(({ longest_climb_minutes }) => longest_climb_minutes))).toBe(60);
  });
});

test('the digits beside a code with a pause find that code', async () => {
  const climb = await record(HALF_HOUR_S);
  const { payload, digits } = scene.codeOf(climb, { paused_s: HALF_HOUR_S });
  const reply = await scene.post(scene.referee, '/v1/activities/codes/resolve', { code: digits });
  expect(reply.data).toEqual({ payload });
});

test('a corrected pause drops the proof; one that stays the same drops nothing', async () => {
  const climb = await record(HALF_HOUR_S);
  await confirm(climb, HALF_HOUR_S);
  expect((await scene.edit(climb, { paused_s: HALF_HOUR_S })).data).toMatchObject({ status: 'validated' });
  expect((await scene.edit(climb, { paused_s: 0 })).data).toMatchObject({
    status: 'finished',
    points: 0,
    potential_points: POINTS.of_90_minutes,
    paused_s: 0,
  });
  expect(await listDifferences()).toEqual([]);
});

test('an edit of an activity from before there were pauses drops no proof if it changes nothing', async () => {
  const climb = await record(0);
  await confirm(climb, 0);
  // As an earlier version stored the athlete's own facts.
  await sql`update activities set declared = declared - 'paused_s' where id = ${climb.client_id}`.execute(
    scene.api.database,
  );
  expect((await scene.edit(climb, { intensity: undefined })).data).toMatchObject({ status: 'validated' });
});

test('a finish that is undone takes the pause with it, and the next one brings its own', async () => {
  const climb = await record(HALF_HOUR_S);
  const reopen = { kind: 'reopen', client_id: climb.client_id, op_id: randomUUID() };
  const { data } = await scene.post(scene.athlete, '/v1/activities/sync', { ops: [reopen] });
  expect(data.results[0]).toMatchObject({ outcome: 'accepted', activity: { status: 'active', paused_s: 0 } });
  expect((await finish(climb, { paused_s: QUARTER_S })).data).toMatchObject({ paused_s: QUARTER_S });
});

test('the export has the pause', async () => {
  await record(HALF_HOUR_S);
  const headers = scene.athlete.headers;
  const csv = (await scene.api.app.inject({ url: EXPORT_ACTIVITIES_PATH, headers })).body.split('\r\n');
  const column = csv[0]?.split(',').indexOf('paused_s') ?? -1;
  expect(csv[1]?.split(',')[column]).toBe(String(HALF_HOUR_S));
});
