import 'fake-indexeddb/auto';
import type { Activity, Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SWIM_FACTS as facts, openStore } from '#test/unit/outbox-store.ts';
import { drain } from '../send/drain.ts';
import type { OutboxDatabase } from './database.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const START_MS = Date.parse('2026-11-21T10:00:00Z');
const HOUR_MS = 3_600_000;

let now = START_MS;
let clock: ClockNote | null = null;
let database: OutboxDatabase;
let store: OutboxStore;

const client_id = '22222222-2222-4222-8222-222222222222';
const about = () => ({ op_id: crypto.randomUUID(), client_id });

const startOp = (): Op => ({
  kind: 'start',
  ...about(),
  sport_center_id: facts.sport_center_id,
  sport_type: 'swimming',
  started_at: facts.started_at,
});
const finishOp = (): Op => ({ kind: 'finish', ...about(), ended_at: '2026-11-21T10:45:00.000Z' });
const editOp = (): Op => ({ kind: 'edit', ...about(), edited_at: '2026-11-21T11:00:00.000Z', distance_m: 1000 });
const deleteOp = (): Op => ({ kind: 'delete', ...about() });
const scanOp = (): Op => ({
  kind: 'scan',
  ...about(),
  decision: 'confirm',
  scanned_at: '2026-11-21T11:00:00.000Z',
  clock: { offset_ms: 0, age_ms: null },
  payload: 'A'.repeat(40),
});

beforeEach(async () => {
  now = START_MS;
  clock = null;
  ({ database, store } = await openStore({ now: () => now, clockNote: () => clock }));
});

async function save(...ops: Op[]): Promise<void> {
  for (const op of ops) await store.saveOp(ANA, op, { facts });
}

const refuse = (op: Op, code = 'activity_overlap') =>
  store.applyResults([{ op_id: op.op_id, outcome: 'rejected', code, message: 'no' }]);

test('a local activity has the fields of the spec, in a store of its own [spec 3.offline-activity.fields, 3.store.activities]', async () => {
  await save(startOp());
  const [kept] = await database.getAll('activities');
  expect(kept).toMatchObject({
    sport_center_id: facts.sport_center_id,
    user_id: ANA,
    sport_type: 'swimming',
    started_at: facts.started_at,
    ended_at: null,
    status: 'pending',
    sync_priority: 1,
    created_at: new Date(START_MS).toISOString(),
  });
  expect(kept?.id).toMatch(/^offline_/);
});

describe('a correction that the server refused', () => {
  test('is discarded without its activity', async () => {
    const [begin, end, edit] = [startOp(), finishOp(), editOp()];
    await save(begin, end, edit);
    await store.applyResults([begin, end].map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })));
    await refuse(edit);
    await store.discardDead(ANA, client_id);
    const { activities, dead } = await store.listRows(ANA);
    expect([activities.length, dead.length]).toEqual([1, 0]);
  });
});

describe('a deletion', () => {
  test('can be taken back while it is held, without another change', async () => {
    await save(startOp(), finishOp());
    const before = await store.listRows(ANA);
    const remove = deleteOp();
    await store.saveOp(ANA, remove, { facts, hold_ms: 5000 });
    expect((await store.listRows(ANA)).ops.at(-1)).toMatchObject({ kind: 'delete', hold_until: now + 5000 });
    expect(await store.undoOp(remove.op_id)).toBe(true);
    expect(await store.listRows(ANA)).toEqual(before);
  });

  test('can not be taken back when its time is over', async () => {
    const remove = deleteOp();
    await store.saveOp(ANA, remove, { facts, hold_ms: 5000 });
    now += 5000;
    expect(await store.undoOp(remove.op_id)).toBe(false);
    expect(await store.pendingCount(ANA)).toBe(1);
  });

  test('that the server took forgets the activity here', async () => {
    const ops = [startOp(), finishOp(), deleteOp()];
    await save(...ops);
    await store.applyResults(ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })));
    expect(await store.listRows(ANA)).toEqual({
      ops: [],
      dead: [],
      waiting: [],
      activities: [],
      messages: [],
      accepted: [],
    });
  });
});

test('refused steps go out again with the times that the athlete gives, and the activity shows them', async () => {
  const [begin, end] = [startOp(), finishOp()];
  await save(begin, end);
  await refuse(begin);
  await refuse(end);
  const times = { started_at: '2026-11-21T10:10:00.000Z', ended_at: '2026-11-21T10:30:00.000Z' };
  await store.retryDead(ANA, client_id, times);
  const { ops, activities } = await store.listRows(ANA);
  expect(ops.map((op) => op.payload)).toMatchObject([
    { kind: 'start', started_at: times.started_at },
    { kind: 'finish', ended_at: times.ended_at },
  ]);
  expect(activities[0]).toMatchObject(times);
});

/** Sends everything to a server that accepts it. Returns the ops that arrived. */
async function sendAll(measurement: ClockMeasurement | null): Promise<Op[]> {
  const sent: Op[] = [];
  const send = async (ops: Op[]) => {
    sent.push(...ops);
    return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' as const }));
  };
  const clocks = { now: () => now, measureClock: async () => measurement, random: () => 0 };
  await drain({ store, send, ...clocks, onBegin: () => {}, onResults: () => {} }, ANA);
  return sent;
}

test('times of a clock that was never compared are put right before they leave', async () => {
  clock = { moment: { wall_ms: Date.parse('2026-11-21T10:45:00Z'), monotonic_ms: 0, page_id: 'a' }, before: null };
  await save(finishOp());
  const measurement = { wall_ms: Date.parse('2026-11-21T10:50:00Z'), monotonic_ms: 0, page_id: 'b', offset_ms: 60_000 };
  expect(await sendAll(measurement)).toMatchObject([{ ended_at: '2026-11-21T10:46:00.000Z' }]);
});

test('a finished activity is sent before the one that runs, and both are sent [spec 4.offline-activity.which, 4.offline-activity.order]', async () => {
  await save(startOp(), finishOp(), { ...startOp(), client_id: '33333333-3333-4333-8333-333333333333' } as Op);
  const { activities } = await store.listRows(ANA);
  const priorities = new Map(activities.map((activity) => [activity.client_id, activity.sync_priority]));
  expect((await sendAll(null)).map((op) => priorities.get(op.client_id))).toEqual([2, 2, 1]);
  expect(await store.pendingCount(ANA)).toBe(0);
});

describe('a scan that waited on the server', () => {
  async function waitingScan(): Promise<Op> {
    const scan = scanOp();
    await save(scan);
    await store.applyResults([{ op_id: scan.op_id, outcome: 'waiting' }]);
    return scan;
  }

  test('and was refused there is kept to be seen, with the reason', async () => {
    const scan = await waitingScan();
    await store.applyScanDecision({ op_id: scan.op_id, outcome: 'rejected', code: 'code_expired' });
    expect(await store.listRows(ANA)).toMatchObject({
      waiting: [],
      dead: [{ op_id: scan.op_id, code: 'code_expired' }],
    });
  });

  test('and counts now is noted no longer; news of an unknown scan change nothing', async () => {
    const scan = await waitingScan();
    await store.applyScanDecision({ op_id: crypto.randomUUID(), outcome: 'rejected', code: 'code_expired' });
    expect((await store.listRows(ANA)).waiting).toHaveLength(1);
    await store.applyScanDecision({ op_id: scan.op_id, outcome: 'accepted', code: null });
    expect(await store.listRows(ANA)).toMatchObject({ waiting: [], dead: [] });
  });

  test('is asked about again with the same op id, and stays noted from when it was first', async () => {
    const scan = await waitingScan();
    now += HOUR_MS;
    expect(await store.requeueWaitingScans(ANA)).toBe(true);
    expect(await store.requeueWaitingScans(ANA)).toBe(false);
    expect(await store.listRows(ANA)).toMatchObject({ ops: [{ payload: scan }], waiting: [] });
    await store.applyResults([{ op_id: scan.op_id, outcome: 'waiting' }]);
    expect(await store.listRows(ANA)).toMatchObject({ ops: [], waiting: [{ noted_at: START_MS }] });
    await store.requeueWaitingScans(ANA);
    await store.applyResults([{ op_id: scan.op_id, outcome: 'duplicate' }]);
    expect(await store.listRows(ANA)).toMatchObject({ ops: [], waiting: [], dead: [] });
  });

  test('is noted no longer once its scanner took it back', async () => {
    const scan = await waitingScan();
    const withdraw: Op = { kind: 'withdraw', ...about(), scan_op_id: scan.op_id };
    await save(withdraw);
    await store.applyResults([{ op_id: withdraw.op_id, outcome: 'accepted' }]);
    expect(await store.listRows(ANA)).toMatchObject({ ops: [], waiting: [] });
  });
});

test("the server's copy of a corrected activity is stored for times without network", async () => {
  const [begin, end, edit] = [startOp(), finishOp(), editOp()];
  await save(begin, end, edit);
  await store.applyResults([begin, end].map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })));
  const activity = { client_id, distance_m: 1000 } as Activity;
  await store.applyResults([{ op_id: edit.op_id, outcome: 'accepted', activity }]);
  expect((await store.listRows(ANA)).activities[0]).toMatchObject({ status: 'synced', server: { distance_m: 1000 } });
});

describe('the deletion of an activity that the server never had', () => {
  test('deletes the rest of it here, and keeps nothing to send again', async () => {
    const [start, deletion] = [startOp(), deleteOp()];
    await save(start);
    await refuse(start, 'activity_already_active');
    await save(deletion);
    await refuse(deletion, 'activity_not_found');
    const { ops, dead, activities } = await store.listRows(ANA);
    expect([ops, dead, activities]).toEqual([[], [], []]);
  });

  test('that is refused for another reason stays visible', async () => {
    const deletion = deleteOp();
    await save(startOp(), deletion);
    await refuse(deletion, 'activity_already_validated');
    expect((await store.listRows(ANA)).dead.map(({ kind }) => kind)).toEqual(['delete']);
  });
});

test('a start makes a deletion final, so that no undo lets two activities run', async () => {
  const deletion = deleteOp();
  await save(startOp());
  await store.saveOp(ANA, deletion, { facts, hold_ms: 5_000 });
  const next = { ...startOp(), client_id: crypto.randomUUID() };
  await save(next);
  expect(await store.undoOp(deletion.op_id)).toBe(false);
  expect((await store.listOps(ANA)).map(({ kind, hold_until }) => [kind, hold_until])).toEqual([
    ['start', null],
    ['delete', null],
    ['start', null],
  ]);
});
