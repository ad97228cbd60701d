import { addDays } from '@sendlap/domain/dates.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, anyWeek, dateForKey, datesOfMonth, isMonth, monthOf, weeksOfMonth } from './calendar.ts';

test.each(['', '2026', '2026-13', '2026-00', '2026-1', '2026-11-01', 'x'])('"%s" is no month', (text) => {
  expect(isMonth(text)).toBe(false);
});

test('no month has days outside of it, and an unknown key moves nothing', () => {
  expect(dateForKey('2026-11-21', 'Enter')).toBeNull();
  expect(dateForKey('2026-11-01', 'ArrowLeft')).toBe('2026-11-01');
  expect(dateForKey('2026-11-28', 'ArrowDown')).toBe('2026-11-28');
});

test('arrow keys go by day and by week, Home and End to the ends of the month', () => {
  expect(dateForKey('2026-11-21', 'ArrowRight')).toBe('2026-11-22');
  expect(dateForKey('2026-11-21', 'ArrowUp')).toBe('2026-11-14');
  expect([dateForKey('2026-02-10', 'Home'), dateForKey('2026-02-10', 'End')]).toEqual(['2026-02-01', '2026-02-28']);
});

test('months are counted over the ends of years', () => {
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-11', -25)]).toEqual([
    '2027-01',
    '2025-12',
    '2024-10',
  ]);
  expect(datesOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
});

test('November 2026 begins on a Sunday, the last day of a row', () => {
  expect(weeksOfMonth('2026-11')[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
});

test('a week may begin on a Sunday', () => {
  expect(anyWeek(7)[0]).toBe('2026-11-22');
  expect(weeksOfMonth('2026-11', 7)[0]?.[0]).toBe('2026-11-01');
});

test('whatever the month and the first weekday: every day of it once, in order, under its weekday', () => {
  const anyYear = fc.integer({ min: 1970, max: 2100 });
  fc.assert(
    fc.property(anyYear, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 7 }), (year, number, first) => {
      const month = `${year}-${String(number).padStart(2, '0')}`;
      const { from, to } = datesOfMonth(month);
      const all: string[] = [];
      for (let date = from; date <= to; date = addDays(date, 1)) all.push(date);
      const weeks = weeksOfMonth(month, first);
      expect(weeks.flat().filter((date) => date !== null)).toEqual(all);
      for (const week of weeks) {
        expect(week).toHaveLength(7);
        week.forEach((date, index) => {
          if (date) expect(new Date(date).getUTCDay()).toBe((index + first) % 7);
        });
      }
      expect(monthOf(addDays(to, 1))).toBe(addMonths(month, 1));
    }),
  );
});
