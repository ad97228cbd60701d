import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchEveryTown } from '../test/town-search.ts';
import { distanceKm } from './geo.ts';
import {
  compareTowns,
  foldTownName,
  type GazetteerTown,
  isSameTown,
  MAX_TOWNS_AROUND,
  matchTown,
  type TownNames,
  townRadiusKm,
  townsAround,
} from './towns.ts';

function town(id: number, names: string[], facts: Partial<GazetteerTown & TownNames> = {}): GazetteerTown & TownNames {
  const village = { country: 'ES', population: 0, is_part: false, latitude: 0, longitude: id, other_names: [] };
  return { ...village, id, names, ...facts };
}

const ids = (towns: GazetteerTown[]) => towns.map(({ id }) => id);

describe('townRadiusKm', () => {
  it.each([
    [0, 3],
    [9_999, 3],
    [10_000, 5],
    [50_000, 8],
    [200_000, 12],
    [1_000_000, 20],
    [5_000_000, 30],
  ])('of %i people is %i km', (population, radius_km) => {
    expect(townRadiusKm({ population, is_part: false })).toBe(radius_km);
  });

  it('of a part of a city is small, whatever number of people live in it', () => {
    expect(townRadiusKm({ population: 2_000_000, is_part: true })).toBe(2);
  });
});

describe('foldTownName', () => {
  it.each([
    ['  Málaga ', 'malaga'],
    ["L'Hospitalet de Llobregat", 'l hospitalet de llobregat'],
    ['Donostia / San Sebastián', 'donostia san sebastian'],
    ['ŁÓDŹ', 'lodz'],
    ['!?', ''],
  ])('makes %j into %j', (name, folded) => expect(foldTownName(name)).toBe(folded));
});

describe('a misspelt town', () => {
  const madrid = town(1, ['madrid'], { population: 3_000_000 });
  const madris = town(2, ['madris'], { population: 10 });
  const edinburgh = town(3, ['edinburgh', 'edimburgo'], { other_names: ['edinburg'] });

  it.each(['adrid', 'nadrid', 'mdrd', 'edimb0', 'madridd madrid', ''])('is not found by %j', (text) => {
    expect(searchEveryTown([madrid, madris, edinburgh], text, 5)).toEqual([]);
  });

  it.each([
    ['madrd', [1]],
    ['mardid', [1]],
    ['madrit', [1, 2]],
    ['edinbrugh', [3]],
    ['edimbugro', [3]],
  ])('is found by %j', (text, expected) => {
    expect(ids(searchEveryTown([madris, edinburgh, madrid], text, 5))).toEqual(expected);
  });

  it('is not looked for where a name begins with the text', () => {
    expect(ids(searchEveryTown([madrid, town(4, ['madrdejos'])], 'madrd', 5))).toEqual([4]);
    expect(
      ids(searchEveryTown([town(5, ['bilbao']), town(6, ['wien'], { other_names: ['bilbo'] })], 'bilbo', 5)),
    ).toEqual([6]);
  });

  it('contains how a text names it', () => {
    const match = (text: string) => matchTown(edinburgh, text);
    expect(['edimburgo', 'edinburg', 'edin', 'edinbrugh', 'glasgow', ''].map(match)).toEqual([
      ...['name', 'name', 'beginning', 'typo', null, null],
    ]);
  });
});

describe('searchEveryTown', () => {
  it('finds nothing for an empty text', () => {
    expect(searchEveryTown([town(1, ['a'])], '', 5)).toEqual([]);
  });

  it('does not find a text in the middle of a name', () => {
    expect(searchEveryTown([town(1, ['new york'])], 'york', 5)).toEqual([]);
  });

  it('gives whole names first, in any language, then own names, then those of other languages', () => {
    const towns = [
      town(1, ['roma'], { other_names: ['romulus'], population: 9 }),
      town(2, ['romania'], { population: 5 }),
      town(3, ['rome'], { other_names: ['rom'], population: 2 }),
      town(4, ['x'], { other_names: ['romandia'], population: 99 }),
    ];
    expect(ids(searchEveryTown(towns, 'rom', 5))).toEqual([3, 1, 2, 4]);
  });

  it('gives towns before parts of cities, and the most populous first', () => {
    const towns = [
      town(1, ['san'], { is_part: true, population: 900 }),
      town(2, ['san'], { population: 10 }),
      town(3, ['san'], { population: 20 }),
    ];
    expect(ids(searchEveryTown(towns, 'san', 5))).toEqual([3, 2, 1]);
  });

  it('gives one entry for a place listed twice, but both of two places of one name', () => {
    const towns = [
      town(1, ['ponte'], { population: 50_000 }),
      town(2, ['ponte'], { longitude: 1.05 }),
      town(3, ['ponte'], { longitude: 1.2 }),
      town(4, ['ponte'], { longitude: 1.05, country: 'PT' }),
    ];
    expect(ids(searchEveryTown(towns, 'ponte', 5))).toEqual([1, 3, 4]);
  });

  it('fills the limit although entries repeat', () => {
    const towns = [town(1, ['a'], { longitude: 0 }), town(2, ['a'], { longitude: 0 }), town(3, ['a b'])];
    expect(ids(searchEveryTown(towns, 'a', 2))).toEqual([1, 3]);
  });
});

describe('townsAround', () => {
  it('gives none in the wilderness', () => {
    expect(townsAround([town(1, ['a'], { longitude: 1 })], { latitude: 0, longitude: 0 })).toEqual([]);
  });

  it('keeps the nearest among bigger neighbours', () => {
    const big = [1, 2, 3, 4].map((id) => town(id, [`big ${id}`], { longitude: 0.05, population: 900_000 + id }));
    const near = town(9, ['getafe'], { longitude: 0.001, population: 20_000 });
    expect(ids(townsAround([...big, near], { latitude: 0, longitude: 0 }))).toEqual([4, 3, 2, 9]);
  });

  it('holds for every set of towns: each circle holds the position, the nearest is there, no left one matters more', () => {
    const someTown = fc.record({
      population: fc.constantFrom(0, 20_000, 60_000, 300_000, 2_000_000),
      is_part: fc.boolean(),
      longitude: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(someTown, { maxLength: 12 }), (facts) => {
        const here = { latitude: 0, longitude: 0 };
        const towns = facts.map((fact, id) => town(id, [`t${id}`], fact));
        const chosen = townsAround(towns, here);
        const holding = towns.filter((one) => distanceKm(one, here) <= townRadiusKm(one));
        expect(chosen).toHaveLength(Math.min(MAX_TOWNS_AROUND, holding.length));
        expect(chosen).toEqual(chosen.toSorted(compareTowns));
        for (const one of chosen) expect(holding).toContain(one);
        const left = holding.filter((one) => !chosen.includes(one));
        const nearest_km = Math.min(...chosen.map((one) => distanceKm(one, here)));
        for (const one of left) {
          expect(distanceKm(one, here)).toBeGreaterThanOrEqual(nearest_km);
          // Only the nearest town may be less important than an omitted one.
          expect(chosen.filter((other) => compareTowns(other, one) > 0).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('isSameTown', () => {
  it('is the same both ways', () => {
    const city = town(1, ['a'], { population: 6_000_000 });
    const close = town(2, ['a'], { longitude: 1.2 });
    expect([isSameTown(city, close), isSameTown(close, city)]).toEqual([true, true]);
  });
});
