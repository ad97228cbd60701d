import { expect, test } from 'vitest';
import { deviceKind } from './device-kind.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, 'desktop'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'desktop'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'ios'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9)', 5, 'android'],
])('%s with %d fingers is %s', (user_agent, touch_points, kind) => {
  expect(deviceKind(user_agent, touch_points)).toBe(kind);
});
