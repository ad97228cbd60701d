import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { Latitude, numericText } from '@sendlap/contract/wire/schemas.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

const number = numericText(z.number());
const latitude = numericText(Latitude);
const { bbox } = searchSportCenters.query.shape;

describe('a text that is not a number', () => {
  test.each(['', ' ', '1 ', 'NaN', 'Infinity', '0x1f', '1e3', '+1', '.5', '1.', '1,5', '--1', '1.2.3'])(
    '%j',
    (text) => {
      expect(number.safeParse(text).success).toBe(false);
    },
  );

  test('is a text that is longer than any number that we know', () => {
    expect(number.safeParse('1'.repeat(10)).success).toBe(false);
    expect(number.safeParse(`1.${'1'.repeat(21)}`).success).toBe(false);
  });

  test.each(['', '1,2,3', '1,2,3,4,5', '1,2,3,x', '1, 2,3,4', '1,91,3,92', '1,5,3,4', '181,1,3,4'])(
    '%j is no box',
    (text) => {
      expect(bbox.safeParse(text).success).toBe(false);
    },
  );
});

test('a number has as many decimals as a computation leaves it with', () => {
  expect(latitude.parse('0.30000000000000004')).toBe(0.1 + 0.2);
  expect(bbox.parse('-2.9349852999999997,43.2,-0.30000000000000004,43.300000000000004')).toEqual({
    west: -2.9349852999999997,
    south: 43.2,
    east: -0.30000000000000004,
    north: 43.300000000000004,
  });
});

test('a position is taken as it is written [property]', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 90, noNaN: true }), fc.boolean(), (size, is_south) => {
      const degrees = is_south ? -size : size;
      expect(latitude.parse(String(degrees))).toBe(degrees);
    }),
  );
});
