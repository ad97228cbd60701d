import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventWriter } from '#api/events/events.ts';
import { buildTestApp } from '#test/app/app.ts';
import { makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';
import { createScanExpiry } from './scan-expiry.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

async function waiting(expires_in_ms: number) {
  const climb = makeClimb();
  const scan = scanOf(scene.codeOf(climb).payload, { recorded_offline: true });
  expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).status).toBe(202);
  await scene.api.database
    .updateTable('waiting_scans')
    .set({ expires_at: new Date(Date.now() + expires_in_ms) })
    .where('op_id', '=', scan.op_id)
    .execute();
  return { climb, scan };
}

const isWaiting = async (op_id: string) =>
  (await scene.api.database.selectFrom('waiting_scans').select('op_id').where('op_id', '=', op_id).execute()).length >
  0;

const job = () => {
  const { database } = scene.api;
  const events = createEventWriter(database);
  return createScanExpiry({ database, events, now: () => new Date(), log: { warn() {} } });
};

test('a scan that can still be joined stays', async () => {
  const { climb, scan } = await waiting(60_000);
  expect(await job().run()).toBe(0);
  await scene.record(climb);
  expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'validated' });
  expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).data.outcome).toBe('duplicate');
});

test('a scan whose activity never came is removed and refused, and its scanner gets one event', async () => {
  const { climb, scan } = await waiting(-1000);
  const other = await waiting(60_000);
  expect(await job().run()).toBe(1);
  expect(await job().run()).toBe(0);
  expect(await isWaiting(scan.op_id)).toBe(false);
  expect(await isWaiting(other.scan.op_id)).toBe(true);
  expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).code).toBe('scan_too_old');
  const told = (await scene.readEvents(scene.referee)).filter(({ type }) => type === 'scan_decided');
  expect(told).toEqual([{ type: 'scan_decided', op_id: scan.op_id, outcome: 'rejected', code: 'scan_too_old' }]);
  await scene.record(climb);
  const mine = await scene.readMine(climb.client_id);
  expect(mine).toMatchObject({ status: 'finished', points: 0 });
  expect(mine.proofs).toMatchObject([{ outcome: 'refused', code: 'scan_too_old' }]);
});

test('it happens at the start of the app', async () => {
  const { scan } = await waiting(-1000);
  const node = await buildTestApp({ database_url: scene.api.database_url });
  try {
    await expect.poll(() => isWaiting(scan.op_id)).toBe(false);
  } finally {
    await node.close();
  }
});
