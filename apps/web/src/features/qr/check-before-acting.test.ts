import type { RefereeRight } from '@sendlap/contract/referees.ts';
import { expect, test } from 'vitest';
import { checkBeforeActing } from './check-before-acting.ts';
import { sampleCode, sampleScan } from './sample-code.ts';

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
  expect(checkBeforeActing(late, { ...referee, public_id: 'ana.bp', rights: [] })).toEqual({
    kind: 'stop',
    code: 'own_activity',
  });
});

test('online a code lives one step longer, offline two', () => {
  const after = (ms: number, online: boolean) =>
    checkBeforeActing(sampleScan({}, { now_ms: base_ms + ms, online }), referee);
  expect(after(30_000, true)).toEqual({ kind: 'clear' });
  expect(after(60_000, true)).toEqual({ kind: 'stop', code: 'code_expired' });
  expect(after(60_000, false)).toEqual({ kind: 'clear' });
  expect(after(90_000, false)).toEqual({ kind: 'stop', code: 'code_expired' });
});

test('a clock that is wrong by a known offset is corrected before the code is judged', () => {
  const clock = { offset_ms: 10 * MINUTE_MS, age_ms: 5 };
  const slow = sampleScan({}, { now_ms: base_ms - 10 * MINUTE_MS, clock });
  expect(checkBeforeActing(slow, referee)).toEqual({ kind: 'clear' });
  const not_measured = sampleScan({}, { now_ms: base_ms - 10 * MINUTE_MS });
  expect(checkBeforeActing(not_measured, referee)).toEqual({ kind: 'stop', code: 'code_expired' });
});

test('twelve hours after the end it is too late', () => {
  const ended_at = base_ms - 12 * 60 * MINUTE_MS - 3_000;
  const scan = sampleScan({ started_at: ended_at - 90 * MINUTE_MS, ended_at });
  expect(checkBeforeActing(scan, referee)).toEqual({ kind: 'stop', code: 'validation_window_closed' });
});

test.each([
  ['another center', { ...right, sport_center_id: '55555555-5555-4555-8555-555555555555' }, 'not_a_referee'],
  ['a right that has ended', { ...right, valid_until: new Date(base_ms).toISOString() }, 'not_a_referee'],
  ['another sport', { ...right, sport_types: ['swimming' as const] }, 'sport_not_refereed'],
])('%s stops when the server said so, and is only doubted from an old copy', (_, other, code) => {
  expect(checkBeforeActing(sampleScan(), { ...referee, rights: [other] })).toEqual({ kind: 'stop', code });
  const offline = { ...referee, rights: [other], rights_fresh: false };
  expect(checkBeforeActing(sampleScan(), offline)).toEqual({ kind: 'doubt', code });
});

test('without any copy of the rights the decision may still be recorded', () => {
  const unknown = { ...referee, rights: null, rights_fresh: false };
  expect(checkBeforeActing(sampleScan(), unknown)).toEqual({ kind: 'doubt', code: 'rights_unknown' });
});

test('a referee of this center and sport is clear', () => {
  expect(checkBeforeActing(sampleScan(), referee)).toEqual({ kind: 'clear' });
});
