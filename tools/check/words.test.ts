import { expect, test } from 'vitest';
import { findBannedComments, findBannedWords } from './words.ts';

/** Removes `~`, which hides planted phrases from the check of this file. */
const plant = (text: string) => text.replaceAll('~', '');

test('a banned phrase in a comment is reported with its line and an alternative', () => {
  const text = plant('const a = 1;\n~// No~body waits.\n~/**\n * Giv~es the rank\n * an~ew.\n */');
  expect(findBannedComments(text)).toEqual([
    plant('2: "No~body": name the user, athlete, caller or node'),
    plant('4: "Giv~es": Returns'),
    plant('5: "an~ew": again'),
  ]);
});

test('the same words in code, in a text or in an address are fine in source code', () => {
  const text = plant("const no~body = 'https://example.org//no~body st~ands'; say('wh~at is it');");
  expect(findBannedComments(text)).toEqual([]);
});

test('a banned phrase in a title or a text on screen is reported', () => {
  expect(findBannedWords(plant("test('x', () => {});\ntest('an~ew', () => {});"))).toEqual([
    plant('2: "an~ew": again'),
  ]);
});
