import { Op } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { samplePayload, sampleScan } from '#test/unit/sample-code.ts';
import { buildScanOp, minutesOf, potentialScore } from './scan-op.ts';

const op_id = '66666666-6666-4666-8666-666666666666';
const op_fields = { op_id, distance_class: 'at' as const };

test('a confirmation carries the code, the raw time and the clock, and nothing about adjusting', () => {
  const scan = sampleScan({}, { clock: { offset_ms: -1500, age_ms: null, jump_ms: 0 }, online: false });
  const op = buildScanOp(scan, { kind: 'confirm', adjustment: {} }, op_fields);
  expect(Op.parse(op)).toMatchObject(op);
  expect(op).toEqual({
    kind: 'scan',
    op_id,
    client_id: scan.code.activity_id,
    payload: samplePayload(),
    decision: 'confirm',
    scanned_at: new Date(scan.scanned.now_ms).toISOString(),
    clock: { offset_ms: -1500, age_ms: null, jump_ms: 0 },
    recorded_offline: true,
    distance_class: 'at',
  });
});

test('a rejection carries its reason and no adjustment', () => {
  const op = buildScanOp(sampleScan(), { kind: 'reject', reason: '  was not here ' }, op_fields);
  expect(op).toMatchObject({ decision: 'reject', reason: 'was not here', recorded_offline: false });
  expect(op).not.toHaveProperty('adjust');
});

test('only the fields that the referee changes are sent', () => {
  const scan = sampleScan({ sport_type: 'swimming', distance_m: 2000 });
  const same = buildScanOp(scan, { kind: 'confirm', adjustment: { minutes: 90, distance_m: 2000 } }, op_fields);
  expect(same).not.toHaveProperty('adjust');
  const shorter = buildScanOp(scan, { kind: 'confirm', adjustment: { minutes: 60, distance_m: 1500 } }, op_fields);
  expect(shorter.adjust).toEqual({
    ended_at: new Date(scan.code.started_at + 60 * 60_000).toISOString(),
    distance_m: 1500,
  });
});

test('a referee who reduces the minutes leaves the pauses in the code as they are', () => {
  const scan = sampleScan({ paused_s: 1800 });
  expect([minutesOf(scan), potentialScore(scan, {}, { by_referee: true }).points]).toEqual([60, 236]);
  expect(potentialScore(scan, { minutes: 40 }, { by_referee: true }).minutes).toBe(40);
  const op = buildScanOp(scan, { kind: 'confirm', adjustment: { minutes: 40 } }, op_fields);
  expect(op.adjust).toEqual({ ended_at: new Date(scan.code.started_at + 70 * 60_000).toISOString() });
  const same = buildScanOp(scan, { kind: 'confirm', adjustment: { minutes: 60 } }, op_fields);
  expect(same).not.toHaveProperty('adjust');
});

test('hard counts when the referee states it, not when the athlete declares it', () => {
  const scan = sampleScan({ intensity: 'hard' });
  expect(potentialScore(scan, {}, { by_referee: true }).points).toBe(355);
  expect(potentialScore(scan, { intensity: 'hard' }, { by_referee: true }).points).toBe(395);
  const op = buildScanOp(scan, { kind: 'confirm', adjustment: { intensity: 'hard' } }, op_fields);
  expect(op.adjust).toEqual({ intensity: 'hard' });
});

test('an end can be moved forward only', () => {
  const scan = sampleScan();
  const op = buildScanOp(scan, { kind: 'confirm', adjustment: { minutes: 600 } }, op_fields);
  expect(op).not.toHaveProperty('adjust');
  expect(potentialScore(scan, { minutes: 600 }, { by_referee: true }).minutes).toBe(90);
});
