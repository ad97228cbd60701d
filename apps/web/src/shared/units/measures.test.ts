import type { Units } from '@sendlap/domain/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMeasures } from './measures.ts';

const METRIC: Units = { distance: 'km', swimming: 'm', body: 'kg' };
const IMPERIAL: Units = { distance: 'mi', swimming: 'yd', body: 'lb' };
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test.each([
  [0.004, 'en', '10 m', '10 yd'],
  [0.4567, 'en', '460 m', '500 yd'],
  [0.7999, 'en', '800 m', '870 yd'],
  [0.803, 'en', '800 m', '0.5 mi'],
  [0.9996, 'en', '1 km', '0.6 mi'],
  [3.24, 'es', '3,2 km', '2 mi'],
  [118.4, 'en', '118 km', '74 mi'],
])('%d km reads in %s as %s or %s', (km, locale, metric, imperial) => {
  expect(plain(createMeasures(METRIC, locale).distance(km))).toBe(metric);
  expect(plain(createMeasures(IMPERIAL, locale).distance(km))).toBe(imperial);
});

test.each([
  [2000, 'en', '2,000 m', '2,187 yd'],
  [12_000, 'es', '12.000 m', '13.123 yd'],
  [572, 'en', '572 m', '625 yd'],
])('a swim of %d m reads in %s as %s or %s', (metres, locale, metric, imperial) => {
  expect(plain(createMeasures(METRIC, locale).swum(metres))).toBe(metric);
  expect(plain(createMeasures(IMPERIAL, locale).swum(metres))).toBe(imperial);
});

test.each([
  [25, '25 m'],
  [33.33, '33.33 m'],
  [22.86, '25 yd'],
])('a pool of %d m is one of %s for everyone', (metres, expected) => {
  for (const units of [METRIC, IMPERIAL]) expect(createMeasures(units, 'en').pool(metres)).toBe(expected);
});

test.each([
  ['en', METRIC, '61.5 kg, 170 cm, 100 m'],
  ['es', METRIC, '61,5 kg, 170 cm, 100 m'],
  ['en', IMPERIAL, '135.6 lb, 5 ft 7 in, 100 yd'],
  ['es', IMPERIAL, '135,6 lb, 5 ft 7 in, 100 yd'],
])('a person and the length of a pace read in %s with %j as %s', (locale, units, expected) => {
  const { weight, height, swumUnits } = createMeasures(units, locale);
  expect(plain([weight(61.5), height(170), swumUnits(100)].join(', '))).toBe(expected);
});

test('a height of whole feet has no inches', () => {
  expect(createMeasures(IMPERIAL, 'en').height(182.88)).toBe('6 ft');
});

describe('a total', () => {
  test.each([
    [2_450, 'm', { count: 2.5, text: '2.5 km' }],
    [25, 'm', { count: 25, text: '25 m' }],
    [1_000, 'yd', { count: 1094, text: '1,094 yd' }],
    [10_000, 'yd', { count: 6.3, text: '6.3 mi' }],
  ] as const)('of %d m in %s is rounded up to %j', (metres, swimming, expected) => {
    expect(createMeasures({ ...METRIC, swimming }, 'en').swumTotal(metres, 'up')).toEqual(expected);
  });

  test('that misses its goal reads less than the goal, and something is left', () => {
    const swims = fc.constantFrom('m' as const, 'yd' as const);
    fc.assert(
      fc.property(fc.constantFrom(1_000, 10_000, 50_000, 100_000), fc.nat(99_999), swims, (goal, swum, swimming) => {
        const done = swum % goal;
        const { swumTotal } = createMeasures({ ...METRIC, swimming }, 'en');
        expect(swumTotal(done, 'down', goal).count).toBeLessThan(swumTotal(goal, 'up').count);
        expect(swumTotal(goal - done, 'up').count).toBeGreaterThan(0);
      }),
    );
  });
});

test('the numbers of a text grow with the distance', () => {
  const distances = fc.tuple(
    fc.double({ min: 10, max: 500, noNaN: true }),
    fc.double({ min: 0, max: 500, noNaN: true }),
  );
  fc.assert(
    fc.property(distances, fc.constantFrom(METRIC, IMPERIAL), ([km, more], units) => {
      const { distance } = createMeasures(units, 'en');
      const value = (text: string) => Number.parseFloat(text.replace(',', ''));
      expect(value(distance(km + more))).toBeGreaterThanOrEqual(value(distance(km)));
    }),
  );
});

test('no other file names a unit of length or weight to the formatter', () => {
  const files = import.meta.glob<string>('../../**/*.{ts,tsx}', { eager: true, query: '?raw', import: 'default' });
  const naming = Object.entries(files).filter(([, code]) =>
    /unit: '(kilo|centi)?(meter|gram)'|unit: '(mile|yard|foot|inch|pound)'/.test(code),
  );
  expect(Object.keys(files).length).toBeGreaterThan(300);
  expect(naming.map(([path]) => path)).toEqual([]);
});
