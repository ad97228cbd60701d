import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, compareNames, defaultUserName, foldText, initials, shortName } from './names.ts';

// Created once, outside of the tests: on a busy machine it takes seconds, which would exceed a test's time.
const anyText = fc.string({ unit: 'binary' });

test.each([
  [{ name: ' Ana López ', email: 'x@y.z' }, 'Ana López'],
  [{ name: '   ', email: 'ana@gym.test' }, 'ana'],
  [{ name: null, email: 'ana@gym@test' }, 'ana'],
  [{ email: 'ana' }, 'ana'],
  [{ email: '@gym.test' }, 'User'],
  [{ name: 'Ana\u202e\u0007López' }, 'Ana López'],
  [{ name: '\u202e', email: 'ana\u2066@gym.test' }, 'ana'],
  [{ name: '', email: '' }, 'User'],
  [{ email: null }, 'User'],
  [{}, 'User'],
])('the name of %j is %j', (claims, name) => {
  expect(defaultUserName(claims)).toBe(name);
});

describe('cleanText', () => {
  test.each([
    [
      'bidi overrides, embeddings and isolates',
      'a\u202ab\u202bc\u202cd\u202de\u202ef\u2066g\u2067h\u2068i\u2069j',
      'abcdefghij',
    ],
    ['direction marks', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['spaces without width', 'a\u200bb\u2060c', 'abc'],
    ['a text of removed characters only', '\u202e \u0000\u200b', ''],
    ['a text of invisible characters: a filler, a soft hyphen, a separator', '\u3164\u00ad \u2063', ''],
    ['marks without a letter', '\u0301\u0308', ''],
  ])('removes %s', (_what, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  test.each([
    ['control characters', 'a\u0000b\u001bc\u007fd\u0085e', 'a b c d e'],
    ['white space of every kind', ' \ta\r\n b\u00a0\u2028c\ufeff ', 'a b c'],
  ])('replaces %s between words by one space', (_what, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  test.each(['می\u200cخواهم', '👩\u200d🚒 Zoë', 'שלום עולם', 'e\u0301lan', 'L’Hospitalet & Co. <b>'])(
    'leaves %j',
    (text) => {
      expect(cleanText(text)).toBe(text);
    },
  );

  test('leaves nothing to clean behind, and no other character is lost', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\s\s|^\s|\s$/u);
        const kept = (all: string) => all.replaceAll(/[\p{Cc}\p{Bidi_Control}\s\u200b\u2060]/gu, '');
        const seen = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{C}]/u.test(text);
        expect(kept(clean)).toBe(seen ? kept(text) : '');
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['', '?'],
  ['  ', '?'],
  ['ana', 'A'],
  ['Ana López', 'AL'],
  ['ana  maría de la cruz', 'AC'],
  ['ñandú', 'Ñ'],
  ['e\u0301lan vital', 'E\u0301V'],
  ['👩‍🚒 Zoë', '👩‍🚒Z'],
  ['李 小龍', '李小'],
  ['👋 hi', '👋H'],
  ['🇪🇸 Ana', '🇪🇸A'],
  ['👩‍👧‍👦 n\u0303u', '👩‍👧‍👦N\u0303'],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters);
});

describe('foldText', () => {
  test.each([
    ['  Málaga  ', 'malaga'],
    ['MA\u0301LAGA', 'malaga'],
    ['La  Coruña\u00a0 Norte', 'la coruna norte'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['København Ø', 'kobenhavn o'],
    ['Łódź', 'lodz'],
    ['Ærø Œuvre', 'aero oeuvre'],
    ['Đà Nẵng', 'da nang'],
    ['İstanbul ıslak', 'istanbul islak'],
    ['Þórsmörk', 'thorsmork'],
    ['ΣΑΛΟΣ', 'σαλοσ'],
    ['L’Hospitalet', "l'hospitalet"],
    ['ﬁt', 'fit'],
    ['Gym 24', 'gym 24'],
    ['', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('folding twice changes nothing, and composition does not matter', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
        expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
      }),
      { numRuns: 2000 },
    );
  });

  test('folding twice is folding once, for every code point up to U+2FFFF', () => {
    for (let code_point = 0; code_point <= 0x2ffff; code_point += 1) {
      const folded = foldText(String.fromCodePoint(code_point));
      if (foldText(folded) !== folded) expect.fail(`U+${code_point.toString(16)}`);
    }
  });
});

describe('compareNames', () => {
  test('sorts without regard to accents and case, and numbers by value', () => {
    const names = ['Zoo', 'ático', 'Wall 10', 'Wall 2', 'Atlas', 'ñu', 'Nube'];
    expect(names.sort((a, b) => compareNames(a, b, 'es'))).toEqual([
      'ático',
      'Atlas',
      'Nube',
      'ñu',
      'Wall 2',
      'Wall 10',
      'Zoo',
    ]);
  });

  test('only the same text is equal, and both directions agree', () => {
    expect(compareNames('Ana', 'Ana', 'en')).toBe(0);
    expect(Math.sign(compareNames('Ana', 'ana', 'en'))).toBe(-1);
    expect(Math.sign(compareNames('ana', 'Ana', 'en'))).toBe(1);
    expect(Math.sign(compareNames('b', 'A', 'en'))).toBe(1);
  });
});

test.each([
  ['Anastasia Hohenberger-Villalobos', 'Anastasia'],
  ['Ana', 'Ana'],
  ['  Anna-Lena   Groß ', 'Anna-Lena'],
  ['de la Cruz Pérez', 'de la Cruz'],
  ['Van der Berg', 'Van der Berg'],
  ['María del Mar López', 'María'],
  ['عبد الله الراشد', 'عبد الله'],
  ['سارة الراشد', 'سارة'],
  ['de la', 'de la'],
  ['Hubert-Maximilian', null],
  ['Maximilianswolkensteinhausenburgenthaler', null],
  ['', null],
])('the short name of %j is %j', (name, short) => {
  expect(shortName(name)).toBe(short);
});
