import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SWIM_FACTS as facts, openStore } from '#test/unit/outbox-store.ts';
import { openOutboxDatabase } from './database.ts';
import { createOutboxStore, type OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const START_MS = Date.parse('2026-11-21T10:00:00Z');

let now = START_MS;
let freed = 0;
let changes = 0;
let database: Awaited<ReturnType<typeof openOutboxDatabase>>;
let store: OutboxStore;

type StartOp = Extract<Op, { kind: 'start' }>;

function start(client_id: string): StartOp {
  const { sport_center_id, sport_type, started_at } = facts;
  return { kind: 'start', op_id: crypto.randomUUID(), client_id, sport_center_id, sport_type, started_at };
}

function finish(client_id: string, distance_m = 1500): Extract<Op, { kind: 'finish' }> {
  return { kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at: '2026-11-21T10:45:00.000Z', distance_m };
}

beforeEach(async () => {
  now = START_MS;
  freed = 0;
  changes = 0;
  ({ database, store } = await openStore({
    now: () => now,
    freeSpace: async () => void freed++,
    onChange: () => void changes++,
  }));
});

/** Makes the next `times` writes of ops fail as on a full disk; deleting still works. */
function fillDisk(times: number): void {
  const real = database.transaction.bind(database);
  let left = times;
  database.transaction = ((...args: Parameters<typeof real>) => {
    if (args[1] === 'readwrite' && Array.from(args[0]).includes('ops') && left-- > 0)
      throw new DOMException('disk is full', 'QuotaExceededError');
    return real(...args);
  }) as typeof database.transaction;
}

describe('failures while saving', () => {
  test('a disk that stays full is reported and nothing counts as saved', async () => {
    fillDisk(99);
    await expect(store.saveOp(ANA, start(crypto.randomUUID()), { facts })).rejects.toMatchObject({
      name: 'OutboxError',
      code: 'storage_full',
    });
    expect(changes).toBe(0);
    expect(await store.pendingCount(ANA)).toBe(0);
  });

  test('a step that a full disk takes late has the clock of its own moment, though it was measured since', async () => {
    const moment = { wall_ms: START_MS, monotonic_ms: 0, page_id: 'page' };
    let is_measured = false;
    store = createOutboxStore({
      open: async () => database,
      now: () => now,
      newId: () => crypto.randomUUID(),
      clockNote: () => (is_measured ? null : { moment, before: null }),
      freeSpace: async () => {},
      onChange: () => {},
    });
    fillDisk(1);
    const saved = store.saveOp(ANA, start(crypto.randomUUID()), { facts });
    is_measured = true;
    now += 1_000;
    await saved;
    expect((await store.listRows(ANA)).ops).toMatchObject([{ clock: { moment }, created_at: START_MS }]);
  });

  test('a full disk frees the ballast first, then data that may be lost, and the step is saved', async () => {
    await database.put('ballast', new Blob(['ballast']), 'ballast');
    fillDisk(1);
    await store.saveOp(ANA, start(crypto.randomUUID()), { facts });
    expect(await database.count('ballast')).toBe(0);
    expect(freed).toBe(0);
    fillDisk(2);
    await store.saveOp(ANA, start(crypto.randomUUID()), { facts });
    expect(freed).toBe(1);
    expect(await store.pendingCount(ANA)).toBe(2);
  });

  test('a write waits for room that is freed late', async () => {
    fillDisk(6);
    await store.saveOp(ANA, start(crypto.randomUUID()), { facts });
    expect(await store.pendingCount(ANA)).toBe(1);
  });

  test('any other failure of the database is an error too', async () => {
    database.close();
    await expect(store.saveOp(ANA, start(crypto.randomUUID()))).rejects.toMatchObject({ code: 'storage_failed' });
  });
});

describe('steps', () => {
  test('the same step saved twice is saved once', async () => {
    const op = start(crypto.randomUUID());
    await store.saveOp(ANA, op, { facts });
    await store.saveOp(ANA, op, { facts });
    expect(await store.listOps(ANA)).toHaveLength(1);
  });

  test('a user sees only their own entries, in the order they were saved', async () => {
    const client_ids = Array.from({ length: 12 }, () => crypto.randomUUID());
    for (const client_id of client_ids) await store.saveOp(ANA, start(client_id), { facts });
    await store.saveOp(BEN, start(crypto.randomUUID()), { facts });
    expect((await store.listOps(ANA)).map((op) => op.client_id)).toEqual(client_ids);
    expect((await store.listRows(BEN)).activities).toHaveLength(1);
  });

  test('the local activity goes from pending to completed to synced, and says so by its priority [spec 4.offline-activity.pending, 4.offline-activity.completed, 4.offline-activity.synced, 3.offline-activity.id]', async () => {
    const client_id = crypto.randomUUID();
    const [begin, end] = [start(client_id), finish(client_id)];
    const look = async () => (await store.listRows(ANA)).activities.find((one) => one.client_id === client_id);
    await store.saveOp(ANA, begin, { facts });
    expect(await look()).toMatchObject({ status: 'pending', sync_priority: 1, ended_at: null });
    expect((await look())?.id).toMatch(/^offline_\d+_\w+$/);
    await store.saveOp(ANA, end);
    expect(await look()).toMatchObject({ status: 'completed', sync_priority: 2, distance_m: 1500 });
    await store.applyResults([{ op_id: begin.op_id, outcome: 'accepted' }]);
    expect(await look()).toMatchObject({ status: 'completed' });
    await store.applyResults([{ op_id: end.op_id, outcome: 'duplicate' }]);
    expect(await look()).toMatchObject({ status: 'synced', sync_priority: 0, ended_at: end.ended_at });
    expect(await store.pendingCount(ANA)).toBe(0);
  });

  test('an activity that began on another device is known here from its finish on', async () => {
    const client_id = crypto.randomUUID();
    await store.saveOp(ANA, finish(client_id), { facts });
    expect((await store.listRows(ANA)).activities[0]).toMatchObject({ client_id, status: 'completed' });
  });
});

test('lengths noted while it runs survive, also those of an activity that began elsewhere', async () => {
  const client_id = crypto.randomUUID();
  const draft = { intensity: 'easy', pool_length_m: 25, lengths: 7 } as const;
  await store.saveDraft(ANA, client_id, draft, facts);
  await store.saveDraft(ANA, client_id, { ...draft, lengths: 8 }, facts);
  const { activities, ops } = await store.listRows(ANA);
  expect(activities).toMatchObject([{ client_id, status: 'synced', draft: { ...draft, lengths: 8 } }]);
  expect(ops).toEqual([]);
});

test('a held step can not be taken back when its time is over, nor when it was never held', async () => {
  const client_id = crypto.randomUUID();
  const begin = start(client_id);
  await store.saveOp(ANA, begin, { facts });
  expect(await store.undoOp(begin.op_id)).toBe(false);
  const removal = { kind: 'delete', op_id: crypto.randomUUID(), client_id } as const;
  await store.saveOp(ANA, removal, { hold_ms: 5000 });
  now += 5000;
  expect(await store.undoOp(removal.op_id)).toBe(false);
  expect(await store.pendingCount(ANA)).toBe(2);
});

describe('refused steps', () => {
  test('move to dead with code and message and are not sent again by themselves', async () => {
    const op = start(crypto.randomUUID());
    await store.saveOp(ANA, op, { facts });
    await store.applyResults([{ op_id: op.op_id, outcome: 'rejected', code: 'activity_overlap', message: 'Overlaps' }]);
    const { ops, dead } = await store.listRows(ANA);
    expect(ops).toEqual([]);
    expect(dead).toMatchObject([{ op_id: op.op_id, user_id: ANA, code: 'activity_overlap', message: 'Overlaps' }]);
  });

  test('tried again they get new op ids and keep their order', async () => {
    const client_id = crypto.randomUUID();
    const [begin, end] = [start(client_id), finish(client_id)];
    await store.saveOp(ANA, begin, { facts });
    await store.saveOp(ANA, end);
    await store.applyResults(
      [end, begin].map(({ op_id }) => ({ op_id, outcome: 'rejected' as const, code: 'conflict' })),
    );
    await store.retryDead(BEN, client_id);
    expect(await store.pendingCount(ANA)).toBe(0);
    await store.retryDead(ANA, client_id);
    const { ops, dead } = await store.listRows(ANA);
    expect(dead).toEqual([]);
    expect(ops.map((op) => op.kind)).toEqual(['start', 'finish']);
    expect(ops.map((op) => op.payload.op_id)).toEqual(ops.map((op) => op.op_id));
    for (const op of ops) expect([begin.op_id, end.op_id]).not.toContain(op.op_id);
    const { op_id, ...rest } = begin;
    expect(ops[0]?.payload).toMatchObject(rest);
  });

  test('discarded they remove their activity with them, and no work of other activities', async () => {
    const client_id = crypto.randomUUID();
    const begin = start(client_id);
    await store.saveOp(ANA, begin, { facts });
    await store.saveOp(BEN, start(crypto.randomUUID()), { facts });
    await store.applyResults([{ op_id: begin.op_id, outcome: 'rejected', code: 'conflict' }]);
    await store.discardDead(ANA, client_id);
    expect(await store.listRows(ANA)).toEqual({
      ops: [],
      dead: [],
      waiting: [],
      activities: [],
      messages: [],
      accepted: [],
    });
    expect(await store.pendingCount(BEN)).toBe(1);
  });

  test('a waiting scan leaves the queue and stays noted for 14 days', async () => {
    const op: Op = {
      kind: 'scan',
      op_id: crypto.randomUUID(),
      client_id: crypto.randomUUID(),
      decision: 'confirm',
      scanned_at: '2026-11-21T10:46:00Z',
      clock: { offset_ms: 0, age_ms: null },
      payload: 'AAAAAAAAAAAAAAAAAAAA',
    };
    await store.saveOp(ANA, op);
    await store.applyResults([{ op_id: op.op_id, outcome: 'waiting' }]);
    expect(await store.listRows(ANA)).toMatchObject({ ops: [], dead: [], waiting: [{ op_id: op.op_id }] });
    now += 14 * 86_400_000;
    expect((await store.listRows(ANA)).waiting).toEqual([]);
  });
});

test('leaving with "discard" deletes all work of one user and none of another', async () => {
  for (const user_id of [ANA, BEN]) await store.saveOp(user_id, start(crypto.randomUUID()), { facts });
  await store.discardAll(ANA);
  expect(await store.listRows(ANA)).toEqual({
    ops: [],
    dead: [],
    waiting: [],
    activities: [],
    messages: [],
    accepted: [],
  });
  expect(await store.listRows(BEN)).toMatchObject({ ops: [{ user_id: BEN }], activities: [{ user_id: BEN }] });
});

test('after leaving only unsent entries are left', async () => {
  const [sent, refused, queued, counted] = [0, 1, 2, 3].map(() => start(crypto.randomUUID())) as [
    StartOp,
    StartOp,
    StartOp,
    StartOp,
  ];
  for (const op of [sent, refused, queued, counted]) await store.saveOp(ANA, op, { facts });
  await store.saveDraft(ANA, counted.client_id, { intensity: null, pool_length_m: 25, lengths: 3 }, facts);
  await store.applyResults([
    { op_id: sent.op_id, outcome: 'accepted' },
    { op_id: counted.op_id, outcome: 'accepted' },
    { op_id: refused.op_id, outcome: 'rejected', code: 'conflict' },
  ]);
  // The user is asked about these before a sign-out: a queued op, a refused one, noted lengths.
  expect([await store.countLocalOnly(ANA), await store.countLocalOnly(BEN)]).toEqual([3, 0]);
  await store.pruneSent({ keeps_copies: false });
  const { ops, dead, activities } = await store.listRows(ANA);
  expect(ops.map((op) => op.op_id)).toEqual([queued.op_id]);
  expect(dead.map((op) => op.op_id)).toEqual([refused.op_id]);
  const kept = [refused, queued, counted].map((op) => op.client_id);
  expect(activities.map((activity) => activity.client_id).sort()).toEqual(kept.sort());
});

test('every step outlives the page: a second connection finds it', async () => {
  const name = crypto.randomUUID();
  const make = async () => {
    const connection = await openOutboxDatabase(name, () => {});
    const deps = {
      now: () => now,
      newId: () => crypto.randomUUID(),
      clockNote: () => null,
      freeSpace: async () => {},
      onChange: () => {},
    };
    return { connection, store: createOutboxStore({ ...deps, open: async () => connection }) };
  };
  const first = await make();
  await first.store.saveOp(ANA, start(crypto.randomUUID()), { facts });
  first.connection.close();
  const second = await make();
  expect(await second.store.pendingCount(ANA)).toBe(1);
});
