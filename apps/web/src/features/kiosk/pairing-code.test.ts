import { expect, test } from 'vitest';
import { readPairingCode } from './pairing-code.ts';

test.each(['', '   ', 'short', 'a'.repeat(65), 'abcd efgh ñjkl', 'https://sendlap.test/kiosk', '#'])(
  '%j is no code',
  (text) => {
    expect(readPairingCode(text)).toBeNull();
  },
);

test.each([
  'abcd-efgh-jkmn',
  '  abcd-efgh-jkmn ',
  'abcd- efgh -jkmn',
  '#abcd-efgh-jkmn',
  'https://sendlap.test/kiosk#abcd-efgh-jkmn',
])('%j is the code, as typed, scanned or pasted', (text) => {
  expect(readPairingCode(text)).toBe('abcd-efgh-jkmn');
});
