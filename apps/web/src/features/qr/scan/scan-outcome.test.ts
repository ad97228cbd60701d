import type { OpResult } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { sampleScan } from '#test/unit/sample-code.ts';
import type { QueuedOp } from '#web/shared/outbox/store/records.ts';
import { buildScanOp } from './scan-op.ts';
import { mayScanAgain, type OutcomeFacts, outcomeOf } from './scan-outcome.ts';

const op_id = '66666666-6666-4666-8666-666666666666';
const payload = buildScanOp(sampleScan(), { kind: 'confirm', adjustment: {} }, { op_id, distance_class: 'unknown' });
const row = { op_id, client_id: payload.client_id, user_id: 'u', payload, kind: 'scan' as const };
const queued: QueuedOp = { ...row, seq: 1, created_at: 0, attempts: 0, last_error: null, hold_until: null };
const nothing: OutcomeFacts = {
  op_id,
  result: null,
  late_word: null,
  rows: { ops: [], dead: [], waiting: [] },
  online: true,
  overdue: false,
};
const answered = (outcome: OpResult['outcome'], code?: string): OutcomeFacts => ({
  ...nothing,
  result: { op_id, outcome, code, message: 'why' },
});

test('a refusal is told with its code, by the answer or by the row that was kept', () => {
  const refused = { kind: 'refused', code: 'code_expired', message: 'why' };
  expect(outcomeOf(answered('rejected', 'code_expired'))).toEqual(refused);
  const dead = [
    { ...row, seq: 1, created_at: 0, attempts: 1, last_error: null, code: 'code_expired', message: 'why', died_at: 1 },
  ];
  expect(outcomeOf({ ...nothing, rows: { ...nothing.rows, dead } })).toEqual(refused);
});

test('a step that is not in any list is not called confirmed without an answer', () => {
  expect(outcomeOf(nothing)).toEqual({ kind: 'sending' });
});

test('an answer that is a repetition of the first one is a confirmation', () => {
  expect(outcomeOf(answered('accepted'))).toEqual({ kind: 'accepted', points: null });
  expect(outcomeOf(answered('duplicate'))).toEqual({ kind: 'accepted', points: null });
});

test('points are those of the answer: what the code is worth may be more than the day allows', () => {
  const { result } = answered('accepted');
  const activity = { points: 441, potential_points: 883 } as OpResult['activity'];
  expect(outcomeOf({ ...nothing, result: result && { ...result, activity } })).toEqual({
    kind: 'accepted',
    points: 441,
  });
});

test('a scan that waits for the athlete is told apart from one that waits for this phone', () => {
  expect(outcomeOf(answered('waiting'))).toEqual({ kind: 'waiting' });
  const rows = { ...nothing.rows, ops: [queued] };
  expect(outcomeOf({ ...nothing, rows, online: false })).toEqual({ kind: 'kept', reason: 'offline' });
  expect(outcomeOf({ ...nothing, rows })).toEqual({ kind: 'sending' });
});

test('with a network that answers nothing the referee is not left waiting', () => {
  const rows = { ...nothing.rows, ops: [{ ...queued, attempts: 1, last_error: 'NETWORK_ERROR' }] };
  expect(outcomeOf({ ...nothing, rows })).toEqual({ kind: 'kept', reason: 'slow' });
  expect(outcomeOf({ ...nothing, overdue: true })).toEqual({ kind: 'kept', reason: 'slow' });
});

test('the later word of the server about a scan that waited is the last one', () => {
  const waited = answered('waiting');
  expect(outcomeOf({ ...waited, late_word: { outcome: 'accepted', code: null } })).toEqual({
    kind: 'accepted',
    points: null,
  });
  expect(outcomeOf({ ...waited, late_word: { outcome: 'rejected', code: 'activity_edited' } })).toEqual({
    kind: 'refused',
    code: 'activity_edited',
    message: '',
  });
  const overtaken = { ...answered('accepted'), late_word: { outcome: 'overtaken' as const, code: null } };
  expect(outcomeOf(overtaken)).toEqual({ kind: 'overtaken' });
});

test('another scan is offered only where it may help', () => {
  expect(['pair_limit_reached', 'own_activity', 'validation_window_closed'].filter(mayScanAgain)).toEqual([]);
  const may_help = ['code_expired', 'clock_jumped', 'activity_edited', 'a_code_of_tomorrow'];
  expect(may_help.filter(mayScanAgain)).toEqual(may_help);
});
