import { describe, expect, test } from 'vitest';
import { formatMinuteOfDay, isQuiet, minuteOfDay, msUntilQuiet, parseMinuteOfDay } from './quiet-hours.ts';

const quiet = (from: string, until: string, time_zone = 'Europe/Madrid') => ({
  from: parseMinuteOfDay(from),
  until: parseMinuteOfDay(until),
  time_zone,
});

test('an unknown zone is refused', () => {
  expect(() => isQuiet(quiet('22:00', '07:00', 'Mars/Olympus'), 0)).toThrow(RangeError);
});

test('formatMinuteOfDay and parseMinuteOfDay are inverse', () => {
  for (const time of ['00:00', '07:05', '12:00', '23:59']) expect(formatMinuteOfDay(parseMinuteOfDay(time))).toBe(time);
  expect(parseMinuteOfDay('23:59')).toBe(1439);
});

describe('over midnight', () => {
  test.each([
    ['2026-01-15T20:59:59Z', false],
    ['2026-01-15T21:00:00Z', true],
    ['2026-01-15T23:30:00Z', true],
    ['2026-01-16T05:59:59Z', true],
    ['2026-01-16T06:00:00Z', false],
    ['2026-01-16T12:00:00Z', false],
  ])('22:00 to 07:00 in Madrid in winter, at %s: %s', (at, expected) => {
    expect(isQuiet(quiet('22:00', '07:00'), Date.parse(at))).toBe(expected);
  });
});

describe('within a day', () => {
  test.each([
    ['2026-01-15T12:59:00Z', false],
    ['2026-01-15T13:00:00Z', true],
    ['2026-01-15T14:29:00Z', true],
    ['2026-01-15T14:30:00Z', false],
  ])('14:00 to 15:30 in Madrid in winter, at %s: %s', (at, expected) => {
    expect(isQuiet(quiet('14:00', '15:30'), Date.parse(at))).toBe(expected);
  });

  test('an equal start and end mean no quiet hours', () => {
    for (let hour = 0; hour < 24; hour += 1) expect(isQuiet(quiet('05:00', '05:00'), hour * 3_600_000)).toBe(false);
  });
});

describe('when the clocks change', () => {
  test('the clock on the wall counts in summer too', () => {
    expect(isQuiet(quiet('22:00', '07:00'), Date.parse('2026-07-15T19:59:00Z'))).toBe(false);
    expect(isQuiet(quiet('22:00', '07:00'), Date.parse('2026-07-15T20:00:00Z'))).toBe(true);
    expect(isQuiet(quiet('22:00', '07:00'), Date.parse('2026-07-16T05:00:00Z'))).toBe(false);
  });

  test('an end inside the hour skipped in spring counts as the beginning of that hour', () => {
    // On 2026-03-29 Madrid skips from 01:59 to 03:00.
    expect(isQuiet(quiet('22:00', '02:30'), Date.parse('2026-03-29T00:59:00Z'))).toBe(true);
    expect(isQuiet(quiet('22:00', '02:30'), Date.parse('2026-03-29T01:00:00Z'))).toBe(false);
  });

  test('an end inside the hour repeated in autumn comes twice', () => {
    // On 2026-10-25 Madrid repeats 02:00 after 02:59.
    const at = (time: string) => isQuiet(quiet('22:00', '02:30'), Date.parse(`2026-10-25T${time}Z`));
    expect([at('00:29'), at('00:30'), at('01:00'), at('01:30')]).toEqual([true, false, true, false]);
  });

  test('zones with odd offsets, and midnight, are read right', () => {
    expect(minuteOfDay(Date.parse('2026-01-15T18:15:00Z'), 'Asia/Kathmandu')).toBe(0);
    expect(minuteOfDay(Date.parse('2026-01-15T23:00:00Z'), 'Europe/Madrid')).toBe(0);
  });
});

describe('until it is quiet', () => {
  test.each([
    ['2026-01-15T20:58:30Z', 90_000],
    ['2026-01-15T21:00:00Z', 0],
    ['2026-01-16T05:59:59.999Z', 0],
    ['2026-01-16T06:00:00Z', 15 * 3_600_000],
  ])('22:00 to 07:00 in Madrid in winter, at %s: %i ms', (at, expected) => {
    expect(msUntilQuiet(quiet('22:00', '07:00'), Date.parse(at))).toBe(expected);
  });

  test('over a night in which the clocks change, the time is the elapsed one', () => {
    const from_noon = (at: string) => msUntilQuiet(quiet('11:30', '12:00'), Date.parse(at)) / 3_600_000;
    // Madrid loses an hour on 2026-03-29 and gains one on 2026-10-25.
    expect(from_noon('2026-03-27T11:00:00Z')).toBe(23.5);
    expect(from_noon('2026-03-28T11:00:00Z')).toBe(22.5);
    expect(from_noon('2026-10-24T10:00:00Z')).toBe(24.5);
  });

  test('a beginning inside the hour skipped in spring is no later than the end of that hour', () => {
    const at = Date.parse('2026-03-28T23:00:00Z');
    expect(msUntilQuiet(quiet('02:30', '07:00'), at)).toBeLessThanOrEqual(2 * 3_600_000);
  });
});
