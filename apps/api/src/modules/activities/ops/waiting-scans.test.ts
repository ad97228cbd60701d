import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Climb, MINUTE_MS, makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

async function scannedBefore(climb: Climb): Promise<string> {
  const op_id = randomUUID();
  const reply = await scene.validate(scene.referee, scene.codeOf(climb).payload, { op_id });
  expect([reply.status, reply.data.outcome]).toEqual([202, 'waiting']);
  return op_id;
}

describe('a scan that waits for the ops of its activity', () => {
  test('is not taken back by another user, nor by another op id', async () => {
    const climb = makeClimb();
    const op_id = await scannedBefore(climb);
    const roxy = await scene.addReferee('Roxy');
    expect((await scene.withdraw(roxy, climb, op_id)).code).toBe('decision_not_found');
    expect((await scene.withdraw(scene.athlete, climb, op_id)).code).toBe('decision_not_found');
    expect((await scene.withdraw(scene.referee, climb, randomUUID())).code).toBe('decision_not_found');
    expect((await scene.withdraw(scene.referee, makeClimb(), op_id)).code).toBe('decision_not_found');
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated', points: 355 });
  });

  test('is taken back by its scanner, and never counts', async () => {
    const climb = makeClimb();
    const op_id = randomUUID();
    const scan = scanOf(scene.codeOf(climb).payload, { op_id });
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('waiting');
    const taken_back = await scene.withdraw(scene.referee, climb, op_id);
    expect([taken_back.status, taken_back.data.outcome]).toEqual([200, 'accepted']);
    const again = await scene.post(scene.referee, '/v1/activities/validate', scan);
    expect(again).toMatchObject({ status: 409, code: 'scan_withdrawn' });
    await scene.record(climb);
    const mine = await scene.readMine(climb.client_id);
    expect(mine).toMatchObject({ status: 'finished', points: 0 });
    expect(mine.proofs).toMatchObject([{ outcome: 'refused', code: 'scan_withdrawn' }]);
    expect((await scene.withdraw(scene.referee, climb, op_id)).code).toBe('decision_not_found');
  });

  test('is taken back in the same sending in which it came', async () => {
    const climb = makeClimb();
    const op_id = randomUUID();
    const scan = { kind: 'scan', client_id: climb.client_id, ...scanOf(scene.codeOf(climb).payload, { op_id }) };
    const back = { kind: 'withdraw', client_id: climb.client_id, op_id: randomUUID(), scan_op_id: op_id };
    const { data } = await scene.post(scene.referee, '/v1/activities/sync', { ops: [scan, back] });
    expect(data.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['waiting', 'accepted']);
    await scene.record(climb);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });

  test('can be taken back for a day from when it was decided, however long it waited', async () => {
    const climb = makeClimb(60, 50 * 60);
    const op_id = randomUUID();
    const scanned = await scene.scanAt(scene.referee, climb, climb.ended_at + MINUTE_MS, { op_id });
    expect(scanned.data.outcome).toBe('waiting');
    await sql`update waiting_scans set received_at = received_at - interval '49 hours' where op_id = ${op_id}`.execute(
      scene.api.database,
    );
    await scene.record(climb);
    expect((await scene.readMine(climb.client_id)).status).toBe('validated');
    expect((await scene.readGiven(scene.referee)).items).toMatchObject([{ op_id, can_withdraw: true }]);
    expect((await scene.withdraw(scene.referee, climb, op_id)).status).toBe(200);
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });

  test('expires 14 days after it was made, however late it came', async () => {
    const climb = makeClimb(60, 3 * 24 * 60);
    const scanned_ms = climb.ended_at + MINUTE_MS;
    const op_id = randomUUID();
    expect((await scene.scanAt(scene.referee, climb, scanned_ms, { op_id })).data.outcome).toBe('waiting');
    const row = await scene.api.database
      .selectFrom('waiting_scans')
      .select('expires_at')
      .where('op_id', '=', op_id)
      .executeTakeFirst();
    expect(row?.expires_at.getTime()).toBe(scanned_ms + 14 * DAY_MS);
  });
});
