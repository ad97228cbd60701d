import { expect, test } from 'vitest';
import { formatTimeRange } from './format-time-range.ts';

const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime();
/** Browsers use thin and narrow spaces. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test.each([
  ['en-GB', '23:54 – 00:39'],
  ['en-US', '11:54 PM – 12:39 AM'],
  ['es', '23:54 – 0:39'],
])('over a midnight no date is written in %s', (locale, text) => {
  expect(plain(formatTimeRange(at(21, 23, 54), at(22, 0, 39), locale))).toBe(text);
});

test.each([
  ['en-GB', '14:01–14:51'],
  ['en-US', '2:01 – 2:51 PM'],
  ['es', '14:01–14:51'],
])('on one day the times are written as %s does', (locale, text) => {
  expect(plain(formatTimeRange(at(21, 14, 1), at(21, 14, 51), locale))).toBe(text);
});

test('a moment is no range', () => {
  expect(formatTimeRange(at(21, 14, 1), at(21, 14, 1), 'en-GB')).toBe('14:01');
});
