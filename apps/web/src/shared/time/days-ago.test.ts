import { expect, test } from 'vitest';
import { daysAgo } from './days-ago.ts';

test('yesterday begins at midnight, not 24 hours ago', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  expect(daysAgo(at(21, 1), at(21, 23))).toBe(0);
  expect(daysAgo(at(20, 23), at(21, 0))).toBe(1);
});
