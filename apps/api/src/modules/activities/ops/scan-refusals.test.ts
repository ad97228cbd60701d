import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stepOf } from '#test/factories.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene, scanOf, wholeSeconds } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

describe('a scan is refused, and changes nothing,', () => {
  const hour = 60 * MINUTE_MS;
  test.each<[string, string, (climb: Climb) => { payload: string; overrides?: object }]>([
    [
      'when the MAC is forged',
      'code_forged',
      (climb) => scene.codeOf(climb, {}, randomBytes(32).toString('base64url')),
    ],
    ['when the key is of another device', 'device_unknown', (climb) => scene.codeOf(climb, { key_id: randomUUID() })],
    [
      'at a center that the scanner does not referee',
      'not_a_referee',
      (climb) => scene.codeOf(climb, { sport_center_id: scene.other_center }),
    ],
    [
      'when the code is older than its step',
      'code_expired',
      (climb) => scene.codeOf(climb, { step: stepOf(new Date()) - 3 }),
    ],
    [
      'when the code is ahead of its step',
      'code_expired',
      (climb) => scene.codeOf(climb, { step: stepOf(new Date()) + 3 }),
    ],
    [
      'when the activity ended over 12 hours ago',
      'validation_window_closed',
      (climb) => scene.codeOf({ ...climb, started_at: Date.now() - 14 * hour, ended_at: Date.now() - 13 * hour }),
    ],
    [
      'when the scanned time is in the future',
      'scan_in_future',
      (climb) => ({
        ...scene.codeOf(climb, { step: stepOf(new Date(Date.now() + hour)) }),
        overrides: { scanned_at: new Date(Date.now() + hour).toISOString() },
      }),
    ],
    ['when the text is no code', 'code_unreadable', () => ({ payload: randomBytes(40).toString('base64url') })],
    [
      'when the activity lasts over 24 hours',
      'activity_duration_invalid',
      (climb) => scene.codeOf({ ...climb, started_at: climb.ended_at - 25 * hour }),
    ],
  ])('%s', async (_name, code, make) => {
    const climb = makeClimb();
    await scene.record(climb);
    const { payload, overrides } = make(climb);
    const reply = await scene.validate(scene.referee, payload, overrides);
    expect(reply).toMatchObject({ success: false, code });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', validation: 'none', points: 0 });
  });

  test('when it is an own activity', async () => {
    await scene.grant(scene.athlete);
    const climb = makeClimb();
    await scene.record(climb);
    expect((await scene.validate(scene.athlete, scene.codeOf(climb).payload)).code).toBe('own_activity');
  });

  test.each([
    ['adds time', { ended_at: new Date(Date.now() + 60 * MINUTE_MS).toISOString() }],
    ['gives a climb a distance', { distance_m: 500 }],
  ])('when the correction %s', async (_name, adjust) => {
    const climb = makeClimb();
    await scene.record(climb);
    expect((await scene.validate(scene.referee, scene.codeOf(climb).payload, { adjust })).code).toBe('adjust_invalid');
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });

  test('when it is older than 14 days', async () => {
    const then = Date.now() - 15 * 1440 * MINUTE_MS;
    const climb = { ...makeClimb(), started_at: wholeSeconds(then) - 60 * MINUTE_MS, ended_at: wholeSeconds(then) };
    const code = scene.codeOf(climb, { step: stepOf(new Date(then)) });
    const scanned_at = new Date(then).toISOString();
    const reply = await scene.validate(scene.referee, code.payload, { scanned_at, recorded_offline: true });
    expect(reply.code).toBe('scan_too_old');
  });

  test('when it is the 61st of an hour, by either call, and may be sent again later', async () => {
    const rows = Array.from({ length: 60 }, () => ({
      user_id: scene.referee.user.id,
      op_id: randomUUID(),
      activity_id: randomUUID(),
      kind: 'scan' as const,
      body_hash: Buffer.alloc(32),
      outcome: 'rejected' as const,
      code: null,
      message: null,
    }));
    await scene.api.database.insertInto('activity_ops').values(rows).execute();
    const climb = makeClimb();
    await scene.record(climb);
    const scan = scanOf(scene.codeOf(climb).payload);
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).status).toBe(429);
    const ops = [{ kind: 'scan', client_id: climb.client_id, ...scan }];
    const { data } = await scene.post(scene.referee, '/v1/activities/sync', { ops });
    expect(data.results[0]).toMatchObject({ outcome: 'rejected', code: 'too_many_requests' });
    await scene.api.database.deleteFrom('activity_ops').where('user_id', '=', scene.referee.user.id).execute();
    const again = await scene.post(scene.referee, '/v1/activities/sync', { ops });
    expect(again.data.results[0].outcome).toBe('accepted');
  });

  test('after ten wrong guesses at digits, also when they come all at once', async () => {
    const guesses = Array.from({ length: 30 }, (_, index) =>
      scene.post(scene.referee, '/v1/activities/codes/resolve', { code: String(10_000_000 + index) }),
    );
    const codes = (await Promise.all(guesses)).map((reply) => reply.code);
    expect(codes.filter((code) => code === 'digits_unknown')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(20);
  });

  test('but a look-up that the database failed is no wrong guess', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const { database } = scene.api;
    const look = () => scene.post(scene.referee, '/v1/activities/codes/resolve', { code: scene.codeOf(climb).digits });
    await sql`alter table devices rename to devices_away`.execute(database);
    try {
      for (let guess = 0; guess < 10; guess += 1) expect((await look()).status).toBe(500);
    } finally {
      await sql`alter table devices_away rename to devices`.execute(database);
    }
    expect((await look()).status).toBe(200);
  });

  test('when the right was revoked before the scan', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    await scene.revoke(scene.referee);
    expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).code).toBe('not_a_referee');
  });

  test('when the same op id comes with another decision', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const scan = scanOf(scene.codeOf(climb).payload);
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).status).toBe(200);
    const other = await scene.post(scene.referee, '/v1/activities/validate', { ...scan, decision: 'reject' });
    expect(other).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  });

  test('the second time, by any scanner', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    // Computed once: a time step may end while this runs, and a code of the next step is not a repeat.
    const step = stepOf(new Date());
    await scene.validate(scene.referee, scene.codeOf(climb, { step }).payload);
    const roxy = await scene.api.signIn('Roxy');
    await scene.grant(roxy);
    expect((await scene.validate(roxy, scene.codeOf(climb, { step: step + 1 }).payload)).code).toBe(
      'activity_already_validated',
    );
    expect((await scene.validate(roxy, scene.codeOf(climb, { step }).payload)).code).toBe('code_replayed');
    expect((await scene.readMine(climb.client_id)).points).toBe(355);
  });

  test('after a pair has had three on a day of the center', async () => {
    const end = wholeSeconds(Date.now() - MINUTE_MS);
    const climbs = [0, 1, 2, 3].map((index) => ({
      client_id: randomUUID(),
      started_at: end - (index + 1) * 20 * MINUTE_MS,
      ended_at: end - index * 20 * MINUTE_MS,
    }));
    const codes: (string | undefined)[] = [];
    for (const climb of climbs) {
      await scene.record(climb);
      codes.push((await scene.validate(scene.referee, scene.codeOf(climb).payload)).code);
    }
    // The four may span two days of the center if the test runs at its midnight.
    const days = new Set(
      climbs.map(({ started_at }) => new Date(started_at).toLocaleDateString('en', { timeZone: 'Europe/Madrid' })),
    );
    if (days.size === 1) expect(codes).toEqual([undefined, undefined, undefined, 'pair_limit_reached']);
    else expect(codes.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  });

  test('when another activity took its time, and the scanner learns neither when nor where', async () => {
    const climb = makeClimb(90, 10);
    await scene.record(climb);
    const { payload } = scene.codeOf(climb);
    const iso = (minutes: number) => new Date(climb.ended_at + minutes * MINUTE_MS).toISOString();
    expect((await scene.edit(climb, { started_at: iso(-20) }, Date.now() - MINUTE_MS)).status).toBe(200);
    const other = { client_id: randomUUID(), sport_center_id: scene.other_center, sport_type: 'climbing' };
    const start = { ...other, op_id: randomUUID(), started_at: iso(-80) };
    expect((await scene.post(scene.athlete, '/v1/activities', start)).status).toBe(201);
    const url = `/v1/activities/${other.client_id}/finish`;
    expect((await scene.send(scene.athlete, 'POST', url, { ended_at: iso(-30) })).status).toBe(200);
    const refused = await scene.validate(scene.referee, payload);
    expect(refused).toMatchObject({ status: 409, code: 'activity_overlap' });
    expect(refused.message).toMatch(/^Another activity of the athlete has taken its place$/);
  });
});
