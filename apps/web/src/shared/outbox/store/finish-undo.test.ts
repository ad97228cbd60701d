import 'fake-indexeddb/auto';
import type { Activity, Op } from '@sendlap/contract/activities.ts';
import { beforeEach, expect, test } from 'vitest';
import { SWIM_FACTS as facts, openStore } from '#test/unit/outbox-store.ts';
import type { OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const ENDED_AT = '2026-11-21T10:45:00.000Z';
const BEN = '22222222-2222-4222-8222-222222222222';

let now = 0;
let store: OutboxStore;

beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z');
  ({ store } = await openStore({ now: () => now }));
});

function start(client_id: string): Op {
  const { sport_center_id, sport_type, started_at } = facts;
  return { kind: 'start', op_id: crypto.randomUUID(), client_id, sport_center_id, sport_type, started_at };
}

function finish(client_id: string): Op {
  return { kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at: ENDED_AT, distance_m: 1500 };
}

const client_id = crypto.randomUUID();
const reopen = () => ({ kind: 'reopen', op_id: crypto.randomUUID(), client_id }) as const;
const kinds = async () => (await store.listOps(ANA)).map(({ kind }) => kind);
const local = async () => (await store.listRows(ANA)).activities.find((one) => one.client_id === client_id);

async function passTime(duration_ms: number): Promise<void> {
  now += duration_ms;
}

async function finishWithUndo() {
  const end = finish(client_id);
  await store.saveOp(ANA, start(client_id), { facts });
  await store.saveOp(ANA, end, { undo_ms: 5000 });
  return end;
}

test('a finish is not held back: an athlete who closes the app right after it has finished', async () => {
  const end = await finishWithUndo();
  expect((await store.listOps(ANA)).at(-1)).toMatchObject({ op_id: end.op_id, hold_until: null });
});

test.each([
  ['when its time is over', () => passTime(5000)],
  ['by a clock that was set back', () => passTime(-1)],
  ['once the athlete keeps it', () => store.finalizeFinishes(ANA)],
  ['once the athlete starts again', () => store.saveOp(ANA, start(crypto.randomUUID()), { facts })],
])('a finish is not taken back %s', async (_when, happens) => {
  await finishWithUndo();
  await happens();
  expect(await store.reopen(ANA, reopen(), facts)).toBe(false);
  expect(await kinds()).not.toContain('reopen');
  expect(await local()).toMatchObject({ ended_at: ENDED_AT });
});

test('a finish is not taken back by another user, nor twice', async () => {
  await finishWithUndo();
  expect(await store.reopen(BEN, reopen(), facts)).toBe(false);
  expect(await store.reopen(ANA, reopen(), facts)).toBe(true);
  expect(await store.reopen(ANA, reopen(), facts)).toBe(false);
  expect(await kinds()).toEqual(['start', 'finish', 'reopen']);
});

test('a finish taken back in time restores the activity, and reaches the server as a step of its own', async () => {
  const end = await finishWithUndo();
  await store.applyResults((await store.listOps(ANA)).map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })));
  now += 4999;
  expect(await store.reopen(ANA, reopen(), facts)).toBe(true);
  expect(await kinds()).toEqual(['reopen']);
  expect(await local()).toMatchObject({ status: 'pending', ended_at: null, distance_m: null, intensity: null });
  await store.saveOp(ANA, { ...end, op_id: crypto.randomUUID() }, { undo_ms: 5000 });
  expect(await kinds()).toEqual(['reopen', 'finish']);
});

test.each(['before', 'after'])(
  'that the server refuses %s it is taken back leaves nothing to correct',
  async (order) => {
    const end = await finishWithUndo();
    const refuse = () => store.applyResults([{ op_id: end.op_id, outcome: 'rejected', code: 'activity_overlap' }]);
    if (order === 'before') await refuse();
    expect(await store.reopen(ANA, reopen(), facts)).toBe(true);
    if (order === 'after') await refuse();
    expect((await store.listRows(ANA)).dead).toEqual([]);
    expect(await local()).toMatchObject({ ended_at: null });
  },
);

test('a finish that was confirmed first stays, and the refusal is kept to be seen', async () => {
  await finishWithUndo();
  const step = reopen();
  await store.reopen(ANA, step, facts);
  const activity = {
    client_id,
    ended_at: ENDED_AT,
    intensity: null,
    distance_m: 1500,
    status: 'validated',
  } as Activity;
  const outcome = { op_id: step.op_id, outcome: 'rejected', code: 'activity_already_validated', activity } as const;
  await store.applyResults([
    ...(await store.listOps(ANA)).slice(0, 2).map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })),
    outcome,
  ]);
  expect(await local()).toMatchObject({
    status: 'synced',
    ended_at: ENDED_AT,
    distance_m: 1500,
    server: { status: 'validated' },
  });
  expect((await store.listRows(ANA)).dead).toMatchObject([{ kind: 'reopen', code: 'activity_already_validated' }]);
});
