import { expect, test } from 'vitest';
import { findBannedComments, findBannedWords, findVagueTitles } from './words.ts';

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

test('a title that begins with who, whose or what has no subject: it is reported, after rows and in a template too', () => {
  const vague = [
    "test('wh~o waits is first', run);",
    "  describe('Wh~at is refused', run);",
    "])('wh~ose turn it is: %s', run);",
    "test.each(rows)(\n  'wh~at %s has is kept',\n  run,\n);",
    'test(`wh~o hides`, run);',
  ];
  const instead = 'name the user, request, message, file or screen';
  expect(findVagueTitles(plant(vague.join('\n')))).toEqual([
    plant(`1: "wh~o": ${instead}`),
    plant(`2: "Wh~at": ${instead}`),
    plant(`3: "wh~ose": ${instead}`),
    plant(`5: "wh~at": ${instead}`),
    plant(`8: "wh~o": ${instead}`),
  ]);
});

test('a title that only contains such a word is fine, and so is a text that is no title', () => {
  const text = plant("test('a user who waits', run);\nsay('wh~at is new');\ntest('whole weeks count', run);");
  expect(findVagueTitles(text)).toEqual([]);
});
