import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { QueuedOp } from '../store/records.ts';
import type { OutboxStore } from '../store/store.ts';
import { nextBatch, orderingKeyOf } from './batch.ts';
import { type DrainResult, drain, sendBackOffMs } from './drain.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';

let now = 1_800_000_000_000;
let store: OutboxStore;
let sent: Op[][];
let told: OpResult[];

beforeEach(async () => {
  now = 1_800_000_000_000;
  sent = [];
  told = [];
  ({ store } = await openStore({ now: () => now }));
});

function finish(client_id: string = crypto.randomUUID()): Op {
  return { kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at: '2026-11-21T10:45:00Z' };
}

function scan(client_id: string = crypto.randomUUID()): Op {
  const clock = { offset_ms: 0, age_ms: null };
  const about = { decision: 'confirm', scanned_at: '2026-11-21T10:46:00Z', clock, payload: 'A'.repeat(40) } as const;
  return { kind: 'scan', op_id: crypto.randomUUID(), client_id, ...about };
}

async function save(ops: Op[], user_id = ANA): Promise<void> {
  for (const op of ops) await store.saveOp(user_id, op);
}

type Answer = (op: Op) => Partial<OpResult>;

/** Runs a drain against a server with this answer to each op; the answer may throw. */
function run(
  answer: Answer = () => ({}),
  user_id = ANA,
  ports: Partial<Parameters<typeof drain>[0]> = {},
): Promise<DrainResult> {
  const send = async (ops: Op[]) => {
    sent.push(ops);
    return ops.map((op): OpResult => ({ op_id: op.op_id, outcome: 'accepted', ...answer(op) }));
  };
  const onResults = (results: OpResult[]) => void told.push(...results);
  return drain(
    {
      store,
      send,
      now: () => now,
      measureClock: async () => null,
      random: () => 0,
      onBegin: () => {},
      onResults,
      ...ports,
    },
    user_id,
  );
}

function failWith(status: number, backend_error: string | null = null): Answer {
  return () => {
    throw new ApiError({ code: status === 0 ? 'NETWORK_ERROR' : 'HTTP_ERROR', status, backend_error, message: 'no' });
  };
}

const idsOf = (ops: Op[]) => ops.map((op) => op.op_id);

describe('steps that must not be sent', () => {
  test("another user's steps are neither sent nor changed nor deleted", async () => {
    await save([finish(), finish()], BEN);
    const before = await store.listOps(BEN);
    expect(await run()).toEqual({ outcome: 'done', sent: 0, wait_ms: null });
    expect(sent).toEqual([]);
    expect(await store.listOps(BEN)).toEqual(before);
  });

  test('a held step waits, and so does everything after it in its line; a scan goes ahead', async () => {
    const [held, next, other] = [finish(), finish(), scan()];
    await store.saveOp(ANA, held, { hold_ms: 5000 });
    await save([next, other]);
    expect(await run()).toEqual({ outcome: 'done', sent: 1, wait_ms: 5000 });
    expect(sent.map(idsOf)).toEqual([[other.op_id]]);
    now += 5000;
    expect(await run()).toMatchObject({ outcome: 'done', sent: 2 });
    expect(idsOf(sent[1] ?? [])).toEqual([held.op_id, next.op_id]);
  });

  test('a device clock that was set back does not hold a step', async () => {
    const op = finish();
    await store.saveOp(ANA, op, { hold_ms: 5000 });
    now -= 86_400_000;
    expect(await run()).toMatchObject({ sent: 1 });
  });
});

describe('answers that are no success', () => {
  test('a refused step moves to dead with code and message, and the others are sent', async () => {
    const ops = [scan(), scan(), scan()];
    await save(ops);
    const bad = ops[1]?.op_id;
    await run((op) => (op.op_id === bad ? { outcome: 'rejected', code: 'code_expired', message: 'Too old' } : {}));
    const { dead, ops: left } = await store.listRows(ANA);
    expect(left).toEqual([]);
    expect(dead).toMatchObject([{ op_id: bad, code: 'code_expired', message: 'Too old', attempts: 0 }]);
    expect(told).toHaveLength(3);
  });

  test.each([0, 400, 408, 429, 500, 503, 404])(
    'after status %i every step is still there, counted and explained, whatever code a proxy gives',
    async (status) => {
      await save([finish()]);
      expect(await run(failWith(status, 'bad_request'))).toMatchObject({ outcome: 'failed', sent: 0 });
      expect(await store.listOps(ANA)).toMatchObject([{ attempts: 1 }]);
      expect((await store.listOps(ANA))[0]?.last_error).toBeTruthy();
      expect((await store.listRows(ANA)).dead).toEqual([]);
    },
  );

  test.each([401, 403])('status %i stops until the user has signed in, and counts as no attempt', async (status) => {
    await save([finish(), scan()]);
    expect(await run(failWith(status))).toEqual({ outcome: 'signed_out', sent: 0 });
    expect(await store.listOps(ANA)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  });

  test('a refusal for now ("too many") is tried again and never dead', async () => {
    await save([scan()]);
    await run(() => ({ outcome: 'rejected', code: 'too_many_requests', message: 'Slower' }));
    expect(await store.listRows(ANA)).toMatchObject({ dead: [], ops: [{ attempts: 1, last_error: 'Slower' }] });
  });

  test('fifty scans that are rate limited do not hold up the finish behind them', async () => {
    const own = finish();
    await save([...Array.from({ length: 50 }, () => scan()), own]);
    const end = await run(({ kind }) =>
      kind === 'scan' ? { outcome: 'rejected', code: 'too_many_requests', message: 'Slower' } : {},
    );
    expect(told.map((result) => result.op_id)).toEqual([own.op_id]);
    expect(await store.listOps(ANA)).toHaveLength(50);
    expect(sent).toHaveLength(2);
    expect(end.outcome).toBe('failed');
  });

  test('an answer that leaves a step out keeps that step', async () => {
    const [first, second] = [scan(), scan()];
    await save([first, second]);
    const send = async () => [{ op_id: first.op_id, outcome: 'accepted' as const }];
    expect(await run(undefined, ANA, { send })).toMatchObject({ outcome: 'failed' });
    expect(await store.listOps(ANA)).toMatchObject([{ op_id: second.op_id, attempts: 1 }]);
  });

  test('one step that spoils every batch is found, refused alone, and the other 49 arrive in order', async () => {
    const ops = Array.from({ length: 50 }, () => finish());
    await save(ops);
    const bad = ops[17]?.op_id ?? '';
    const answered: string[] = [];
    await run(undefined, ANA, {
      send: async (batch) => {
        if (batch.some((op) => op.op_id === bad)) {
          const refusal = { status: 400, backend_error: 'validation_failed', is_from_our_server: true };
          throw new ApiError({ code: 'HTTP_ERROR', message: 'Bad', ...refusal });
        }
        answered.push(...idsOf(batch));
        return batch.map((op) => ({ op_id: op.op_id, outcome: 'accepted' as const }));
      },
    });
    expect(answered).toEqual(idsOf(ops).filter((op_id) => op_id !== bad));
    expect((await store.listRows(ANA)).dead).toMatchObject([{ op_id: bad, code: 'validation_failed' }]);
  });

  test('a step that breaks the server holds up only steps of its own activity', async () => {
    const [poison, after, other] = [scan(), scan(), scan()];
    const behind = scan(poison.client_id);
    await save([poison, behind, after, other]);
    const end = await run((op) => (op.op_id === poison.op_id ? failWith(500)(op) : {}));
    expect(end).toMatchObject({ outcome: 'failed', sent: 2 });
    expect((await store.listOps(ANA)).map((op) => op.op_id)).toEqual([poison.op_id, behind.op_id]);
  });
});

describe('exactly once', () => {
  test('a crash between send and delete sends the same op ids again', async () => {
    const ops = [finish(), finish()];
    await save(ops);
    const crash = { ...store, applyResults: () => Promise.reject(new Error('killed')) };
    await expect(run(undefined, ANA, { store: crash })).rejects.toThrow('killed');
    await run(() => ({ outcome: 'duplicate' }));
    expect(sent.map(idsOf)).toEqual([idsOf(ops), idsOf(ops)]);
    expect(await store.pendingCount(ANA)).toBe(0);
  });

  test('120 steps leave in batches of 50, in the order they were saved', async () => {
    const ops = Array.from({ length: 120 }, () => finish());
    await save(ops);
    expect(await run()).toEqual({ outcome: 'done', sent: 120, wait_ms: null });
    expect(sent.map((batch) => batch.length)).toEqual([50, 50, 20]);
    expect(idsOf(sent.flat())).toEqual(idsOf(ops));
  });

  test('many steps that break the server are each tried once, however long it takes to answer', async () => {
    await save(Array.from({ length: 6 }, () => scan()));
    const send = async (ops: Op[]) => {
      sent.push(ops);
      now += 20_000;
      throw new ApiError({ code: 'HTTP_ERROR', status: 500 });
    };
    expect(await run(undefined, ANA, { send })).toMatchObject({ outcome: 'failed', sent: 0 });
    expect(new Set(idsOf(sent.filter(({ length }) => length === 1).flat())).size).toBe(6);
    expect(sent.filter(({ length }) => length === 1)).toHaveLength(6);
    expect(await store.pendingCount(ANA)).toBe(6);
  });

  test('against a server that fails at random every step arrives, in order within its line', async () => {
    const faults = fc.array(fc.constantFrom<number | null>(null, null, 0, 408, 500, 503, 429), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(faults, fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), async (script, lines) => {
        const user_id = crypto.randomUUID();
        const entities = [0, 1, 2, 3].map(() => crypto.randomUUID());
        const ops = lines.map((line) => (line === 0 ? finish() : scan(entities[line])));
        await save(ops, user_id);
        const taken = new Map<string, Op>();
        const send = async (batch: Op[]) => {
          const fault = script.pop() ?? null;
          // The worst case: a fault after the server has accepted the first op.
          const arrived = fault === null ? batch : batch.slice(0, 1);
          const outcomes = arrived.map((op) => (taken.has(op.op_id) ? ('duplicate' as const) : ('accepted' as const)));
          for (const op of arrived) taken.set(op.op_id, op);
          if (fault !== null) throw new ApiError({ code: fault === 408 ? 'TIMEOUT' : 'HTTP_ERROR', status: fault });
          return batch.map((op, index) => ({ op_id: op.op_id, outcome: outcomes[index] ?? ('accepted' as const) }));
        };
        for (let turn = 0; (await store.pendingCount(user_id)) > 0; turn += 1) {
          expect(turn).toBeLessThan(100);
          await run(undefined, user_id, { send });
        }
        expect(taken.size).toBe(ops.length);
        for (const line of new Set(ops.map(orderingKeyOf))) {
          const inLine = (op: Op) => orderingKeyOf(op) === line;
          expect(idsOf([...taken.values()].filter(inLine))).toEqual(idsOf(ops.filter(inLine)));
        }
      }),
      { numRuns: 30 },
    );
  });
});

test('a batch never has a step whose line has an earlier one that is kept back, or whose answer decides about it', () => {
  const op = fc.record({
    kind: fc.constantFrom<QueuedOp['kind']>('start', 'finish', 'scan'),
    client_id: fc.constantFrom('a', 'b', 'c'),
    hold_until: fc.constantFrom(null, 5, 15),
    resolves: fc.constantFrom(undefined, undefined, 'c'),
  });
  fc.assert(
    fc.property(
      fc.array(op),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('a', 'b', 'none'),
      (rows, limit, parked) => {
        const ops = rows.map((row, seq) => ({ ...row, seq, created_at: 0 }) as QueuedOp);
        const { ops: batch } = nextBatch(ops, 10, new Map([[`scan ${parked}`, 20]]), limit);
        const isKeptBack = (each: QueuedOp) => each.hold_until === 15 || orderingKeyOf(each) === `scan ${parked}`;
        const model = ops.filter(
          (each) =>
            !ops.some(
              (earlier) =>
                orderingKeyOf(earlier) === orderingKeyOf(each) &&
                ((earlier.seq <= each.seq && isKeptBack(earlier)) || (earlier.seq < each.seq && earlier.resolves)),
            ),
        );
        expect(batch).toEqual(model.slice(0, limit));
      },
    ),
  );
});

test('the wait doubles with every failure up to a minute, and half of it is chance', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map((failures) => sendBackOffMs(failures, 1))).toEqual([
    2000, 4000, 8000, 16000, 32000, 60000, 60000,
  ]);
  expect(sendBackOffMs(3, 0)).toBe(4000);
});
