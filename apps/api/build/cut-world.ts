import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { MAX_TILE_ZOOM, TILE_EXTENT } from '#api/modules/tiles/archive/tile-address.ts';
import { placeTowns } from './town-points.ts';
import { unwrapRing } from './unwrap-ring.ts';
import type { ArchiveTile } from './write-archive.ts';

type Feature = GeoJSONVTTile['features'][number];
type Atlas = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;

/** Up to this zoom the coarse map of the world looks the same as the fine one and takes half the bytes. */
const MAX_COARSE_ZOOM = 2;

const BUFFER = 64;

/**
 * The sea fills the whole tile, with the land on it. The map's background is not the sea's colour, so that a tile which
 * has not loaded (no network) looks different from open water.
 */
const SEA: Feature[] = [
  {
    type: 3,
    tags: {},
    geometry: [
      [
        [-BUFFER, -BUFFER],
        [TILE_EXTENT + BUFFER, -BUFFER],
        [TILE_EXTENT + BUFFER, TILE_EXTENT + BUFFER],
        [-BUFFER, TILE_EXTENT + BUFFER],
        [-BUFFER, -BUFFER],
      ],
    ],
  },
];

const OPTIONS = {
  maxZoom: MAX_TILE_ZOOM,
  indexMaxZoom: 3,
  // Without a limit on points, every tile of the first zoom levels is cut once and kept.
  indexMaxPoints: 0,
  tolerance: 3,
  extent: TILE_EXTENT,
  buffer: BUFFER,
};

/**
 * Yields every vector tile (MVT 2) of the world in the order of PMTiles ids, with the layers `sea`, `land`, `borders`
 * and `places`. Reads Natural Earth (from world-atlas) and GeoNames. Takes about 13 s of CPU and 800 MB.
 */
export function* cutWorld(max_zoom = MAX_TILE_ZOOM): Generator<ArchiveTile> {
  const coarse = { land: cutLand('110m'), borders: cutBorders('110m') };
  const fine = { land: cutLand('10m'), borders: cutBorders('10m') };
  const towns = placeTowns();
  for (let id = 0; id < zxyToTileId(max_zoom + 1, 0, 0); id += 1) {
    const [z, x, y] = tileIdToZxy(id);
    const world = z <= MAX_COARSE_ZOOM ? coarse : fine;
    const layers: Record<string, GeoJSONVTTile> = { sea: toLayer(SEA) };
    const land = world.land.getTile(z, x, y);
    if (land) layers.land = land;
    const borders = world.borders.getTile(z, x, y);
    if (borders) layers.borders = borders;
    const places = towns.get(id);
    if (places) layers.places = toLayer(places);
    yield { z, x, y, bytes: fromGeojsonVt(layers, { version: 2, extent: TILE_EXTENT }) };
  }
}

/** The encoder reads only the features of a tile. */
function toLayer(features: Feature[]): GeoJSONVTTile {
  return { features } as GeoJSONVTTile;
}

function readAtlas(name: string): Atlas {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Atlas;
}

function cutLand(resolution: string): GeoJSONVT {
  const atlas = readAtlas(`land-${resolution}`);
  const { features } = feature(atlas, atlas.objects.land);
  for (const { geometry } of features) {
    if (geometry.type !== 'MultiPolygon') continue;
    geometry.coordinates = geometry.coordinates.map((polygon) => polygon.map(unwrapRing));
  }
  return new GeoJSONVT({ type: 'FeatureCollection', features }, OPTIONS);
}

function cutBorders(resolution: string): GeoJSONVT {
  const atlas = readAtlas(`countries-${resolution}`);
  // Only borders that two countries share: the land layer already has the coasts.
  const shared = mesh(atlas, atlas.objects.countries, (a, b) => a !== b);
  return new GeoJSONVT({ type: 'Feature', properties: {}, geometry: shared }, OPTIONS);
}
