import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, 'en', '0 kB'],
  [1, 'en', '1 kB'],
  [999_000, 'en', '999 kB'],
  [999_001, 'en', '1 MB'],
  [3_240_000, 'en', '3.2 MB'],
  [3_240_000, 'es', '3,2 MB'],
  [48_700_000, 'en', '49 MB'],
  [2_500_000_000, 'en', '2.5 GB'],
])('%i bytes in %s are %s', (bytes, locale, text) => {
  expect(formatBytes(bytes, locale).replace(/\s/u, ' ')).toBe(text);
});
