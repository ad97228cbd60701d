import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints, MESSAGE_MAX_CODE_POINTS, normalizeMessage } from './messages.ts';

test.each(['', ' ', '\n\t \r\n', '\u00a0\u2003\ufeff'])('nothing is sent for %j', (text) => {
  expect(normalizeMessage(text)).toBeNull();
});

test('a message is trimmed outside and left alone inside', () => {
  expect(normalizeMessage('  hola \n\n  qué tal \n')).toBe('hola \n\n  qué tal');
});

test('what is normalized once stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = normalizeMessage(text);
      expect(once === null ? text.trim() : normalizeMessage(once)).toBe(once ?? '');
    }),
  );
});

test('length is counted in code points', () => {
  expect(MESSAGE_MAX_CODE_POINTS).toBe(5000);
  expect(codePoints('')).toBe(0);
  expect(codePoints('año')).toBe(3);
  expect(codePoints('😀'.repeat(5000))).toBe(5000);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codePoints(text) === Array.from(text).length));
});
