import { expect, test } from 'vitest';
import { typedNumber } from './AdjustForm.tsx';

const limits = { before: 45, min: 1, max: 45 };

test.each([
  ['0', 1],
  ['600', 45],
  ['9'.repeat(400), 45],
])('%s is brought within the limits', (digits, number) => {
  expect(typedNumber(digits, limits)).toBe(number);
});

test('an emptied field changes nothing until something is typed', () => {
  expect(['', '3', '30'].map((digits) => typedNumber(digits, limits))).toEqual([45, 3, 30]);
});
