import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIVITY_TIME_STEP_MS, timeStepAt } from './qr-code.ts';
import {
  type ActivityScan,
  ASK_END_AFTER_MS,
  checkActivityScan,
  confirmableUntil,
  MAX_ACTIVITY_DURATION_MS,
  VALIDATION_WINDOW_MS,
} from './scan-checks.ts';

const HOUR_MS = 3_600_000;
/** The beginning of a time step. */
const NOW = 59_851_350 * ACTIVITY_TIME_STEP_MS;

function scan(fields: Partial<ActivityScan> = {}): ActivityScan {
  return {
    code_time_step: timeStepAt(NOW, ACTIVITY_TIME_STEP_MS),
    scanned_at_ms: NOW,
    recorded_offline: false,
    started_at_ms: NOW - 2 * HOUR_MS,
    ended_at_ms: NOW - HOUR_MS,
    now_ms: NOW,
    last_accepted_time_step: null,
    ...fields,
  };
}

const step = timeStepAt(NOW, ACTIVITY_TIME_STEP_MS);
const LONG_AGO = { ended_at_ms: NOW - 20 * HOUR_MS, started_at_ms: NOW - 21 * HOUR_MS };

describe('refusals', () => {
  test.each<[string, string, Partial<ActivityScan>]>([
    ['a running activity', 'activity_not_finished', { ended_at_ms: null }],
    ['an end before the start', 'activity_duration_invalid', { started_at_ms: NOW - HOUR_MS + 1 }],
    ['an activity of no length', 'activity_duration_invalid', { started_at_ms: NOW - HOUR_MS }],
    ['an activity over 24 h', 'activity_duration_invalid', { started_at_ms: NOW - 25 * HOUR_MS - 1 }],
    ['a scan after now', 'scan_in_future', { scanned_at_ms: NOW + 30_001, code_time_step: step + 1 }],
    ['a code two steps old, online', 'code_expired', { code_time_step: step - 2 }],
    ['a code two steps ahead, online', 'code_expired', { code_time_step: step + 2 }],
    ['a code three steps old, offline', 'code_expired', { code_time_step: step - 3, recorded_offline: true }],
    ['a code three steps ahead, offline', 'code_expired', { code_time_step: step + 3, recorded_offline: true }],
    ['the accepted step again', 'code_replayed', { last_accepted_time_step: step }],
    ['a step before the accepted one', 'code_replayed', { code_time_step: step - 1, last_accepted_time_step: step }],
    ['an end after the scan', 'activity_in_future', { ended_at_ms: NOW + 30_001 }],
    [
      'an end 12 h ago',
      'validation_window_closed',
      { ended_at_ms: NOW - 12 * HOUR_MS - 1, started_at_ms: NOW - 13 * HOUR_MS },
    ],
    ['an appeal 12 h ago', 'validation_window_closed', { ...LONG_AGO, appealed_at_ms: NOW - 12 * HOUR_MS - 1 }],
    ['a scan from before the appeal', 'validation_window_closed', { ...LONG_AGO, appealed_at_ms: NOW + 1 }],
    [
      'an appeal of what ended over 14 days ago',
      'validation_window_closed',
      {
        appealed_at_ms: NOW,
        ended_at_ms: NOW - 14 * 24 * HOUR_MS - 1,
        started_at_ms: NOW - 14 * 24 * HOUR_MS - HOUR_MS,
      },
    ],
    ['no number as an appeal', 'validation_window_closed', { ...LONG_AGO, appealed_at_ms: Number.NaN }],
    ['no number as a step', 'code_expired', { code_time_step: Number.NaN }],
    ['no number as a scan', 'scan_in_future', { scanned_at_ms: Number.NaN }],
    ['no number as an end', 'activity_duration_invalid', { ended_at_ms: Number.NaN }],
  ])('%s is refused with %s', (_, code, fields) => {
    expect(checkActivityScan(scan(fields))).toBe(code);
  });
});

test.each<[string, Partial<ActivityScan>]>([
  ['the step of now', {}],
  ['one step old, online', { code_time_step: step - 1 }],
  ['one step ahead, online', { code_time_step: step + 1 }],
  ['two steps old, offline', { code_time_step: step - 2, recorded_offline: true }],
  ['two steps ahead, offline', { code_time_step: step + 2, recorded_offline: true }],
  ['a newer step than the accepted one', { last_accepted_time_step: step - 1 }],
  ['a scan one step ahead of the server', { scanned_at_ms: NOW + 30_000 }],
  ['exactly 24 h long', { started_at_ms: NOW - 25 * HOUR_MS }],
  ['exactly 12 h after the end', { ended_at_ms: NOW - 12 * HOUR_MS, started_at_ms: NOW - 13 * HOUR_MS }],
  ['an end within the tolerance of the clocks', { ended_at_ms: NOW + 30_000 }],
])('%s is accepted', (_, fields) => {
  expect(checkActivityScan(scan(fields))).toBeNull();
});

test('a scan made offline may be days old: only the end of the activity bounds it', () => {
  expect(checkActivityScan(scan({ recorded_offline: true, now_ms: NOW + 240 * HOUR_MS }))).toBeNull();
});

test('the limits equal those of the product [spec 9.open.durations]', () => {
  expect([VALIDATION_WINDOW_MS, ASK_END_AFTER_MS, MAX_ACTIVITY_DURATION_MS]).toEqual([
    12 * HOUR_MS,
    4 * HOUR_MS,
    24 * HOUR_MS,
  ]);
});

describe('an athlete whose clock is wrong', () => {
  /** The code that a phone with a wrong clock shows when the true time is `NOW`. */
  const seenWith = (offset: number): ActivityScan =>
    scan({
      code_time_step: timeStepAt(NOW - offset, ACTIVITY_TIME_STEP_MS),
      started_at_ms: NOW - 2 * HOUR_MS - offset,
      ended_at_ms: NOW - 11 * 60_000 - offset,
    });

  test('a fresh code is accepted for any offset that is known', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }), (athlete_clock_offset_ms) => {
        expect(checkActivityScan({ ...seenWith(athlete_clock_offset_ms), athlete_clock_offset_ms })).toBeNull();
      }),
    );
  });

  test('it is refused while the offset is unknown', () => {
    expect(checkActivityScan(seenWith(5 * 60_000))).toBe('code_expired');
  });

  test('the offset does not make an old code fresh', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }),
        fc.integer({ min: 3, max: 1000 }),
        (athlete_clock_offset_ms, age) => {
          const code = seenWith(athlete_clock_offset_ms);
          const old = { ...code, code_time_step: code.code_time_step - age, athlete_clock_offset_ms };
          expect(checkActivityScan(old)).toBe('code_expired');
        },
      ),
    );
  });

  test('a step that spans two of ours after the correction counts as the nearer one', () => {
    // Shown from second 20 of our step on, so mostly during the next one.
    const shown = (steps_later: number) =>
      checkActivityScan(
        scan({
          athlete_clock_offset_ms: 20_000,
          scanned_at_ms: NOW + steps_later * ACTIVITY_TIME_STEP_MS,
          now_ms: NOW + HOUR_MS,
        }),
      );
    expect([-1, 0, 1, 2, 3].map(shown)).toEqual(['code_expired', null, null, null, 'code_expired']);
  });

  test('the end is corrected too', () => {
    const offset = 3 * HOUR_MS;
    const closed = scan({
      code_time_step: timeStepAt(NOW - offset, ACTIVITY_TIME_STEP_MS),
      started_at_ms: NOW - 16 * HOUR_MS - offset,
      ended_at_ms: NOW - 13 * HOUR_MS,
      athlete_clock_offset_ms: offset,
    });
    expect(checkActivityScan(closed)).toBeNull();
    expect(checkActivityScan({ ...closed, ended_at_ms: NOW - 13 * HOUR_MS - offset })).toBe('validation_window_closed');
  });
});

test('an appeal gives 12 hours more from its moment on', () => {
  expect(confirmableUntil(0, null)).toBe(12 * HOUR_MS);
  expect(confirmableUntil(0, HOUR_MS)).toBe(13 * HOUR_MS);
  expect(confirmableUntil(0, 14 * 24 * HOUR_MS - HOUR_MS)).toBe(14 * 24 * HOUR_MS);
  expect(confirmableUntil(0, 20 * 24 * HOUR_MS)).toBe(14 * 24 * HOUR_MS);
  expect(checkActivityScan(scan({ ...LONG_AGO, appealed_at_ms: NOW }))).toBeNull();
  expect(checkActivityScan(scan({ ...LONG_AGO, appealed_at_ms: NOW - 12 * HOUR_MS }))).toBeNull();
});
