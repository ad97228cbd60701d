import { expect, test } from 'vitest';
import { findBannedWords } from './words.ts';

test('a banned phrase in a comment is told with its line and with what to write instead', () => {
  const slash = '/';
  const text = `const a = 1;\n${slash}/ Nobody waits.\n${slash}**\n * Gives the rank\n * anew.\n */`;
  expect(findBannedWords(text)).toEqual([
    '2: "Nobody": name the user, athlete, caller or node',
    '4: "Gives": Returns',
    '5: "anew": again',
  ]);
});

test('the same words in code, in a text or in an address are fine', () => {
  expect(findBannedWords("const nobody = 'https://example.org//nobody stands'; say('what is it');")).toEqual([]);
});
