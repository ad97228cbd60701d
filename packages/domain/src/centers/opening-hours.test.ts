import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '../dates.ts';
import { areDisjoint } from './disjoint-hours.ts';
import { minutesOf, type OpeningHours, openingStateAt } from './opening-hours.ts';

const MADRID = 'Europe/Madrid';
const MINUTE_MS = 60_000;
const NINE_TO_NINE = [{ opens: '09:00', closes: '21:00' }];
const WEEKDAYS = [...Array(5).fill(NINE_TO_NINE), [], []];
const always = (intervals: OpeningHours['weekly'][number]) => Array(7).fill(intervals);

const stateAt = (time: string, hours: Partial<OpeningHours>, zone = MADRID) =>
  openingStateAt({ weekly: WEEKDAYS, closed_days: [], ...hours }, Date.parse(time), zone);

describe('not known:', () => {
  test.each([
    ['no hours at all', { weekly: always([]) }],
    [
      'only closed days',
      { weekly: always([]), closed_days: [{ from: '2026-11-26', until: '2026-11-26', reason: null }] },
    ],
  ])('%s', (_name, hours) => {
    expect(stateAt('2026-11-26T10:00Z', hours)).toBeNull();
  });
});

describe('by the wall clock of the center', () => {
  test.each([
    ['just before it opens', '2026-11-26T07:59:59Z', false, 0, '09:00'],
    ['the minute it opens', '2026-11-26T08:00Z', true, 0, '21:00'],
    ['the last minute', '2026-11-26T19:59:59Z', true, 0, '21:00'],
    ['the minute it closes', '2026-11-26T20:00Z', false, 1, '09:00'],
    ['on Friday evening', '2026-11-27T21:00Z', false, 3, '09:00'],
  ])('%s', (_name, time, is_open, days, wall) => {
    const state = stateAt(time, {});
    expect(state).toEqual({ is_open, changes_at: { days, minutes: minutesOf(wall) }, closure: null });
  });

  test('several intervals a day', () => {
    const weekly = always([
      { opens: '16:00', closes: '21:30' },
      { opens: '07:00', closes: '13:00' },
    ]);
    expect(stateAt('2026-11-26T13:00Z', { weekly })).toMatchObject({ is_open: false, changes_at: { minutes: 960 } });
    expect(stateAt('2026-11-26T09:00Z', { weekly })).toMatchObject({ is_open: true, changes_at: { minutes: 780 } });
  });

  test('past midnight, also into a closed day', () => {
    const weekly = always([{ opens: '18:00', closes: '02:00' }]);
    const closed_days = [{ from: '2026-11-27', until: '2026-11-27', reason: 'Gala' }];
    expect(stateAt('2026-11-26T23:30Z', { weekly, closed_days })).toMatchObject({
      is_open: true,
      changes_at: { days: 0, minutes: 120 },
      closure: { reason: 'Gala' },
    });
    expect(stateAt('2026-11-27T01:00Z', { weekly, closed_days })).toMatchObject({
      is_open: false,
      changes_at: { days: 1, minutes: 1080 },
    });
  });

  test('around the clock', () => {
    const weekly = always([{ opens: '00:00', closes: '00:00' }]);
    expect(stateAt('2026-11-26T23:30Z', { weekly })).toEqual({ is_open: true, changes_at: null, closure: null });
  });

  test('a month of closed days, and more of them than the search looks ahead', () => {
    const august = [{ from: '2026-11-20', until: '2026-12-20', reason: null }];
    expect(stateAt('2026-11-26T10:00Z', { closed_days: august })).toMatchObject({
      is_open: false,
      changes_at: { days: 25, minutes: 540 },
    });
    const for_good = [{ from: '2026-11-20', until: '2027-12-20', reason: null }];
    expect(stateAt('2026-11-26T10:00Z', { closed_days: for_good })).toMatchObject({ is_open: false, changes_at: null });
  });
});

const minute = fc.integer({ min: 0, max: 1439 });
const format = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const interval = fc.tuple(minute, minute).map(([opens, closes]) => ({ opens: format(opens), closes: format(closes) }));
const week = fc.array(fc.array(interval, { maxLength: 3 }), { minLength: 7, maxLength: 7 });
/** The nights in which clocks are changed, and quarters with another offset than a full hour. */
const NIGHTS: [string, string][] = [
  [MADRID, '2026-03-29T01:00Z'],
  [MADRID, '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00Z'],
];
const night = fc.constantFrom(...NIGHTS);
const closed = fc.option(fc.integer({ min: -2, max: 2 }), { nil: null });

/** The wall clock of a moment: date, minutes of the day, and weekday from Monday on. */
function wallOf(epoch_ms: number, zone: string) {
  const time = new Date(epoch_ms).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const date = localDate(epoch_ms, zone);
  return { date, minutes: minutesOf(time), weekday: (new Date(date).getUTCDay() + 6) % 7 };
}

/** Whether it is open, from the definition: by each interval that began today or yesterday. */
function isOpenByDefinition({ weekly, closed_days }: OpeningHours, epoch_ms: number, zone: string): boolean {
  const { date, minutes, weekday } = wallOf(epoch_ms, zone);
  const isClosed = (day: string) => closed_days.some(({ from, until }) => from <= day && day <= until);
  const yesterday = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
  const by_today = (weekly[weekday] ?? []).some(
    ({ opens, closes }) => minutesOf(opens) <= minutes && (closes <= opens || minutes < minutesOf(closes)),
  );
  const by_yesterday = (weekly[(weekday + 6) % 7] ?? []).some(
    ({ opens, closes }) => closes <= opens && minutes < minutesOf(closes),
  );
  return (by_today && !isClosed(date)) || (by_yesterday && !isClosed(yesterday));
}

test('it is open when the definition says so, also while clocks are changed', () => {
  fc.assert(
    fc.property(week, night, closed, fc.integer({ min: -3000, max: 3000 }), (weekly, [zone, change], at, offset) => {
      fc.pre(weekly.some((intervals) => intervals.length > 0));
      const now = Date.parse(change) + offset * MINUTE_MS;
      const day = localDate(Date.parse(change) + (at ?? 0) * 86_400_000, zone);
      const hours = { weekly, closed_days: at === null ? [] : [{ from: day, until: day, reason: null }] };
      expect(openingStateAt(hours, now, zone)?.is_open).toBe(isOpenByDefinition(hours, now, zone));
    }),
    { numRuns: 500 },
  );
});

test('until the named time nothing changes, and then it does', () => {
  fc.assert(
    fc.property(week, fc.integer({ min: 0, max: 20_000 }), (weekly, offset) => {
      fc.pre(weekly.some((intervals) => intervals.length > 0));
      const hours = { weekly, closed_days: [] };
      // Without changes of the clock: there a wall time may not exist, or twice.
      const now = Date.parse('2026-06-01T00:00Z') + offset * MINUTE_MS;
      const state = openingStateAt(hours, now, MADRID);
      const { minutes } = wallOf(now, MADRID);
      const changes_at = state?.changes_at;
      const left = changes_at ? changes_at.days * 1440 + changes_at.minutes - minutes : 9 * 1440;
      expect(left).toBeGreaterThan(0);
      for (const after of [1, Math.floor(left / 2), left - 1].filter((each) => each > 0 && each < left)) {
        expect(isOpenByDefinition(hours, now + after * MINUTE_MS, MADRID)).toBe(state?.is_open);
      }
      if (changes_at) expect(isOpenByDefinition(hours, now + left * MINUTE_MS, MADRID)).toBe(!state?.is_open);
    }),
    { numRuns: 500 },
  );
});

describe('intervals of a week are disjoint', () => {
  test.each([
    [
      'if they touch',
      [
        { opens: '09:00', closes: '12:00' },
        { opens: '12:00', closes: '14:00' },
      ],
      true,
    ],
    [
      'not if they overlap',
      [
        { opens: '09:00', closes: '12:01' },
        { opens: '12:00', closes: '14:00' },
      ],
      false,
    ],
    [
      'not if one begins before the one of the day before ends',
      [
        { opens: '01:00', closes: '03:00' },
        { opens: '22:00', closes: '02:00' },
      ],
      false,
    ],
    [
      'if the last one ends past midnight',
      [
        { opens: '09:00', closes: '12:00' },
        { opens: '22:00', closes: '02:00' },
      ],
      true,
    ],
    ['around the clock', [{ opens: '00:00', closes: '00:00' }], true],
  ])('%s', (_name, intervals, expected) => {
    expect(areDisjoint(always(intervals))).toBe(expected);
  });
});
