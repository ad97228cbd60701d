import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { OutboxStore } from '../store/store.ts';
import { type DrainDeps, type DrainResult, drain } from './drain.ts';

/** Times of a clock that is in doubt. */

const ANA = '11111111-1111-4111-8111-111111111111';
const HOUR_MS = 3_600_000;
const moment = { wall_ms: Date.parse('2026-11-21T10:45:00Z'), monotonic_ms: 0, page_id: 'a' };
const measurement = { ...moment, wall_ms: moment.wall_ms + HOUR_MS, page_id: 'b', offset_ms: -HOUR_MS };

let clock: ClockNote | null;
let store: OutboxStore;
let sent: Op[][];

beforeEach(async () => {
  clock = { moment, before: null };
  sent = [];
  ({ store } = await openStore({ now: () => moment.wall_ms, clockNote: () => clock }));
});

const finish = (): Op => ({
  kind: 'finish',
  op_id: crypto.randomUUID(),
  client_id: crypto.randomUUID(),
  ended_at: '2026-11-21T10:45:00Z',
});

async function save(ops: Op[]): Promise<void> {
  for (const op of ops) await store.saveOp(ANA, op);
}

const fail = () => Promise.reject(new ApiError({ code: 'NETWORK_ERROR', status: 0 }));

function run(
  ports: Pick<DrainDeps, 'measureClock'> & Partial<DrainDeps>,
  answer = async () => {},
): Promise<DrainResult> {
  const send = async (ops: Op[]) => {
    sent.push(ops);
    await answer();
    return ops.map((op): OpResult => ({ op_id: op.op_id, outcome: 'accepted' }));
  };
  const rest = { now: () => moment.wall_ms, random: () => 0, onBegin: () => {}, onResults: () => {} };
  return drain({ store, send, ...rest, ...ports }, ANA);
}

test('are not sent while the server cannot be asked; the error and a wait are noted', async () => {
  await save([finish()]);
  expect(await run({ measureClock: fail })).toMatchObject({ outcome: 'failed', sent: 0 });
  expect(sent).toEqual([]);
  expect(await store.listOps(ANA)).toMatchObject([{ attempts: 1, last_error: 'NETWORK_ERROR' }]);
});

test('are corrected before they are sent, once: after a cut reply the same op goes out again', async () => {
  await save([finish()]);
  await run({ measureClock: async () => measurement }, fail);
  await run({ measureClock: () => Promise.reject(new Error('measured again')) });
  expect(sent).toMatchObject([[{ ended_at: '2026-11-21T09:45:00.000Z' }], [{ ended_at: '2026-11-21T09:45:00.000Z' }]]);
  expect(sent[0]).toEqual(sent[1]);
});

test('also of an op that was saved during the sending', async () => {
  clock = null;
  await save([finish()]);
  const onBegin = () => {
    clock = { moment, before: null };
    void save([finish()]);
  };
  await run({ onBegin, measureClock: async () => measurement });
  await run({ measureClock: async () => measurement });
  expect(sent.flat()).toMatchObject([{ ended_at: '2026-11-21T10:45:00Z' }, { ended_at: '2026-11-21T09:45:00.000Z' }]);
});

describe('of an activity whose time cannot be known, and which the athlete deletes', () => {
  const client_id = crypto.randomUUID();
  const deletion: Op = { kind: 'delete', op_id: crypto.randomUUID(), client_id };
  let now: number;

  beforeEach(async () => {
    now = moment.wall_ms;
    ({ store } = await openStore({ now: () => now, clockNote: () => clock }));
    // An hour ahead since a time before the start, or after it.
    clock = { moment, before: { ...moment, wall_ms: moment.wall_ms - 2 * HOUR_MS, page_id: 'old', offset_ms: 0 } };
    const started_at = '2026-11-21T10:45:00Z';
    const swim = { sport_center_id: crypto.randomUUID(), sport_type: 'swimming' } as const;
    const facts = { ...swim, sport_center_name: 'Piscina', started_at, intensity: null };
    const start: Op = { kind: 'start', op_id: crypto.randomUUID(), client_id, ...swim, started_at };
    await store.saveOp(ANA, start, { facts });
    await store.saveOp(ANA, deletion, { hold_ms: 5_000 });
    expect(await run({ now: () => now, measureClock: async () => measurement })).toMatchObject({ wait_ms: 5_000 });
  });

  test('nothing is sent until the deletion can no longer be undone', async () => {
    expect(sent).toEqual([]);
    now += 5_000;
    await run({ now: () => now, measureClock: async () => measurement });
    expect(sent.flat().map(({ kind }) => kind)).toEqual(['start', 'delete']);
  });

  test('the athlete is asked when it was once the deletion is undone', async () => {
    expect(await store.undoOp(deletion.op_id)).toBe(true);
    await run({ now: () => now, measureClock: async () => measurement });
    expect(sent).toEqual([]);
    expect((await store.listRows(ANA)).dead).toMatchObject([{ kind: 'start', code: 'clock_unsure' }]);
  });
});
