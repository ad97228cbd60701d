import { boundingBox, isInBox } from '@sendlap/domain/geo.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MapConfig } from '#web/shared/copies/map-config.ts';
import type { SavableArea } from './savable-area.ts';
import { planTiles, tilesAround, tilesInBox, tileUrl } from './tile-plan.ts';

const ANDORRA: SavableArea = {
  id: 'geonames:3041563',
  name: 'Andorra la Vella',
  name_es: 'Andorra la Vieja',
  country: 'AD',
  latitude: 42.507,
  longitude: 1.522,
  radius_km: 5,
};
const bounds = { west: 1.41, south: 42.42, east: 1.79, north: 42.66 };
const STREETS: MapConfig = {
  world: { max_zoom: 8, attribution: '' },
  streets: { min_zoom: 0, max_zoom: 15, bounds, attribution: '' },
};
const MUCH = 50_000_000;

describe('a plan', () => {
  test.each([
    ['the server did not say what it has', null],
    ['the server has no streets', { ...STREETS, streets: null }],
  ])('is the world only where %s', (_, config) => {
    const { tiles, is_trimmed } = planTiles(ANDORRA, config, MUCH);
    expect(new Set(tiles.map(({ layer, zoom }) => `${layer} ${zoom}`))).toEqual(
      new Set([0, 1, 2, 3, 4, 5, 6, 7, 8].map((zoom) => `world ${zoom}`)),
    );
    expect(is_trimmed).toBe(false);
  });

  test('has no streets for a place off the street map', () => {
    const bilbao = { ...ANDORRA, latitude: 43.26, longitude: -2.93 };
    expect(planTiles(bilbao, STREETS, MUCH).tiles.every(({ layer }) => layer === 'world')).toBe(true);
  });

  test('ends with the last zoom level of streets that fits, and says so', () => {
    const full_plan = planTiles(ANDORRA, STREETS, MUCH);
    expect(Math.max(...full_plan.tiles.map(({ zoom }) => zoom))).toBe(14);
    expect(full_plan.is_trimmed).toBe(false);
    const less = planTiles(ANDORRA, STREETS, full_plan.bytes - 1);
    expect(Math.max(...less.tiles.map(({ zoom }) => zoom))).toBe(13);
    expect(less.is_trimmed).toBe(true);
    expect(less.bytes).toBeLessThan(full_plan.bytes);
  });
});

test('every point of a place is on one of its tiles, also beyond the antimeridian and at the poles', () => {
  const positions = fc.record({
    latitude: fc.double({ min: -85, max: 85, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  const radius = fc.double({ min: 0.5, max: 60, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(positions, radius, share, share, fc.integer({ min: 0, max: 11 }), (middle, radius_km, u, v, zoom) => {
      const box = boundingBox(middle, radius_km);
      const width = box.west <= box.east ? box.east - box.west : box.east - box.west + 360;
      const turned = box.west + u * width;
      const longitude = turned > 180 ? turned - 360 : turned;
      const latitude = Math.min(85, Math.max(-85, box.south + v * (box.north - box.south)));
      if (!isInBox({ latitude, longitude }, box)) return;
      const tiles = tilesInBox(box, zoom);
      expect(tiles.some((tile) => contains(tile, { latitude, longitude }))).toBe(true);
      expect(new Set(tiles.map(({ x, y }) => `${x} ${y}`)).size).toBe(tiles.length);
    }),
  );
});

/** Whether a position lies on a tile or its edge, by the tile's corners. */
function contains(tile: { zoom: number; x: number; y: number }, at: { latitude: number; longitude: number }): boolean {
  const near = 1e-9;
  const west = (tile.x / 2 ** tile.zoom) * 360 - 180;
  const east = ((tile.x + 1) / 2 ** tile.zoom) * 360 - 180;
  const edge = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** tile.zoom))) * 180) / Math.PI;
  const is_row = at.latitude <= edge(tile.y) + near && at.latitude >= edge(tile.y + 1) - near;
  return is_row && at.longitude >= west - near && at.longitude <= east + near;
}

test('around a position there are a few tiles of the world, of every zoom level', () => {
  const tiles = tilesAround({ ...ANDORRA, radius_km: 25 });
  expect(tiles.length).toBeLessThan(40);
  expect(new Set(tiles.map(({ zoom }) => zoom)).size).toBe(9);
});

test('the address of a tile has its layer, zoom, column and row', () => {
  expect(tileUrl('', { layer: 'world', zoom: 8, x: 129, y: 94 })).toBe('/v1/tiles/8/129/94.mvt');
  expect(tileUrl('https://a.test', { layer: 'streets', zoom: 14, x: 1, y: 2 })).toBe(
    'https://a.test/v1/tiles/streets/14/1/2.mvt',
  );
});
