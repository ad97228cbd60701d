import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKey, createAttemptLimit } from './attempt-limit.ts';

test('never lets more than the limit through in any minute, and refuses nobody below it', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b'), wait_ms: fc.integer({ min: 0, max: 30_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now_ms = 0;
      const limit = createAttemptLimit(5, { now: () => now_ms });
      const passed: { key: string; at_ms: number }[] = [];
      for (const { key, wait_ms } of steps) {
        now_ms += wait_ms;
        const recent = passed.filter((one) => one.key === key && now_ms - one.at_ms < 60_000).length;
        expect(limit.take(key)).toBe(recent < 5);
        if (recent < 5) passed.push({ key, at_ms: now_ms });
      }
    }),
  );
});

test('counts a whole /64 of IPv6 as one, and IPv4 by address', () => {
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::9'));
  expect(addressKey('2001:db8:1:2::9')).not.toBe(addressKey('2001:db8:1:3::9'));
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0');
  expect(addressKey('::1')).toBe('0:0:0:0');
  expect(addressKey('192.0.2.1')).toBe('192.0.2.1');
  expect(addressKey('::ffff:192.0.2.1')).not.toBe(addressKey('::ffff:192.0.2.2'));
});

test('counts in its own window where it has one', () => {
  let now_ms = 0;
  const limit = createAttemptLimit(1, { window_ms: 3_600_000, now: () => now_ms });
  expect(limit.take('a')).toBe(true);
  now_ms = 3_599_999;
  expect(limit.take('a')).toBe(false);
  now_ms = 3_600_000;
  expect(limit.take('a')).toBe(true);
});
