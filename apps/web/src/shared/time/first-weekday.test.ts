import { expect, test } from 'vitest';
import { firstWeekday } from './first-weekday.ts';

test('firstWeekday returns the first weekday of the locale’s region', () => {
  expect(['en-US', 'es-MX', 'en-GB', 'es', 'ar-EG'].map(firstWeekday)).toEqual([7, 7, 1, 1, 6]);
});
