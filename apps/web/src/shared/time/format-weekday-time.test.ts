import { expect, test } from 'vitest';
import { formatWeekdayDateTime, formatWeekdayTime, formatWeekdayTimeRange } from './format-weekday-time.ts';

const START = new Date(2026, 10, 21, 18, 5).getTime();
const END = new Date(2026, 10, 21, 19, 35).getTime();

test('a moment has its weekday, and its date if it may be a week away', () => {
  expect(formatWeekdayTime(START, 'es')).toMatch(/^sábado,? 18:05$/);
  expect(formatWeekdayTime(new Date(START).toISOString(), 'en-GB')).toMatch(/^Saturday(,| at)? 18:05$/);
  expect(formatWeekdayDateTime(START, 'es')).toMatch(/^sábado, 21 de noviembre(,| a las) 18:05$/);
});

test('two moments of one day have one weekday', () => {
  expect(formatWeekdayTimeRange(START, END, 'es')).toMatch(/^sáb,? 18:05\s?–\s?19:35$/);
});
