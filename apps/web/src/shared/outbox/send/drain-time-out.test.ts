import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { OutboxStore } from '../store/store.ts';
import { type DrainResult, drain } from './drain.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const TIME_OUT_MS = 10_000;

let now: number;
let store: OutboxStore;
let batches: Op[][];
/** Ids of the ops that the server has, in their order. */
let accepted: string[];

beforeEach(async () => {
  now = 1_800_000_000_000;
  batches = [];
  accepted = [];
  ({ store } = await openStore({ now: () => now }));
});

async function saveFinishes(count: number): Promise<string[]> {
  const saved = Array.from({ length: count }, () => ({
    kind: 'finish' as const,
    op_id: crypto.randomUUID(),
    client_id: crypto.randomUUID(),
    ended_at: '2026-11-21T10:45:00Z',
  }));
  for (const op of saved) await store.saveOp(ANA, op);
  return saved.map(({ op_id }) => op_id);
}

interface Line {
  /** How many ops arrive within the time-out. */
  capacity: number;
  /** The ops arrive, but the reply is late. */
  is_reply_late?: boolean;
  /** What each request takes besides. */
  delay_ms?: number;
  error?: ApiError;
}

const TIMEOUT = new ApiError({ code: 'TIMEOUT', status: 408 });

function run({ capacity, is_reply_late = false, delay_ms = 0, error = TIMEOUT }: Line): Promise<DrainResult> {
  const send = async (ops: Op[]) => {
    batches.push(ops);
    const duration_ms = delay_ms + (ops.length / capacity) * TIME_OUT_MS;
    const is_late = duration_ms > TIME_OUT_MS;
    now += Math.min(duration_ms, TIME_OUT_MS);
    const results = is_late && !is_reply_late ? [] : ops.map(receive);
    if (is_late) throw error;
    return results;
  };
  const clocks = { now: () => now, measureClock: async () => null, random: () => 0 };
  return drain({ store, send, ...clocks, onBegin: () => {}, onResults: () => {} }, ANA);
}

function receive({ op_id }: Op): OpResult {
  const outcome = accepted.includes(op_id) ? 'duplicate' : 'accepted';
  if (outcome === 'accepted') accepted.push(op_id);
  return { op_id, outcome };
}

const sizes = () => batches.map((batch) => batch.length);

describe('a line that carries only a part of a batch within the time-out', () => {
  test.each([1, 3, 6, 10, 20, 49])(
    'with %i ops, all arrive in order after at most three time-outs',
    async (capacity) => {
      const op_ids = await saveFinishes(50);
      for (let turn = 1; (await run({ capacity })).outcome !== 'done'; turn += 1) expect(turn).toBeLessThan(4);
      expect(accepted).toEqual(op_ids);
    },
  );

  test('loses its replies: the ops are sent again, and count once', async () => {
    const op_ids = await saveFinishes(50);
    for (let turn = 1; (await run({ capacity: 10, is_reply_late: true })).outcome !== 'done'; turn += 1)
      expect(turn).toBeLessThan(4);
    expect(batches.flat().length).toBeGreaterThan(50);
    expect(accepted).toEqual(op_ids);
  });
});

describe('a dead network', () => {
  test('is asked once a drain, after the same waits as ever', async () => {
    await saveFinishes(50);
    const waits_ms: unknown[] = [];
    for (let turn = 0; turn < 6; turn += 1) waits_ms.push(await run({ capacity: 0 }));
    const failed = (wait_ms: number) => ({ outcome: 'failed', sent: 0, wait_ms });
    expect(waits_ms).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000].map(failed));
    expect(batches).toHaveLength(6);
  });

  test('that returns gets batches that grow from one op to the full size', async () => {
    await saveFinishes(100);
    for (let turn = 0; turn < 6; turn += 1) await run({ capacity: 0 });
    batches = [];
    expect(await run({ capacity: 1000 })).toMatchObject({ outcome: 'done', sent: 100 });
    expect(sizes()).toEqual([1, 2, 4, 8, 16, 32, 37]);
    batches = [];
    await saveFinishes(50);
    await run({ capacity: 1000 });
    expect(sizes()).toEqual([50]);
  });

  test('on a line that is slow for a batch of any size needs few requests, too', async () => {
    await saveFinishes(50);
    for (let turn = 0; turn < 6; turn += 1) await run({ capacity: 0 });
    batches = [];
    expect(await run({ capacity: 1000, delay_ms: 3_500 })).toMatchObject({ outcome: 'done', sent: 50 });
    expect(sizes()).toEqual([1, 2, 4, 8, 16, 19]);
  });
});

test.each([
  ['a network that fails at once', new ApiError({ code: 'NETWORK_ERROR', status: 0 })],
  ['a busy server', new ApiError({ code: 'HTTP_ERROR', status: 503 })],
])('%s makes no batch smaller', async (_name, error) => {
  await saveFinishes(50);
  await run({ capacity: 0, error });
  await run({ capacity: 1000 });
  expect(sizes()).toEqual([50, 50]);
});
