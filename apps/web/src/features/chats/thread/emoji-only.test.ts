import { expect, test } from 'vitest';
import { isEmojiOnly } from './emoji-only.ts';

test.each(['', ' ', 'ok', '🧗 ok', '🧗🧗🧗🧗', '1', '#', '©', '1️⃣', '?', '\u202E', '🧗'.repeat(5000)])(
  '%j is text',
  (text) => {
    expect(isEmojiOnly(text)).toBe(false);
  },
);

test.each(['🧗', '🧗🏽‍♀️', '👨‍👩‍👧‍👦', '🇪🇸🇬🇧', '❤️', '🏊 🧗\n💪', '☝🏽'])('%s is emoji only', (text) => {
  expect(isEmojiOnly(text)).toBe(true);
});
