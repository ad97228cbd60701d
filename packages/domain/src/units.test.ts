import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BIO_INFO_BOUNDS } from './bio-info/bio-info.ts';
import { MAX_DISTANCE_M } from './sports.ts';
import {
  fromWholeMetres,
  poolMetres,
  poolYards,
  toCentimetres,
  toFeetAndInches,
  toKilograms,
  toPounds,
  toWholeMetres,
  toYards,
  unitsOfRegion,
} from './units.ts';

test.each([
  [undefined, 'km m kg'],
  ['ES', 'km m kg'],
  ['US', 'mi yd lb'],
  ['GB', 'mi m kg'],
])('the usual units of region %s are %s', (region, units) => {
  expect(Object.values(unitsOfRegion(region)).join(' ')).toBe(units);
});

test.each([
  ['500 m in yards', toYards(500), 547],
  ['150 lb in kg', toKilograms(150), 68.04],
  ['61.5 kg in lb', toPounds(61.5), 135.6],
  ['5 ft 11 in in cm', toCentimetres({ feet: 5, inches: 11 }), 180.34],
  ['a 25-yard pool in metres', poolMetres(25), 22.86],
])('%s', (_, value, expected) => {
  expect(value).toBe(expected);
});

describe('an entered value is shown again:', () => {
  test('every tenth of a pound', () => {
    const { min, max } = BIO_INFO_BOUNDS.weight_kg;
    for (let tenths = Math.ceil(toPounds(min) * 10); tenths <= toPounds(max) * 10; tenths++) {
      const pounds = tenths / 10;
      if (toPounds(toKilograms(pounds)) !== pounds) expect(pounds).toBe('shown again');
    }
  });

  test('every inch', () => {
    const { min, max } = BIO_INFO_BOUNDS.height_cm;
    for (let total = Math.ceil(min / 2.54); total <= max / 2.54; total++) {
      const height = { feet: Math.floor(total / 12), inches: total % 12 };
      expect(toFeetAndInches(toCentimetres(height))).toEqual(height);
    }
  });

  test('every fifth yard up to the longest distance, and so every number of lengths of a 25-yard pool', () => {
    for (let yards = 0; yards * 0.9144 <= MAX_DISTANCE_M; yards += 5) {
      if (fromWholeMetres(toWholeMetres(yards, 'yd'), 'yd') !== yards) expect(yards).toBe('shown again');
    }
  });

  test('every other yard, to the next one', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (yards) => {
        expect(Math.abs(fromWholeMetres(toWholeMetres(yards, 'yd'), 'yd') - yards)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('every metre', () => {
    fc.assert(
      fc.property(fc.nat(MAX_DISTANCE_M), (metres) => {
        expect(fromWholeMetres(toWholeMetres(metres, 'm'), 'm')).toBe(metres);
      }),
    );
  });
});

test('stored metres that are shown in yards stay the same metres', () => {
  fc.assert(
    fc.property(fc.nat(MAX_DISTANCE_M), (metres) => {
      expect(toWholeMetres(toYards(metres), 'yd')).toBe(metres);
    }),
  );
});

describe('a pool', () => {
  test.each([25, 50, 33.33, 12.5, 16.67, 33.3, 20, 100])('of %d m was built in metres', (metres) => {
    expect(poolYards(metres)).toBeNull();
  });

  test.each([20, 25, 33, 50])('of %d yards was built in yards', (yards) => {
    expect(poolYards(poolMetres(yards))).toBe(yards);
  });
});
