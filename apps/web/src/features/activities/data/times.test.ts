import { describe, expect, test } from 'vitest';
import { formatTimer } from './times.ts';

describe('the timer', () => {
  test.each([
    [-5, '0:00'],
    [7_999, '0:07'],
    [754_000, '12:34'],
    [3_723_000, '1:02:03'],
    [86_400_000, '24:00:00'],
  ])('%i ms reads %s', (elapsed_ms, text) => {
    expect(formatTimer(elapsed_ms)).toBe(text);
  });
});
