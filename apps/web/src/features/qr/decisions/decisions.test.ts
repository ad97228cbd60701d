import type { Op } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { sampleScan } from '#test/unit/sample-code.ts';
import type { DeadOp, QueuedOp, WaitingScan } from '#web/shared/outbox/store/records.ts';
import { buildScanOp } from '../scan/scan-op.ts';
import { localDecisions, withdrawalState } from './decisions.ts';

const scanAt = (op_id: string, now_ms: number) =>
  buildScanOp(sampleScan({}, { now_ms }), { kind: 'confirm', adjustment: {} }, { op_id, distance_class: 'unknown' });
const withdraw = (scan_op_id: string): Op => ({
  kind: 'withdraw',
  op_id: `w-${scan_op_id}`,
  client_id: 'a',
  scan_op_id,
});

function queued(payload: Op): QueuedOp {
  const { op_id, client_id, kind } = payload;
  const row = { seq: 1, op_id, client_id, user_id: 'u', kind, payload, created_at: 0 };
  return { ...row, attempts: 0, last_error: null, hold_until: null };
}
const dead = (payload: Op): DeadOp => ({ ...queued(payload), code: 'code_expired', message: 'why', died_at: 1 });
function waiting(payload: Op): WaitingScan {
  return { op_id: payload.op_id, client_id: payload.client_id, user_id: 'u', payload, noted_at: 1 };
}

test('steps of my own activities are no decisions', () => {
  const finish: Op = { kind: 'finish', op_id: 'f', client_id: 'a', ended_at: '2026-11-21T10:00:00Z' };
  expect(localDecisions({ ops: [queued(finish)], dead: [dead(finish)], waiting: [] })).toEqual([]);
});

test('unsent, waiting and refused decisions are listed, the newest first', () => {
  const rows = {
    ops: [queued(scanAt('sent', 2_000))],
    waiting: [waiting(scanAt('waits', 3_000))],
    dead: [dead(scanAt('refused', 1_000))],
  };
  expect(localDecisions(rows).map(({ op, state, refusal }) => [op.op_id, state, refusal?.code])).toEqual([
    ['waits', 'waiting', undefined],
    ['sent', 'queued', undefined],
    ['refused', 'refused', 'code_expired'],
  ]);
});

test('a waiting scan that is checked again is listed once', () => {
  const scan = scanAt('waits', 3_000);
  const rows = { ops: [queued(scan)], waiting: [waiting(scan)], dead: [] };
  expect(localDecisions(rows).map(({ op, state }) => [op.op_id, state])).toEqual([['waits', 'waiting']]);
});

test('a decision is being taken back from the press on, and says so when that was refused', () => {
  expect(withdrawalState('s', { ops: [], dead: [], waiting: [] })).toBeNull();
  expect(withdrawalState('s', { ops: [queued(withdraw('other'))], dead: [], waiting: [] })).toBeNull();
  expect(withdrawalState('s', { ops: [queued(withdraw('s'))], dead: [], waiting: [] })).toBe('queued');
  expect(withdrawalState('s', { ops: [], dead: [dead(withdraw('s'))], waiting: [] })).toMatchObject({
    code: 'code_expired',
  });
});
