import { expect, test } from 'vitest';
import { findBannedComments, findBannedTexts, findBannedWords, findVagueTitles } from './words.ts';

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

test('a banned phrase in a sentence of a program is reported: in each kind of string, on its line', () => {
  const text = plant(
    [
      "throw new Error('no~body has a phone');",
      'say("it isn\'t, an~ew");',
      'report(`message st~ands`,',
      '  `two lines',
      '  wh~at is left`);',
      "const QUOTE = /['\"`]/; // it's fine",
      "harm: 'no~body signs in',",
    ].join('\n'),
  );
  expect(findBannedTexts(text)).toEqual([
    plant('1: "no~body": name the user, athlete, caller or node'),
    plant('2: "an~ew": again'),
    plant('3: "st~ands": is, is shown, counts'),
    plant('5: "wh~at is": use the noun'),
    plant('7: "no~body": name the user, athlete, caller or node'),
  ]);
});

test('a name of one word, code and comments are no sentences of a program', () => {
  const text = plant(
    "const no~body = ['no~body', 'postgres'];\n/* it's an~ew */ // an~ew, isn't it\nno~body('one two');",
  );
  expect(findBannedTexts(text)).toEqual([]);
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
