import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { feature, mesh, type Topology } from 'topojson-client';
import { buildPlaceIndex } from './place-index.ts';
import { MAX_TILE_ZOOM, TILE_EXTENT, type TileAddress } from './tile-address.ts';
import { unwrapRing } from './unwrap-ring.ts';

type Feature = GeoJSONVTTile['features'][number];

/** Cuts vector tiles of the world with the layers `sea`, `land`, `borders` and `places`. */
export interface WorldIndex {
  /** The tile as Mapbox Vector Tile 2. */
  cut(address: TileAddress): Uint8Array;
  /**
   * Cuts one of the upper tiles with each step. A deeper tile is cut out of the one above it; where that is missing,
   * its first cut takes up to 10 ms, else less than 2.
   */
  prepare(): Generator<void>;
}

const PREPARED_ZOOM = 5;

/** Up to here the coarse drawing of the world is as good as the fine one, and half the bytes. */
const MAX_COARSE_ZOOM = 2;

const BUFFER = 64;

/**
 * The sea is the whole tile, with the land on it. A map whose background is not the sea then tells a tile that has not
 * come (no network) from open water.
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
  // Without a limit, tiles of few points would not be cut down at the start, and each request would redo the work.
  indexMaxPoints: 0,
  tolerance: 3,
  extent: TILE_EXTENT,
  buffer: BUFFER,
};

/** Reads Natural Earth (by world-atlas) and GeoNames; about half a second of work, so not for the main thread. */
export function buildWorldIndex(): WorldIndex {
  const coarse = { land: cutLand('110m'), borders: cutBorders('110m') };
  const fine = { land: cutLand('10m'), borders: cutBorders('10m') };
  const places = buildPlaceIndex();

  function cut(address: TileAddress): Uint8Array {
    const { z, x, y } = address;
    const world = z <= MAX_COARSE_ZOOM ? coarse : fine;
    const layers: Record<string, GeoJSONVTTile> = { sea: layerOf(SEA) };
    const land = world.land.getTile(z, x, y);
    if (land) layers.land = land;
    const borders = world.borders.getTile(z, x, y);
    if (borders) layers.borders = borders;
    const features = places.cut(address);
    if (features.length > 0) layers.places = layerOf(features);
    return fromGeojsonVt(layers, { version: 2, extent: TILE_EXTENT });
  }

  return {
    cut,
    *prepare() {
      for (let z = 0; z <= PREPARED_ZOOM; z += 1) {
        for (let at = 0; at < 4 ** z; at += 1) {
          cut({ z, x: at % 2 ** z, y: Math.floor(at / 2 ** z) });
          yield;
        }
      }
    },
  };
}

/** The encoder reads nothing of a tile but its features. */
function layerOf(features: Feature[]): GeoJSONVTTile {
  return { features } as GeoJSONVTTile;
}

function readTopology(name: string): Topology {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Topology;
}

function cutLand(resolution: string): GeoJSONVT {
  const topology = readTopology(`land-${resolution}`);
  const land = feature(topology, topology.objects.land ?? {});
  const features = land.features.map(({ geometry, ...rest }) => ({
    ...rest,
    geometry: { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(unwrapRing)) },
  }));
  return new GeoJSONVT({ ...land, features }, OPTIONS);
}

function cutBorders(resolution: string): GeoJSONVT {
  const topology = readTopology(`countries-${resolution}`);
  // Only lines that two countries share: coasts come with the land.
  const shared = mesh(topology, topology.objects.countries ?? {}, (a, b) => a !== b);
  return new GeoJSONVT({ type: 'Feature', properties: {}, geometry: shared }, OPTIONS);
}
