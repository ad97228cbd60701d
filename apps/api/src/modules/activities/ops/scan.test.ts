import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { befriend, stepOf } from '#test/factories.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene, scanOf, wholeSeconds } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

/** Returns a friend of the athlete since two days, who climbs at the same time. */
async function friendWhoClimbs(climb: Climb): Promise<SignedIn> {
  const friend = await scene.api.signIn('Bea');
  const id = await befriend(scene.api.database, scene.athlete, friend);
  const since = new Date(Date.now() - 48 * 3_600_000);
  await scene.api.database.updateTable('friendships').set({ created_at: since }).where('id', '=', id).execute();
  await scene.record({ ...climb, client_id: randomUUID() }, friend);
  return friend;
}

describe('a scan is accepted', () => {
  test('and gives the points of the code, the board and the event at once [spec 1.activities.validate, 7.activities.validate, 6.role.referee]', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const reply = await scene.validate(scene.referee, scene.codeOf(climb).payload);
    expect(reply).toMatchObject({ status: 200, data: { outcome: 'accepted', activity: null } });
    expect(await scene.readMine(climb.client_id)).toMatchObject({
      status: 'validated',
      validation: 'referee',
      points: 355,
    });
    expect(await scene.readMyRow()).toMatchObject({
      points: 355,
      is_me: true,
      user: { public_id: scene.athlete.user.public_id },
    });
    const events = await scene.api.database
      .selectFrom('user_events')
      .select('data')
      .where('user_id', '=', scene.athlete.user.id)
      .where('type', '=', 'activity_changed')
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(events.data).toMatchObject({ type: 'activity_changed', activity: { points: 355, status: 'validated' } });
  });

  test('once, however often it is sent', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const scan = scanOf(scene.codeOf(climb).payload);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => scene.post(scene.referee, '/v1/activities/validate', scan)),
    );
    expect(replies.map((reply) => reply.data.outcome).sort()).toEqual(['accepted', ...Array(9).fill('duplicate')]);
    expect(await scene.readLedger()).toEqual([355]);
  });

  test('when the clock of the scanner is two hours off but its offset is known', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const offset_ms = -120 * MINUTE_MS;
    const scanned_at = new Date(Date.now() - offset_ms).toISOString();
    const reply = await scene.validate(scene.referee, scene.codeOf(climb).payload, {
      scanned_at,
      clock: { offset_ms, age_ms: 5000 },
    });
    expect(reply.data.outcome).toBe('accepted');
  });

  test('by eight typed digits, through the code that they belong to', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const { digits, payload } = scene.codeOf(climb);
    expect((await scene.post(scene.referee, '/v1/activities/codes/resolve', { code: digits })).data.payload).toBe(
      payload,
    );
    const { payload: _, ...scan } = { ...scanOf(''), code: digits };
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('accepted');
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('duplicate');
  });

  test('by typed digits that are sent again while the first copy is carried out', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const { payload: _, ...scan } = { ...scanOf(''), code: scene.codeOf(climb).digits };
    const replies: Promise<{ data: { outcome: string } }>[] = [];
    for (let copy = 0; copy < 8; copy += 1) {
      replies.push(scene.post(scene.referee, '/v1/activities/validate', scan));
      // Each copy arrives a little later than the previous one.
      await sql`select 1`.execute(scene.api.database);
    }
    const outcomes = (await Promise.all(replies)).map((reply) => reply.data?.outcome);
    expect(outcomes.sort()).toEqual(['accepted', ...Array(7).fill('duplicate')]);
  });

  test('and scores the facts of the code: a hard climb only when the referee states it', async () => {
    const [declared, confirmed] = [makeClimb(20), { ...makeClimb(20), client_id: randomUUID() }];
    confirmed.started_at -= 30 * MINUTE_MS;
    confirmed.ended_at -= 30 * MINUTE_MS;
    for (const climb of [declared, confirmed]) await scene.record(climb);
    await scene.validate(scene.referee, scene.codeOf(declared, { intensity: 'hard' }).payload);
    await scene.validate(scene.referee, scene.codeOf(confirmed, { intensity: 'hard' }).payload, {
      adjust: { intensity: 'hard' },
    });
    expect((await scene.readMine(declared.client_id)).points).toBe(79);
    expect((await scene.readMine(confirmed.client_id)).points).toBe(88);
  });

  test('as a rejection, which gives no points and is final', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    await scene.validate(scene.referee, scene.codeOf(climb).payload, {
      decision: 'reject',
      reason: 'Left after ten minutes',
    });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'rejected', points: 0 });
    expect(
      (await scene.validate(scene.referee, scene.codeOf(climb, { step: stepOf(new Date()) + 1 }).payload)).code,
    ).toBe('activity_rejected');
  });
});

describe('a scan that comes before the steps of the athlete', () => {
  test('waits, and is joined when they arrive: one validation, right points', async () => {
    const climb = makeClimb();
    const scan = scanOf(scene.codeOf(climb).payload, { recorded_offline: true });
    expect(await scene.post(scene.referee, '/v1/activities/validate', scan)).toMatchObject({
      status: 202,
      data: { outcome: 'waiting' },
    });
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('waiting');
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('duplicate');
    expect(await scene.readLedger()).toEqual([355]);
  });

  test('counts although the right was revoked after it', async () => {
    const climb = makeClimb();
    await scene.validate(scene.referee, scene.codeOf(climb).payload, { recorded_offline: true });
    await scene.revoke(scene.referee);
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test('is joined to the athlete’s activity, even if another user took its id in between', async () => {
    const climb = makeClimb();
    await scene.validate(scene.referee, scene.codeOf(climb).payload, { recorded_offline: true });
    const stranger = await scene.api.signIn('Mallory');
    await scene.record(climb, stranger);
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test.each(['referee', 'peer'] as const)(
    'expires after 14 days when the steps arrive, the scan of a %s',
    async (method) => {
      const climb = makeClimb();
      const scan = scanOf(scene.codeOf(climb).payload, { recorded_offline: true });
      const scanner = method === 'referee' ? scene.referee : await friendWhoClimbs(climb);
      expect((await scene.post(scanner, '/v1/activities/validate', scan)).data.outcome).toBe('waiting');
      await scene.api.database
        .updateTable('waiting_scans')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .where('op_id', '=', scan.op_id)
        .execute();
      await scene.record(climb);
      expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
      expect((await scene.post(scanner, '/v1/activities/validate', scan)).code).toBe('scan_too_old');
      const entry = scene.api.database.selectFrom('validation_log').select('method').where('code', '=', 'scan_too_old');
      expect(await entry.where('scanner_id', '=', scanner.user.id).execute()).toEqual([{ method }]);
    },
  );

  test('of two referees: the one who scanned first decides, whichever was received first', async () => {
    const climb = makeClimb();
    const roxy = await scene.api.signIn('Roxy');
    await scene.grant(roxy);
    const now = Date.now();
    const late = { scanned_at: new Date(now).toISOString(), decision: 'reject', recorded_offline: true };
    const early = { scanned_at: new Date(now - 20_000).toISOString(), recorded_offline: true };
    await scene.validate(roxy, scene.codeOf(climb).payload, late);
    await scene.validate(scene.referee, scene.codeOf(climb).payload, early);
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });
});

describe("a day's cap of 240 minutes", () => {
  test('is shared out by start, whatever the order in which the proofs arrive', async () => {
    const end = wholeSeconds(Date.now() - MINUTE_MS);
    const early = { client_id: randomUUID(), started_at: end - 400 * MINUTE_MS, ended_at: end - 220 * MINUTE_MS };
    const late = { client_id: randomUUID(), started_at: end - 180 * MINUTE_MS, ended_at: end };
    for (const climb of [early, late]) await scene.record(climb);
    await scene.validate(scene.referee, scene.codeOf(late).payload);
    await scene.validate(scene.referee, scene.codeOf(early).payload);
    const points = [(await scene.readMine(early.client_id)).points, (await scene.readMine(late.client_id)).points];
    const day = (ms: number) => new Date(ms).toLocaleDateString('en', { timeZone: 'Europe/Madrid' });
    // 3.94 MET · 180 min = 709; the late activity gets the 60 minutes left, unless midnight lies between.
    expect(points).toEqual(day(early.started_at) === day(late.started_at) ? [709, 236] : [709, 709]);
    const booked = (await scene.readLedger()).reduce((sum, each) => sum + each, 0);
    expect(booked).toBe(points[0] + points[1]);
    expect((await scene.readMyRow()).points).toBe(points[0] + points[1]);
  });
});
