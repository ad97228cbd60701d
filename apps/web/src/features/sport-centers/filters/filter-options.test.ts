import { expect, test } from 'vitest';
import { optionsOf, optionValue } from './filter-options.ts';

const at = (city: string | null, country: string | null) => ({ city, country });
const SERVER = [at(null, 'ES'), at(null, 'AT'), at('Madrid', null), at('Wien', null)];
const names = (options: { name: string }[]) => options.map(({ name }) => name);

test('a city whose country is not known is no option of a country', () => {
  const { cities } = optionsOf([...SERVER, at('Linz', 'AT'), at('Bilbao', 'ES'), at(null, 'AT')], 'AT', 'en');
  expect(names(cities)).toEqual(['Linz']);
});

test('spellings of a city and of a country count as one, and a center without them adds none', () => {
  const { countries, cities } = optionsOf(
    [...SERVER, at('MADRID', 'es'), at('madrid', 'ES'), at('', null)],
    null,
    'en',
  );
  expect(names(cities)).toEqual(['Madrid', 'Wien']);
  expect(countries.map(({ value }) => value)).toEqual(['AT', 'ES']);
});

test('options are sorted by their names in the language, and capitals of a register are written as a name', () => {
  const { countries, cities } = optionsOf([at('ÉCIJA', 'ES'), at('Zaragoza', 'ES'), at('Évora', 'PT')], null, 'es');
  expect(names(countries)).toEqual(['España', 'Portugal']);
  expect(names(cities)).toEqual(['Écija', 'Évora', 'Zaragoza']);
});

test('a city of an address is found among the options whatever its case, and one that is not among them stays as it is', () => {
  const { cities } = optionsOf(SERVER, null, 'en');
  expect([optionValue(cities, 'wien'), optionValue(cities, 'Lugo'), optionValue(cities, null)]).toEqual([
    'Wien',
    'Lugo',
    '',
  ]);
});
