import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { MapPalette } from './map-palette.ts';

/** Names that the style and the code that feeds it share. */
export const CENTERS_SOURCE = 'centers';
export const SELECTED_SOURCE = 'selected';
export const ME_SOURCE = 'me';
export const RINGS_SOURCE = 'rings';
export const CLUSTER_LAYER = 'clusters';
export const CENTER_LAYER = 'center-pins';

/** Our server cuts tiles up to here; the map draws nearer views from the same tiles. */
const MAX_TILE_ZOOM = 8;
const CLUSTER_RADIUS_PX = 38;
const MAX_CLUSTER_ZOOM = 14;
const NOTHING = { type: 'FeatureCollection' as const, features: [] };
// Without a glyph server MapLibre draws letters with the device's own font of this name.
const FONT = ['sans-serif'];

interface StyleOptions {
  palette: MapPalette;
  language: string;
  /** Where the server answers, e.g. https://sendlap.example. */
  base: string;
}

/** The whole map: land and water, borders, names, and the three sources that the page fills. */
export function buildMapStyle({ palette, language, base }: StyleOptions): StyleSpecification {
  return {
    version: 8,
    sources: {
      world: { type: 'vector', tiles: [`${base}/v1/tiles/{z}/{x}/{y}.mvt`], maxzoom: MAX_TILE_ZOOM },
      [CENTERS_SOURCE]: {
        type: 'geojson',
        data: NOTHING,
        cluster: true,
        clusterRadius: CLUSTER_RADIUS_PX,
        clusterMaxZoom: MAX_CLUSTER_ZOOM,
        clusterProperties: { climbing: ['+', ['get', 'climbing']], swimming: ['+', ['get', 'swimming']] },
      },
      [SELECTED_SOURCE]: { type: 'geojson', data: NOTHING },
      [ME_SOURCE]: { type: 'geojson', data: NOTHING },
      [RINGS_SOURCE]: { type: 'geojson', data: NOTHING },
    },
    layers: [
      ...worldLayers(palette, language),
      ...ringLayers(palette),
      ...centerLayers(palette),
      ...topLayers(palette),
    ],
  };
}

function worldLayers(palette: MapPalette, language: string): LayerSpecification[] {
  const source = 'world';
  const name: ExpressionSpecification =
    language === 'es' ? ['coalesce', ['get', 'name_es'], ['get', 'name']] : ['get', 'name'];
  const rank: ExpressionSpecification = ['get', 'rank'];
  return [
    // What has not come yet is no sea: the background is the colour of land.
    { id: 'unknown', type: 'background', paint: { 'background-color': palette.land } },
    {
      id: 'sea',
      type: 'fill',
      source,
      'source-layer': 'sea',
      // Softened edges would show the seams between tiles.
      paint: { 'fill-color': palette.water, 'fill-antialias': false },
    },
    { id: 'land', type: 'fill', source, 'source-layer': 'land', paint: { 'fill-color': palette.land } },
    {
      id: 'borders',
      type: 'line',
      source,
      'source-layer': 'borders',
      paint: {
        'line-color': palette.border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.5, 8, 1.5],
        'line-dasharray': [3, 2],
      },
    },
    {
      id: 'places',
      type: 'symbol',
      source,
      'source-layer': 'places',
      // Near by everything is named; from afar only what is known from afar.
      filter: ['<=', rank, ['step', ['zoom'], 1, 4, 2, 6, 3, 8, 4, 9, 5, 11, 6]],
      layout: {
        'text-field': name,
        'text-font': FONT,
        'text-size': ['step', rank, 15, 2, 13.5, 3, 12.5, 4, 12],
        'text-max-width': 8,
        'text-padding': 4,
        // A name steps aside for a pin on its city.
        'text-variable-anchor': ['center', 'bottom', 'top', 'left', 'right'],
        'text-radial-offset': 1.3,
        'text-justify': 'auto',
        'symbol-sort-key': ['-', ['*', rank, 1e8], ['get', 'population']],
      },
      paint: {
        'text-color': palette.city,
        'text-halo-color': palette.halo,
        'text-halo-width': 1.4,
        'text-opacity': ['case', ['==', rank, 6], 0.75, 1],
      },
    },
  ];
}

/** Circles of known distance: without streets they tell near from far. */
function ringLayers(palette: MapPalette): LayerSpecification[] {
  const source = RINGS_SOURCE;
  const isFitting: ExpressionSpecification = [
    'all',
    ['>=', ['zoom'], ['get', 'min_zoom']],
    ['<', ['zoom'], ['get', 'max_zoom']],
  ];
  return [
    {
      id: 'rings',
      type: 'line',
      source,
      filter: isFitting,
      paint: { 'line-color': palette.city, 'line-opacity': 0.28, 'line-width': 1, 'line-dasharray': [4, 4] },
    },
    {
      id: 'ring-names',
      type: 'symbol',
      source,
      filter: isFitting,
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 400,
        'text-field': ['get', 'name'],
        'text-font': FONT,
        'text-size': 11.5,
      },
      paint: { 'text-color': palette.city, 'text-halo-color': palette.land, 'text-halo-width': 2 },
    },
  ];
}

function centerLayers(palette: MapPalette): LayerSpecification[] {
  const source = CENTERS_SOURCE;
  const count: ExpressionSpecification = ['get', 'point_count'];
  return [
    {
      id: CLUSTER_LAYER,
      type: 'circle',
      source,
      filter: ['has', 'point_count'],
      paint: {
        // A bubble of one sport has its colour; a mixed one is neutral.
        'circle-color': [
          'case',
          ['==', ['get', 'swimming'], 0],
          palette.climb,
          ['==', ['get', 'climbing'], 0],
          palette.swim,
          palette.ink,
        ],
        'circle-radius': ['step', count, 19, 10, 22, 50, 26, 200, 31],
        'circle-stroke-color': palette.surface,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'cluster-counts',
      type: 'symbol',
      source,
      filter: ['has', 'point_count'],
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': FONT,
        'text-size': 15,
        'text-allow-overlap': true,
        // About the bubble's size, so that names keep off it.
        'text-padding': 12,
      },
      paint: { 'text-color': palette.surface },
    },
    {
      id: CENTER_LAYER,
      type: 'symbol',
      source,
      filter: ['!', ['has', 'point_count']],
      layout: {
        'icon-image': ['concat', 'pin-', ['get', 'sports']],
        'icon-allow-overlap': true,
        'icon-padding': 0,
        'text-field': ['step', ['zoom'], '', 12, ['get', 'name']],
        'text-font': FONT,
        'text-size': 12.5,
        'text-anchor': 'top',
        'text-offset': [0, 1.5],
        'text-max-width': 9,
        'text-optional': true,
      },
      paint: { 'text-color': palette.ink, 'text-halo-color': palette.halo, 'text-halo-width': 1.6 },
    },
  ];
}

function topLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'me-halo',
      type: 'circle',
      source: ME_SOURCE,
      paint: { 'circle-radius': 20, 'circle-color': palette.accent, 'circle-opacity': 0.18 },
    },
    {
      id: 'me',
      type: 'circle',
      source: ME_SOURCE,
      paint: {
        'circle-radius': 8,
        'circle-color': palette.accent,
        'circle-stroke-color': palette.surface,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'selected',
      type: 'symbol',
      source: SELECTED_SOURCE,
      layout: {
        'icon-image': ['concat', 'pin-', ['get', 'sports']],
        'icon-size': 1.4,
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
        'text-field': ['get', 'name'],
        'text-font': FONT,
        'text-size': 14,
        'text-anchor': 'top',
        'text-offset': [0, 2],
        'text-max-width': 10,
        'text-optional': true,
      },
      paint: { 'text-color': palette.ink, 'text-halo-color': palette.halo, 'text-halo-width': 2 },
    },
  ];
}
