import { expect, test } from 'vitest';
import { formatDateRange, formatDateRangeWithYear } from './format-date-range.ts';

const WEEK = { starts_on: '2026-11-16', ends_on: '2026-11-22' };
/** Browsers use thin and narrow spaces. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test('two dates are written in the shortest way of the language', () => {
  expect(formatDateRange(WEEK, 'en-GB')).toMatch(/^16\s?–\s?22 Nov$/);
  expect(formatDateRange({ starts_on: '2026-11-30', ends_on: '2026-12-06' }, 'es')).toMatch(/^30 nov\s?–\s?6 dic$/);
});

test('the year is written where it matters, and a day is no range', () => {
  expect(plain(formatDateRangeWithYear(WEEK, 'en-US'))).toBe('Nov 16 – 22, 2026');
  expect(plain(formatDateRangeWithYear({ ...WEEK, ends_on: WEEK.starts_on }, 'es'))).toBe('16 nov 2026');
});
