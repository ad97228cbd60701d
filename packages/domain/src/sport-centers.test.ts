import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesSearch, searchCenters } from '../test/center-search.ts';
import { boundingBox, distanceKm, isInBox } from './geo.ts';
import {
  type CenterQuery,
  compareCodePoints,
  type SearchableCenter,
  searchTextOf,
  searchWords,
} from './sport-centers.ts';

// Created outside of the tests: on a busy machine it takes seconds, which would exceed a test's time.
const anyText = fc.string({ unit: 'binary' });

function center(fields: Partial<SearchableCenter> = {}): SearchableCenter {
  return {
    id: 'm',
    name: 'Rocódromo Sharma',
    address: 'Carrer de l’Àvila 12',
    city: 'Saint-Denis de Málaga',
    country: 'ES',
    latitude: 40,
    longitude: -3,
    is_private: null,
    other_names: ['Muro de Ávila', '壁'],
    place_names: ['London', 'Londres'],
    closed_at: null,
    sport_facilities: [{ type: 'climbing' }],
    ...fields,
  };
}

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

test.each<[string, CenterQuery]>([
  ['a word that is nowhere', { q: 'sharma piscina' }],
  ['a word that would lie across two fields', { q: 'sharmasaint' }],
  ['another city', { city: 'Madrid' }],
  ['the town that it lies in, as its city', { city: 'London' }],
  ['another country', { country: 'FR' }],
  ['half of a country code', { country: 'E' }],
  ['another sport', { sport: 'swimming' }],
  ['only private ones', { is_private: true }],
  ['a radius around another place', { latitude: 41, longitude: -3, radius_km: 111 }],
  ['another box', { bbox: { west: -2, south: 39, east: 0, north: 41 } }],
])('%s does not match', (_, query) => {
  expect(matchesSearch(center(), query)).toBe(false);
});

test.each<[string, CenterQuery]>([
  ['nothing asked', {}],
  ['empty fields', { q: ' ', city: '', country: '' }],
  ['words of name, city and address in any order', { q: 'MALAGA avila rocodromo' }],
  ['parts of words', { q: 'rocó shar' }],
  ['another name of it', { q: 'muro' }],
  ['a name in another script', { q: '壁' }],
  ['the town that it lies in, in another language', { q: 'LONDRÉS' }],
  ['a space for a hyphen', { q: 'saint denis' }],
  ['punctuation only', { q: '-- !' }],
  ['a part of the city in another case', { city: 'DENIS DE MALAGA' }],
  ['the country in lower case', { country: 'es' }],
  ['its sport', { sport: 'climbing' }],
  ['not private, while unknown', { is_private: false }],
  ['a radius that reaches it', { latitude: 41, longitude: -3, radius_km: 112 }],
  ['a radius without a position', { radius_km: 1 }],
  ['its box', { bbox: { west: -4, south: 39, east: -2, north: 41 } }],
])('%s matches', (_, query) => {
  expect(matchesSearch(center(), query)).toBe(true);
});

test('an unknown value does not match the filter', () => {
  const bare = center({ address: null, city: null, country: null });
  expect(matchesSearch(bare, { q: 'sharma' })).toBe(true);
  expect(matchesSearch(bare, { q: 'null' })).toBe(false);
  expect(matchesSearch(bare, { city: 'Málaga' })).toBe(false);
  expect(matchesSearch(bare, { country: 'ES' })).toBe(false);
});

test('a closed center is found by no search', () => {
  const closed = center({ closed_at: '2026-01-01T00:00:00.000Z' });
  expect(matchesSearch(closed, {})).toBe(false);
  expect(searchCenters([closed, center({ id: 'o' })], { q: 'sharma' }).map(({ id }) => id)).toEqual(['o']);
});

test('the text of a center is its names, city, address and towns, folded, with one space between', () => {
  expect(searchTextOf(center())).toBe(
    "rocodromo sharma muro de avila 壁 saint-denis de malaga carrer de l'avila 12 london londres",
  );
  expect(searchTextOf({ name: ' Ä  b', other_names: [], city: null, address: null, place_names: [] })).toBe('a b');
});

describe('typing errors', () => {
  const pool = center({ id: 'p', name: 'Piscina Municipal', city: 'Bilbao', place_names: [] });
  const hall = center({ id: 'h', name: 'Rocódromo', city: 'Madrid', place_names: [] });
  const list = [pool, hall];

  test.each<[string, CenterQuery]>([
    ['in a word of four letters', { q: 'piscina bilx' }],
    ['in the first letter', { q: 'viscina' }],
    ['two in a word of seven letters', { q: 'pisna' }],
    ['in a city', { city: 'Bilbau' }],
    ['beside a word that is nowhere', { q: 'pisicna sevilla' }],
    ['in words of two centers', { q: 'pisicna madrd' }],
    ['in a center that another filter leaves out', { q: 'piscna', sport: 'swimming' }],
  ])('%s find nothing', (_, query) => {
    expect(searchCenters(list, query)).toEqual([]);
  });

  test.each<[string, CenterQuery, string]>([
    ['one', { q: 'piscna' }, 'p'],
    ['one in each word', { q: 'bilbo pisicna' }, 'p'],
    ['two in a long word', { q: 'rocodormso' }, 'h'],
  ])('%s find the intended center', (_, query, found) => {
    expect(ids(searchCenters(list, query))).toBe(found);
  });

  test('a word that a center has as typed is never corrected', () => {
    const exact = center({ id: 'e', name: 'Piscna', latitude: 60 });
    expect(ids(searchCenters([...list, exact], { q: 'piscna' }))).toBe('e');
    expect(ids(searchCenters([...list, exact], { q: 'piscna', latitude: 40, longitude: -3, radius_km: 5 }))).toBe('');
    expect(ids(searchCenters([...list, { ...exact, closed_at: '2026-01-01' }], { q: 'piscna' }))).toBe('p');
  });
});

test('code points order as their UTF-8 bytes do', () => {
  expect(['\u{1f9d7}', '\uff21', 'b', 'ab', 'a'].sort(compareCodePoints)).toEqual([
    'a',
    'ab',
    'b',
    '\uff21',
    '\u{1f9d7}',
  ]);
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(compareCodePoints(a, b)).toBe(bytesOrder(a, b));
    }),
  );
});

/** Compares UTF-32 forms, which have the same order as UTF-8 forms. */
function bytesOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)) as [
    number[],
    number[],
  ];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

test('the private filter hides only centers known to be private', () => {
  const list = [center({ id: 'a', is_private: true }), center({ id: 'b', is_private: false }), center({ id: 'c' })];
  expect(ids(searchCenters(list, { is_private: false }))).toBe('bc');
  expect(ids(searchCenters(list, { is_private: true }))).toBe('a');
  expect(ids(searchCenters(list, {}))).toBe('abc');
});

test('the position may come apart from the query', () => {
  expect(matchesSearch(center(), { radius_km: 50 }, { latitude: 40.1, longitude: -3 })).toBe(true);
  expect(matchesSearch(center(), { radius_km: 50 }, { latitude: 41, longitude: -3 })).toBe(false);
});

describe('order', () => {
  const list = [
    center({ id: 'd', name: 'Ábaco', latitude: 43 }),
    center({ id: 'c', name: 'Zoo', latitude: 41 }),
    center({ id: 'b', name: 'abaco', latitude: 41 }),
    center({ id: 'a', name: 'Muro', latitude: 42 }),
  ];
  const here = { latitude: 40, longitude: -3 };

  test('without a position it goes by folded name, then id, even when distance was requested', () => {
    expect(ids(searchCenters(list, {}))).toBe('bdac');
    expect(ids(searchCenters(list, { sort: 'distance' }))).toBe('bdac');
    expect(searchCenters(list, {})[0]?.distance_km).toBeNull();
  });

  test('with a position it goes by distance, then id, unless the name was requested', () => {
    expect(ids(searchCenters(list, here))).toBe('bcad');
    expect(ids(searchCenters(list, { ...here, sort: 'distance' }))).toBe('bcad');
    expect(ids(searchCenters(list, { ...here, sort: 'name' }))).toBe('bdac');
    expect(searchCenters(list, here)[0]?.distance_km).toBeCloseTo(111.19, 2);
  });

  test('a longer distance is not sorted as a text', () => {
    const near = center({ id: 'n', latitude: 40.8 });
    const far = center({ id: 'f', latitude: 41 });
    expect(ids(searchCenters([far, near], here))).toBe('nf');
  });
});

test('radius, box and order agree with brute force on any set of places', () => {
  const place = fc.record({
    id: fc.uuid(),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 30 }), place, fc.nat(9000), (places, from, radius_km) => {
      const position = { latitude: from.latitude, longitude: from.longitude };
      const bbox = boundingBox(position, radius_km);
      const found = searchCenters(places.map(center), { ...position, radius_km });
      expect(found.map(({ id }) => id).sort()).toEqual(
        places
          .filter((one) => distanceKm(position, one) <= radius_km)
          .map(({ id }) => id)
          .sort(),
      );
      expect(
        found.every((one, index) => index === 0 || (found[index - 1]?.distance_km ?? 0) <= (one.distance_km ?? 0)),
      ).toBe(true);
      expect(searchCenters(places.map(center), { bbox }).length).toBe(
        places.filter((one) => isInBox(one, bbox)).length,
      );
    }),
  );
});

test('the words of a search are folded and without punctuation', () => {
  expect(searchWords('  L’Hospitalet-del_Infant, 50% ')).toEqual(['l', 'hospitalet', 'del', 'infant', '50']);
  expect(searchWords(' ?! ')).toEqual([]);
});

test('a radius reaches as far as the great circle of an earth of 6,371 km, a degree of which is 111.195 km [spec 5.centers.radius]', () => {
  const from = { latitude: 41, longitude: -3 };
  expect(matchesSearch(center(), { ...from, radius_km: 111.194 })).toBe(false);
  expect(matchesSearch(center(), { ...from, radius_km: 111.195 })).toBe(true);
  // A degree of longitude at 60° north is half as long.
  const north = center({ latitude: 60, longitude: 0 });
  expect(matchesSearch(north, { latitude: 60, longitude: 1, radius_km: 55.59 })).toBe(false);
  expect(matchesSearch(north, { latitude: 60, longitude: 1, radius_km: 55.6 })).toBe(true);
});
