import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import type { Units } from '@sendlap/domain/units.ts';
import type { SourceSpecification, StyleSpecification } from 'maplibre-gl';
import {
  CENTERS_SOURCE,
  centerLayers,
  ME_SOURCE,
  RINGS_SOURCE,
  ringLayers,
  SELECTED_SOURCE,
  topLayers,
} from './map-center-layers.ts';
import type { Streets } from './map-config.ts';
import type { MapPalette } from './map-palette.ts';
import { MIN_STREETS_ZOOM, STREETS_AREA_SOURCE, STREETS_SOURCE, streetLayers } from './map-street-layers.ts';
import { streetNameLayers } from './map-street-names.ts';
import { MAX_WORLD_ZOOM, toPolygon, WORLD_SOURCE, worldLayers, worldNameLayers } from './map-world-layers.ts';
import { tileUrlTemplate } from './tile-url.ts';

const CLUSTER_RADIUS_PX = 38;
const MAX_CLUSTER_ZOOM = 14;
const NO_FEATURES = { type: 'FeatureCollection' as const, features: [] };

interface StyleOptions {
  palette: MapPalette;
  language: string;
  units: Units;
  /** The street map for closer zooms; null: none. */
  streets: Streets | null;
}

/** The whole style: land and water, streets if available, names, and the four sources that the page fills. */
export function buildMapStyle({ palette, language, units, streets }: StyleOptions): StyleSpecification {
  const usableStreets = streets && streets.max_zoom >= MIN_STREETS_ZOOM ? streets : null;
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: 'vector', tiles: [tileUrlTemplate('world')], maxzoom: MAX_WORLD_ZOOM },
      ...(usableStreets ? streetSources(usableStreets) : {}),
      [CENTERS_SOURCE]: {
        type: 'geojson',
        data: NO_FEATURES,
        cluster: true,
        clusterRadius: CLUSTER_RADIUS_PX,
        clusterMaxZoom: MAX_CLUSTER_ZOOM,
        clusterProperties: Object.fromEntries(SPORTS.map((sport) => [sport, ['+', ['get', sport]]])),
      },
      [SELECTED_SOURCE]: { type: 'geojson', data: NO_FEATURES },
      [ME_SOURCE]: { type: 'geojson', data: NO_FEATURES },
      [RINGS_SOURCE]: { type: 'geojson', data: NO_FEATURES },
    },
    layers: [
      ...worldLayers(palette),
      ...(usableStreets ? streetLayers(palette) : []),
      ...ringLayers(palette),
      ...(usableStreets ? streetNameLayers(palette, language, units.distance) : []),
      ...worldNameLayers(palette, language, usableStreets?.bounds ?? null),
      ...centerLayers(palette),
      ...topLayers(palette),
    ],
  };
}

function streetSources({ bounds, min_zoom, max_zoom }: Streets): Record<string, SourceSpecification> {
  return {
    [STREETS_AREA_SOURCE]: { type: 'geojson', data: toPolygon(bounds) },
    [STREETS_SOURCE]: {
      type: 'vector',
      tiles: [tileUrlTemplate('streets')],
      minzoom: Math.max(MIN_STREETS_ZOOM, min_zoom),
      maxzoom: max_zoom,
      ...boundsOf(bounds),
    },
  };
}

/** MapLibre requests no tiles outside the bounds. It does not support a box across the antimeridian: no bounds then. */
function boundsOf({ west, south, east, north }: BoundingBox): { bounds?: [number, number, number, number] } {
  return west <= east ? { bounds: [west, south, east, north] } : {};
}
