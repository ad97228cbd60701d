import { expect, test } from 'vitest';
import { describeBoxSize } from './box-size.ts';

const MB = 1_000_000;

test('doctor names the setting for more once the embedded database is larger than a small club’s', () => {
  expect(describeBoxSize(1_000 * MB + 1)).toEqual([
    {
      check: 'size',
      verdict: 'lacking',
      detail: expect.stringMatching(/^1001 MB are much for the embedded database, .*DATABASE_URL .*SECRET/),
    },
  ]);
});

test('doctor says nothing of a smaller one', () => {
  expect(describeBoxSize(1_000 * MB)).toEqual([]);
});
