import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { unitsOfRegion } from '@sendlap/domain/units.ts';
import { expect, test, vi } from 'vitest';
import { toCenterFeatures } from './map-features.ts';
import type { MapPalette } from './map-palette.ts';
import { buildMapStyle } from './map-style.ts';

vi.mock('@sendlap/domain/sports/sport-list.ts', async (load) => {
  const { SPORT_LIST } = await load<typeof import('@sendlap/domain/sports/sport-list.ts')>();
  return { SPORT_LIST: [...SPORT_LIST, { ...SPORT_LIST[0], name: 'rowing', code_number: 200 }] };
});
vi.mock('#web/shared/sports/sport-look.ts', async (load) => {
  const { SPORT_LOOKS } = await load<typeof import('#web/shared/sports/sport-look.ts')>();
  return { SPORT_LOOKS: { ...SPORT_LOOKS, rowing: { ...SPORT_LOOKS.swimming, tone: 'row' } } };
});

test('the map counts a third sport in its bubbles, and colours a bubble of it alone', () => {
  const palette = new Proxy({}, { get: (_, name) => `colour of ${String(name)}` }) as MapPalette;
  const { sources, layers } = buildMapStyle({
    palette,
    language: 'en',
    units: unitsOfRegion(undefined),
    streets: null,
  });
  expect(sources.centers).toMatchObject({ clusterProperties: { rowing: ['+', ['get', 'rowing']] } });
  const bubbles = layers.find(({ id }) => id === 'clusters');
  const alone = ['all', ['==', ['get', 'climbing'], 0], ['==', ['get', 'swimming'], 0]];
  const color = (bubbles?.paint as { 'circle-color': unknown[] } | undefined)?.['circle-color'] ?? [];
  expect(color[color.findIndex((part) => JSON.stringify(part) === JSON.stringify(alone)) + 1]).toBe('colour of row');
});

test.each([
  [['rowing'], 'rowing'],
  [['rowing', 'climbing'], 'climbing+rowing'],
  [['rowing', 'swimming', 'climbing'], 'both'],
])('a center of %j has the pin %s', (types, pin) => {
  const sport_facilities = (types as Sport[]).map((type) => ({ type }));
  const center = { id: 'a', name: 'Lake', longitude: 1, latitude: 2, sport_facilities } as unknown as SportCenter;
  expect(toCenterFeatures([center]).features[0]?.properties).toMatchObject({ sports: pin, rowing: 1 });
});
