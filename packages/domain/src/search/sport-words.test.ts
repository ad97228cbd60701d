import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchWords } from '../sport-centers.ts';
import { SPORT_LIST } from '../sports/sport-list.ts';
import { readSportText } from './sport-words.ts';

const read = (text: string) => {
  const found = readSportText(searchWords(text), SPORT_LIST);
  return found && `${found.sport}: ${found.rest.join(' ')}`;
};

test.each([
  '',
  'bilbao',
  'san mames',
  'centro', // A companion alone is no sport.
  'wall en bilbao',
  'piscina y rocodromo', // Two sports, with a rest.
  'swimming climbing',
  'poole', // A town, not a misspelt pool.
  'nado',
  'club piscina bilbao', // The sport is in the middle: these are words of a name.
  'pisna',
])('%j means no sport', (text) => {
  expect(read(text)).toBeNull();
});

test.each([
  ['natación', 'swimming: '],
  ['NADAR', 'swimming: '],
  ['pisicna', 'swimming: '],
  ['swimming pools near me', 'swimming: '],
  ['rocódromos cerca de mí', 'climbing: '],
  ['piscna Bilbao', 'swimming: bilbao'],
  ['Bilbao piscina', 'swimming: bilbao'],
  ['rocodromo madrd', 'climbing: madrd'],
  ['climbing wall in Edinburgh', 'climbing: edinburgh'],
  ['sala de escalada en San Sebastián de los Reyes', 'climbing: san sebastian de los reyes'],
  ['Las Palmas for swimming', 'swimming: las palmas'],
  ['boulder Berlin', 'climbing: berlin'],
  ['búlder', 'climbing: '],
  ['swim Poole', 'swimming: poole'],
  ['piscina San Mamés', 'swimming: san mames'],
])('%j is read as %j', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('every word of a sport means it, before and behind any town', () => {
  const sport = fc.constantFrom(...SPORT_LIST);
  const town = fc.constantFrom('bilbao', 'la coruna', 'l hospitalet', 'wells next the sea', 'poole');
  fc.assert(
    fc.property(sport, fc.nat(), town, fc.boolean(), ({ name, search_words }, nth, place, isFirst) => {
      const word = search_words[nth % search_words.length] ?? '';
      const words = searchWords(isFirst ? `${word} ${place}` : `${place} ${word}`);
      expect(readSportText(words, SPORT_LIST)).toEqual({ sport: name, rest: searchWords(place) });
    }),
  );
});

test('the words of the sports are folded, and no word means two of them', () => {
  const all = SPORT_LIST.flatMap(({ search_words }): readonly string[] => search_words);
  expect(all.map((word) => searchWords(word)[0])).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
});
