import { expect, test } from 'vitest';
import { firstWeekday } from './first-weekday.ts';

test('a week begins as it does where the locale is used', () => {
  expect(['en-US', 'es-MX', 'en-GB', 'es', 'ar-EG'].map(firstWeekday)).toEqual([7, 7, 1, 1, 6]);
});
