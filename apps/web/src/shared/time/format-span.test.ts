import { expect, test } from 'vitest';
import { formatSpan } from './format-span.ts';

test.each([
  [3_400, '3 seconds'],
  [119_000, '119 seconds'],
  [120_000, '2 minutes'],
  [59.7 * 60_000, '60 minutes'],
  [2 * 3_600_000, '2 hours'],
  [47 * 3_600_000, '47 hours'],
  [3 * 86_400_000 + 60_000, '3 days'],
])('%i ms are %s', (span_ms, text) => {
  expect(formatSpan(span_ms, 'en-GB')).toBe(text);
});
