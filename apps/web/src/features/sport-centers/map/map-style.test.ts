import { unitsOfRegion } from '@sendlap/domain/units.ts';
import { describe, expect, it } from 'vitest';
import type { Streets } from './map-config.ts';
import type { MapPalette } from './map-palette.ts';
import { buildMapStyle } from './map-style.ts';

const palette = new Proxy({}, { get: () => 'rgb(1, 2, 3)' }) as MapPalette;
const units = unitsOfRegion(undefined);
const ANDORRA: Streets = {
  min_zoom: 0,
  max_zoom: 14,
  bounds: { west: 1.41, south: 42.43, east: 1.79, north: 42.66 },
  attribution: '© OpenStreetMap contributors',
};

describe('the style of the map', () => {
  it('asks for nothing that this server does not have', () => {
    const style = buildMapStyle({ palette, language: 'en', units, streets: null });
    expect(Object.keys(style.sources)).not.toContain('streets');
    expect(style.layers.filter((layer) => 'source' in layer && !(layer.source in style.sources))).toEqual([]);
  });

  it('leaves streets out that end before they would be drawn', () => {
    const style = buildMapStyle({ palette, language: 'en', units, streets: { ...ANDORRA, max_zoom: 7 } });
    expect(style.sources).not.toHaveProperty('streets');
  });

  it('asks for streets within their bounds and zooms only', () => {
    const { sources } = buildMapStyle({ palette, language: 'en', units, streets: ANDORRA });
    expect(sources.streets).toMatchObject({ minzoom: 8, maxzoom: 14, bounds: [1.41, 42.43, 1.79, 42.66] });
  });

  it('draws streets around the antimeridian although MapLibre knows no such bounds', () => {
    const bounds = { west: 177, south: -20, east: -178, north: -15 };
    const { sources } = buildMapStyle({ palette, language: 'en', units, streets: { ...ANDORRA, bounds } });
    expect(sources.streets).not.toHaveProperty('bounds');
    const [ring] = (sources['streets-area'] as { data: GeoJSON.Polygon }).data.coordinates;
    expect(ring).toContainEqual([182, -15]);
  });

  it('has one layer of each name, and the centers and I above all that is ground', () => {
    const ids = buildMapStyle({ palette, language: 'es', units, streets: ANDORRA }).layers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(-2)).toEqual(['me', 'selected']);
    expect(ids.indexOf('clusters')).toBeGreaterThan(ids.findLastIndex((id) => id.startsWith('place')));
  });

  it.each([
    [
      'OpenMapTiles',
      ['water', 'waterway', 'landcover', 'transportation', 'building', 'place', 'mountain_peak', 'housenumber'],
    ],
    ['Protomaps', ['water', 'landuse', 'roads', 'buildings', 'places', 'pois', 'boundaries']],
  ])('draws the layers of %s, in the same colours as those of the other schema', (_, schema_layers) => {
    const layers = buildMapStyle({ palette, language: 'en', units, streets: ANDORRA }).layers;
    const drawn = layers.map((layer) => 'source-layer' in layer && layer['source-layer']);
    for (const layer of schema_layers) expect(drawn).toContain(layer);
    const paints = (id: string) =>
      new Set(layers.filter((layer) => layer.id.startsWith(id)).map(({ paint }) => JSON.stringify(paint)));
    for (const id of ['buildings-', 'paths-', 'rails-', 'wood-', 'peaks-', 'house-numbers-', 'place-names-'])
      expect(paints(id).size, id).toBe(1);
  });

  it.each([
    ['ES', '" m"', '" ft"'],
    ['GB', '" ft"', '" m"'],
  ])('gives the height of peaks in the unit of %s', (region, unit, other_unit) => {
    const { layers } = buildMapStyle({ palette, language: 'en', units: unitsOfRegion(region), streets: ANDORRA });
    const peaks = layers.filter(({ id }) => id.startsWith('peaks-')).map(({ layout }) => JSON.stringify(layout));
    expect(peaks).toHaveLength(2);
    for (const text of peaks) {
      expect(text).toContain(unit);
      expect(text).not.toContain(other_unit);
    }
  });

  it.each([
    ['en', 'name:en'],
    ['es', 'name:es'],
  ])('names things in %s where the map can', (language, field) => {
    const { layers } = buildMapStyle({ palette, language, units, streets: ANDORRA });
    const places = layers.find(({ id }) => id === 'place-names-place');
    expect(JSON.stringify(places?.layout)).toContain(field);
  });
});
