import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSearch, parseSearch, type SearchUrlState } from './search-url.ts';

const NOTHING: SearchUrlState = {
  q: '',
  sport: null,
  open_to_all: false,
  country: null,
  city: null,
  radius_km: null,
  box: null,
  town: null,
  near_me: false,
};

describe('an address that was tampered with', () => {
  test.each([
    'sport=chess&open=yes&km=-3&area=1,2,3&near=you',
    'km=501&area=200,0,1,2',
    'km=abc&area=0,10,1,-10',
    'area=0,91,1,92&place=%20',
    'km=&area=..,..,..,..&q=%20%20',
    'place_id=geonames:1',
    'country=Spain&city=%20',
    'country=E1',
  ])('asks for nothing: %s', (address) => {
    expect(parseSearch(address)).toEqual(NOTHING);
  });

  test('cannot bring words longer than the field takes', () => {
    expect(parseSearch(`q=${'a'.repeat(5000)}`).q).toHaveLength(120);
  });
});

test('the search of a first visit has no address', () => {
  expect(formatSearch(NOTHING)).toBe('');
  expect(parseSearch('')).toEqual(NOTHING);
});

test('an address is read as one writes it', () => {
  expect(parseSearch('?place=Bilbao&place_id=geonames%3A3128026&sport=climbing&km=12&open=1')).toEqual({
    ...NOTHING,
    town: { id: 'geonames:3128026', name: 'Bilbao' },
    sport: 'climbing',
    radius_km: 12,
    open_to_all: true,
  });
});

test('a country and a city are read in any case, and written as one', () => {
  expect(parseSearch('?country=es&city=%20Bilbao')).toEqual({ ...NOTHING, country: 'ES', city: 'Bilbao' });
  expect(formatSearch({ ...NOTHING, country: 'ES', city: 'Bilbao' })).toBe('country=ES&city=Bilbao');
});

test('around me says so, and not where that is', () => {
  expect(formatSearch({ ...NOTHING, near_me: true })).toBe('near=me');
});

const degrees = (limit: number) => fc.integer({ min: -limit * 10_000, max: limit * 10_000 }).map((n) => n / 10_000);
const words = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.trim());

const search: fc.Arbitrary<SearchUrlState> = fc.record({
  q: words,
  sport: fc.constantFrom(null, 'climbing' as const, 'swimming' as const),
  open_to_all: fc.boolean(),
  country: fc.constantFrom(null, 'ES', 'AT'),
  city: fc.option(words.filter((name) => name !== '')),
  radius_km: fc.option(fc.integer({ min: 1, max: 500 })),
  box: fc.option(
    fc
      .tuple(degrees(180), degrees(90), degrees(180), degrees(90))
      .map(([west, a, east, b]) => ({ west, south: Math.min(a, b), east, north: Math.max(a, b) })),
  ),
  town: fc.option(fc.record({ id: words, name: words.filter((name) => name !== '') })),
  near_me: fc.boolean(),
});

test('every search comes back from its address as it was', () => {
  fc.assert(
    fc.property(search, (original) => {
      // Compared as JSON: an address does not distinguish 0 and -0.
      expect(JSON.stringify(parseSearch(formatSearch(original)))).toBe(JSON.stringify(original));
    }),
    { numRuns: 500 },
  );
});
