import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, defaultUserName, foldText, initials } from './names.ts';

test.each([
  [{ name: ' Ana López ', email: 'x@y.z' }, 'Ana López'],
  [{ name: '   ', email: 'ana@gym.test' }, 'ana'],
  [{ name: null, email: 'ana@gym@test' }, 'ana'],
  [{ email: 'ana' }, 'ana'],
  [{ email: '@gym.test' }, 'User'],
  [{ name: '', email: '' }, 'User'],
  [{ email: null }, 'User'],
  [{}, 'User'],
])('the name of %j is %j', (claims, name) => {
  expect(defaultUserName(claims)).toBe(name);
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
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
        expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
      }),
      { numRuns: 2000 },
    );
  });

  test('no letter of the world unfolds again', () => {
    for (let code_point = 0; code_point <= 0x2ffff; code_point += 1) {
      const folded = foldText(String.fromCodePoint(code_point));
      if (foldText(folded) !== folded) expect.fail(`U+${code_point.toString(16)}`);
    }
  });
});

describe('compareNames', () => {
  test('accents and case do not separate, numbers count', () => {
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
