import type { OpResult } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { sampleScan } from '#test/unit/sample-code.ts';
import type { QueuedOp } from '#web/shared/outbox/store/records.ts';
import { buildScanOp } from './scan-op.ts';
import { canScanAgain, deriveOutcome, type OutcomeInput } from './scan-outcome.ts';

const op_id = '66666666-6666-4666-8666-666666666666';
const payload = buildScanOp(sampleScan(), { kind: 'confirm', adjustment: {} }, { op_id, distance_class: 'unknown' });
const row = { op_id, client_id: payload.client_id, user_id: 'u', payload, kind: 'scan' as const };
const queued: QueuedOp = { ...row, seq: 1, created_at: 0, attempts: 0, last_error: null, hold_until: null };
const no_answer: OutcomeInput = {
  op_id,
  result: null,
  later_decision: null,
  rows: { ops: [], dead: [], waiting: [] },
  online: true,
  overdue: false,
};
const withAnswer = (outcome: OpResult['outcome'], code?: string): OutcomeInput => ({
  ...no_answer,
  result: { op_id, outcome, code, message: 'why' },
});

test('a refusal is shown with its code, by the answer or by the stored row', () => {
  const refused = { kind: 'refused', code: 'code_expired', message: 'why' };
  expect(deriveOutcome(withAnswer('rejected', 'code_expired'))).toEqual(refused);
  const dead = [
    { ...row, seq: 1, created_at: 0, attempts: 1, last_error: null, code: 'code_expired', message: 'why', died_at: 1 },
  ];
  expect(deriveOutcome({ ...no_answer, rows: { ...no_answer.rows, dead } })).toEqual(refused);
});

test('a scan without an answer, in no list, counts as being sent', () => {
  expect(deriveOutcome(no_answer)).toEqual({ kind: 'sending' });
});

test('an answer that is a repetition of the first one is a confirmation', () => {
  expect(deriveOutcome(withAnswer('accepted'))).toEqual({ kind: 'accepted', points: null });
  expect(deriveOutcome(withAnswer('duplicate'))).toEqual({ kind: 'accepted', points: null });
});

test('the points of the answer are shown: the code may be worth more than the day allows', () => {
  const { result } = withAnswer('accepted');
  const activity = { points: 441, potential_points: 883 } as OpResult['activity'];
  expect(deriveOutcome({ ...no_answer, result: result && { ...result, activity } })).toEqual({
    kind: 'accepted',
    points: 441,
  });
});

test('a scan that waits for the athlete differs from one that waits for this phone', () => {
  expect(deriveOutcome(withAnswer('waiting'))).toEqual({ kind: 'waiting' });
  const rows = { ...no_answer.rows, ops: [queued] };
  expect(deriveOutcome({ ...no_answer, rows, online: false })).toEqual({ kind: 'kept', reason: 'offline' });
  expect(deriveOutcome({ ...no_answer, rows })).toEqual({ kind: 'sending' });
});

test('a scan without an answer of the network is shown as saved on the phone', () => {
  const rows = { ...no_answer.rows, ops: [{ ...queued, attempts: 1, last_error: 'NETWORK_ERROR' }] };
  expect(deriveOutcome({ ...no_answer, rows })).toEqual({ kind: 'kept', reason: 'slow' });
  expect(deriveOutcome({ ...no_answer, overdue: true })).toEqual({ kind: 'kept', reason: 'slow' });
});

test('a later decision of the server about a scan that waited is the last one', () => {
  const waited = withAnswer('waiting');
  expect(deriveOutcome({ ...waited, later_decision: { outcome: 'accepted', code: null } })).toEqual({
    kind: 'accepted',
    points: null,
  });
  expect(deriveOutcome({ ...waited, later_decision: { outcome: 'rejected', code: 'activity_edited' } })).toEqual({
    kind: 'refused',
    code: 'activity_edited',
    message: '',
  });
  const overtaken = { ...withAnswer('accepted'), later_decision: { outcome: 'overtaken' as const, code: null } };
  expect(deriveOutcome(overtaken)).toEqual({ kind: 'overtaken' });
});

test('another scan is offered only where it may help', () => {
  expect(['pair_limit_reached', 'own_activity', 'validation_window_closed'].filter(canScanAgain)).toEqual([]);
  const may_help = ['code_expired', 'clock_jumped', 'activity_edited', 'a_code_of_tomorrow'];
  expect(may_help.filter(canScanAgain)).toEqual(may_help);
});
