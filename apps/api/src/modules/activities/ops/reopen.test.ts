import { randomUUID } from 'node:crypto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

async function sync(ops: Op[], who = scene.athlete): Promise<OpResult[]> {
  return (await scene.post(who, '/v1/activities/sync', { ops })).data.results;
}

const reopenOf = ({ client_id }: Pick<Climb, 'client_id'>): Op => ({ kind: 'reopen', client_id, op_id: randomUUID() });
const finishOf = ({ client_id, ended_at }: Climb): Op => ({
  kind: 'finish',
  client_id,
  op_id: randomUUID(),
  ended_at: new Date(ended_at).toISOString(),
});

describe('taking a finish back', () => {
  test('of an activity that was never started, or is another athlete’s, is refused', async () => {
    const climb = makeClimb();
    expect(await sync([reopenOf(climb)])).toMatchObject([{ outcome: 'rejected', code: 'activity_not_found' }]);
    await scene.record(climb);
    const [refused] = await sync([reopenOf(climb)], scene.referee);
    expect(refused).toMatchObject({ outcome: 'rejected', code: 'activity_not_found' });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished' });
  });

  test.each([
    ['confirm', 'activity_already_validated', 'validated'],
    ['reject', 'activity_rejected', 'rejected'],
  ] as const)('that a referee decided about (%s) is refused', async (decision, code, status) => {
    const climb = makeClimb();
    await scene.record(climb);
    await scene.scanAt(scene.referee, climb, climb.ended_at + 30_000, { decision });
    const [refused] = await sync([reopenOf(climb)]);
    expect(refused).toMatchObject({ outcome: 'rejected', code, activity: { status } });
  });

  test('is refused also after the decision was withdrawn, and beside another one that runs', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const op_id = randomUUID();
    await scene.scanAt(scene.referee, climb, climb.ended_at + 30_000, { op_id });
    await scene.withdraw(scene.referee, climb, op_id);
    expect(await sync([reopenOf(climb)])).toMatchObject([{ code: 'activity_already_finished' }]);
    const [earlier, running] = [makeClimb(10, 200), randomUUID()];
    await scene.record(earlier);
    const at = { sport_center_id: scene.center, sport_type: 'climbing', started_at: new Date().toISOString() } as const;
    const results = await sync([{ kind: 'start', client_id: running, op_id: randomUUID(), ...at }, reopenOf(earlier)]);
    expect(results).toMatchObject([{ outcome: 'accepted' }, { code: 'activity_already_active' }]);
  });

  test('lets the activity run on, once however often it is sent, and it can be finished again', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const step = reopenOf(climb);
    const [first, ...others] = [...(await sync([step])), ...(await sync([step, step]))];
    const runs = { status: 'active', ended_at: null, distance_m: null, potential_points: 0, score: null };
    expect(first).toMatchObject({ outcome: 'accepted', activity: runs });
    expect(others.map(({ outcome }) => outcome)).toEqual(['duplicate', 'duplicate']);
    const ended_at = climb.ended_at + MINUTE_MS;
    const [finished] = await sync([finishOf({ ...climb, ended_at })]);
    expect(finished).toMatchObject({ outcome: 'accepted', activity: { ended_at: new Date(ended_at).toISOString() } });
    const proven = await scene.scanAt(scene.referee, { ...climb, ended_at }, ended_at);
    expect(proven.data.outcome).toBe('accepted');
  });

  test('that arrives late with its finish, and once more, is accepted each time', async () => {
    const climb = makeClimb(90, 30);
    await scene.record(climb);
    const again = { ...climb, ended_at: climb.ended_at + 10 * MINUTE_MS };
    const results = await sync([reopenOf(climb), finishOf(again), reopenOf(climb), finishOf(again)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(4).fill('accepted'));
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished' });
  });
});
