import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countCodePoints, MESSAGE_MAX_CODE_POINTS, messagePreview, normalizeMessage } from './messages.ts';

// Created once, outside of the tests: on a busy machine it takes seconds, which would exceed a test's time.
const anyText = fc.string({ unit: 'binary' });

test.each(['', ' ', '\n\t \r\n', '\u00a0\u2003\ufeff', '\u200b', '\u2060 \u200d', '\u3164', '\u202e'])(
  'nothing is sent for %j',
  (text) => {
    expect(normalizeMessage(text)).toBeNull();
  },
);

test('a message is trimmed outside and left alone inside', () => {
  expect(normalizeMessage('  hola \n\n  qué tal \n')).toBe('hola \n\n  qué tal');
});

test.each(['.', '🧗', '❤️', '1️⃣', 'ـ', '⠀', '\u{1faea}', '\u{10ffff}'])(
  '%j is seen, or may be by a reader, and is sent',
  (text) => {
    expect(normalizeMessage(` ${text} `)).toBe(text);
  },
);

test('a normalized text stays as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = normalizeMessage(text);
      // Hangul fillers are letters, too, but invisible.
      if (once === null) expect(text).not.toMatch(/[[\p{L}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]/v);
      else expect([once, normalizeMessage(once)]).toEqual([text.trim(), once]);
    }),
  );
});

test('length is counted in code points', () => {
  expect(MESSAGE_MAX_CODE_POINTS).toBe(20_000);
  expect(countCodePoints('')).toBe(0);
  expect(countCodePoints('año')).toBe(3);
  expect(countCodePoints('😀'.repeat(5000))).toBe(5000);
  fc.assert(fc.property(anyText, (text) => countCodePoints(text) === Array.from(text).length));
});

describe('a preview', () => {
  test('has white space as single spaces, however much there was', () => {
    expect(messagePreview(`a${' '.repeat(1_200)}b\n\n\tc`)).toBe('a b c');
  });

  test('is cut after 120 code points, never within one', () => {
    expect(messagePreview(`a${'🧗'.repeat(200)}`)).toBe(`a${'🧗'.repeat(119)}`);
    expect(messagePreview(`a${' '.repeat(958)}🧗 x`)).toBe('a 🧗 x');
    const text = fc
      .array(fc.constantFrom('a', ' ', '\n', '\u00a0', '🧗'), { maxLength: 400 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (whole) => {
        const preview = messagePreview(whole);
        expect(preview.isWellFormed()).toBe(true);
        expect(preview).toBe([...whole.replaceAll(/\s+/g, ' ')].slice(0, 120).join(''));
      }),
    );
  });
});
