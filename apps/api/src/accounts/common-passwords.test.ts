import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { findPasswordProblem } from './passwords.ts';

const WORDS = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => line.split(' '));

describe('a password is refused when it', () => {
  test.each([
    ['is in the list, in any letter case', ['password', 'PassWord', 'IloveYou', 'contraseña', 'realmadrid']],
    ['is a word of the list with digits for letters', ['p@ssw0rd', 'P455word', 'b4sk3tb4ll', 'dr4g0n12']],
    [
      'is a word of the list with a year or signs',
      ['dragon2024', 'Password!', '123monkey', '!!Summer26', 'bilbao1898'],
    ],
    [
      'is a word of the app, of its towns or sports',
      ['sendlap2026', 'S3ndlap!', 'sportcenter', 'swimming', 'escalada'],
    ],
    ['is a word of the list twice', ['dragondragon', 'monkeymonkeymonkey', 'dragon1dragon1']],
    ['is a run of digits, letters or keys', ['34567890', '98765432', 'cdefghijk', 'sdfghjkl', 'poiuytrewq']],
    ['repeats up to four characters', ['aaaaaaaa', 'abababab', 'x9qx9qx9q', 'k3mpk3mpk3mp', 'aaaaaaab']],
  ])('%s', (_why, passwords) => {
    expect(passwords.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  test('is the e-mail or its first part', () => {
    expect(findPasswordProblem('Ada.Lovelace', 'ada.lovelace@example.org')).toBe('password_common');
    expect(findPasswordProblem('ada.lovelace@example.org', 'Ada.Lovelace@example.org')).toBe('password_common');
  });
});

test('sentences, rare words and generated passwords are accepted', () => {
  const good = [
    'correct horse battery',
    'a long enough one',
    'chalk and water 26',
    'dragons eat my homework',
    'password of the blue door',
    'tU9#kk2!mQpz',
    'xkqwvbnt',
    'dragon48151623',
    'la montaña duerme sola',
    '🧗🏊🧗🏊🚲🧗🎿🏔',
  ];
  expect(good.filter((password) => findPasswordProblem(password, 'ada@example.org') !== undefined)).toEqual([]);
});

test('the list has no duplicates, no capitals, and over 700 words of 8 characters or more', () => {
  expect(WORDS.filter((word, index) => WORDS.indexOf(word) !== index)).toEqual([]);
  expect(WORDS.filter((word) => word !== word.toLowerCase().normalize('NFKC'))).toEqual([]);
  expect(WORDS.filter((word) => word.length >= 8).length).toBeGreaterThan(700);
});
