import type { RefereeRight } from '@sendlap/contract/referees.ts';
import { expect, test } from 'vitest';
import { sampleCode, sampleScan } from '#test/unit/sample-code.ts';
import { precheckScan } from './precheck-scan.ts';

const MINUTE_MS = 60_000;
const right: RefereeRight = {
  sport_center_id: sampleCode().sport_center_id,
  sport_center_name: 'Roca 30',
  sport_types: ['climbing'],
  valid_until: null,
};
const referee = { public_id: 'ref', rights: [right], rights_fresh: true };
const base_ms = sampleScan().scanned.now_ms;

test('my own code is refused before anything else', () => {
  const late = sampleScan({}, { now_ms: base_ms + 60 * MINUTE_MS });
  expect(precheckScan(late, { ...referee, public_id: 'ana.bp', rights: [] })).toEqual({
    kind: 'stop',
    code: 'own_activity',
  });
});

test.each([30_001, -30_001])('a clock that was moved by %i ms is refused before the code is judged', (jump_ms) => {
  const moved = sampleScan({}, { clock: { offset_ms: 0, age_ms: 100, jump_ms } });
  expect(precheckScan(moved, referee)).toEqual({ kind: 'stop', code: 'clock_jumped' });
});

test.each([30_000, -30_000])('a clock that drifted by %i ms is still believed', (jump_ms) => {
  const drifted = sampleScan({}, { clock: { offset_ms: 0, age_ms: 100, jump_ms } });
  expect(precheckScan(drifted, referee)).toEqual({ kind: 'referee' });
});

test('a code is accepted one time step longer online, and two offline', () => {
  const after = (ms: number, online: boolean) =>
    precheckScan(sampleScan({}, { now_ms: base_ms + ms, online }), referee);
  expect(after(30_000, true)).toEqual({ kind: 'referee' });
  expect(after(60_000, true)).toEqual({ kind: 'stop', code: 'code_expired' });
  expect(after(60_000, false)).toEqual({ kind: 'referee' });
  expect(after(90_000, false)).toEqual({ kind: 'stop', code: 'code_expired' });
});

test('a clock that is wrong by a known offset is corrected before the code is judged', () => {
  const clock = { offset_ms: 10 * MINUTE_MS, age_ms: 5, jump_ms: 0 };
  const slow = sampleScan({}, { now_ms: base_ms - 10 * MINUTE_MS, clock });
  expect(precheckScan(slow, referee)).toEqual({ kind: 'referee' });
  const not_measured = sampleScan({}, { now_ms: base_ms - 10 * MINUTE_MS });
  expect(precheckScan(not_measured, referee)).toEqual({ kind: 'stop', code: 'code_expired' });
});

test('twelve hours after the end it is too late', () => {
  const ended_at = base_ms - 12 * 60 * MINUTE_MS - 3_000;
  const scan = sampleScan({ started_at: ended_at - 90 * MINUTE_MS, ended_at });
  expect(precheckScan(scan, referee)).toEqual({ kind: 'stop', code: 'validation_window_closed' });
});

test.each([
  ['at another center', [{ ...right, sport_center_id: '55555555-5555-4555-8555-555555555555' }]],
  ['that has ended', [{ ...right, valid_until: new Date(base_ms).toISOString() }]],
  ['nowhere', []],
])('with a right %s only a friend can confirm [spec 6.role.no-named]', (_, rights) => {
  for (const rights_fresh of [true, false]) {
    expect(precheckScan(sampleScan(), { ...referee, rights, rights_fresh })).toEqual({
      kind: 'peer',
      rights_fresh,
    });
  }
});

test('a right for another sport stops when the server said so, and is only doubted from an old copy', () => {
  const other = { ...referee, rights: [{ ...right, sport_types: ['swimming' as const] }] };
  const code = 'sport_not_refereed';
  expect(precheckScan(sampleScan(), other)).toEqual({ kind: 'stop', code });
  expect(precheckScan(sampleScan(), { ...other, rights_fresh: false })).toEqual({ kind: 'doubt', code });
});

test('without any copy of the rights the decision may still be recorded', () => {
  const unknown = { ...referee, rights: null, rights_fresh: false };
  expect(precheckScan(sampleScan(), unknown)).toEqual({ kind: 'doubt', code: 'rights_unknown' });
});

test('a referee of this center and sport may decide', () => {
  expect(precheckScan(sampleScan(), referee)).toEqual({ kind: 'referee' });
});
