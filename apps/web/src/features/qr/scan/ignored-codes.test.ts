import { expect, test } from 'vitest';
import { createIgnoredCodes } from './ignored-codes.ts';

test('a code is read again three seconds after its card was closed', () => {
  let now = 1_000;
  const codes = createIgnoredCodes({ now: () => now, isRefused: () => false });
  expect(codes.state('a')).toBeNull();
  codes.pause('a');
  now += 2_999;
  expect(codes.state('a')).toBe('paused');
  now += 1;
  expect(codes.state('a')).toBeNull();
});

test('a decided code is not read again unless the server refused that very decision', () => {
  const refused = new Set<string>();
  const codes = createIgnoredCodes({ now: () => 0, isRefused: (op_id) => refused.has(op_id) });
  codes.markDecided('a', 'first');
  expect(codes.state('a')).toBe('settled');
  refused.add('first');
  expect(codes.state('a')).toBeNull();
  codes.markDecided('a', 'second');
  expect(codes.state('a')).toBe('settled');
});
