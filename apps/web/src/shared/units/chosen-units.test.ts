import { expect, test } from 'vitest';
import { initialUnits } from './chosen-units.ts';

test.each([
  [['es-ES', 'en-US'], 'km m kg'],
  [['en'], 'km m kg'],
  [['es', 'en-US'], 'km m kg'],
  [['not a language'], 'km m kg'],
  [[], 'km m kg'],
  [['en-US', 'en'], 'mi yd lb'],
  [['es-US'], 'mi yd lb'],
  [['en-GB', 'es-ES'], 'mi m kg'],
])('a browser with the languages %j starts with %s', (languages, expected) => {
  expect(Object.values(initialUnits({}, languages)).join(' ')).toBe(expected);
});

test('a choice takes precedence over the region, and an unknown unit counts as no choice', () => {
  expect(initialUnits({ distance: 'km', swimming: null, body: 'stone' }, ['en-US'])).toEqual({
    distance: 'km',
    swimming: 'yd',
    body: 'lb',
  });
});
