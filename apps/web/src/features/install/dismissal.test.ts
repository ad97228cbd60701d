import { expect, test } from 'vitest';
import { ASK_AGAIN_AFTER_MS, wasDismissed } from './dismissal.ts';

test('a user who never declined is asked', () => {
  expect(wasDismissed(null, 5)).toBe(false);
  expect(wasDismissed('rubbish', 5)).toBe(false);
});

test('a user who declined is asked again after a month', () => {
  expect(wasDismissed('1000', 1000 + ASK_AGAIN_AFTER_MS - 1)).toBe(true);
  expect(wasDismissed('1000', 1000 + ASK_AGAIN_AFTER_MS)).toBe(false);
});
