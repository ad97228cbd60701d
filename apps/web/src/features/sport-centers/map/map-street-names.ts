import { M_PER_FOOT, type Units } from '@sendlap/domain/units.ts';
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { FONT, nameIn } from './map-names.ts';
import type { MapPalette } from './map-palette.ts';
import { STREETS_SOURCE } from './map-street-layers.ts';

type SymbolLayer = Extract<LayerSpecification, { type: 'symbol' }>;

/** Settlements by importance, 1 is the highest; a class or kind from either schema. */
const PLACE_RANK: ExpressionSpecification = [
  'match',
  ['coalesce', ['get', 'kind_detail'], ['get', 'class'], ['get', 'kind']],
  'city',
  1,
  'town',
  2,
  ['village', 'suburb'],
  3,
  ['hamlet', 'neighbourhood', 'quarter'],
  4,
  ['locality', 'isolated_dwelling', 'square', 'island', 'islet', 'farm'],
  5,
  // Countries and states are named by the world layer.
  9,
];
const MIN_NAMES_ZOOM = 8;
const STREET_NAMES_ZOOM = 13;
const PEAKS_ZOOM = 11;
const NUMBERS_ZOOM = 17;

/** The names on the operator's map: the last layer is placed first, so the most important comes last. */
export function streetNameLayers(palette: MapPalette, language: string, unit: Units['distance']): LayerSpecification[] {
  return [
    ...houseNumbers(palette),
    ...waterNames(palette, language),
    ...peaks(palette, language, unit),
    ...roadNames(palette, language),
    ...placeNames(palette, language),
  ];
}

/** In OpenMapTiles a layer of their own, in Protomaps points among the buildings. */
function houseNumbers(palette: MapPalette): SymbolLayer[] {
  return [
    ['housenumber', 'housenumber'],
    ['buildings', 'addr_housenumber'],
  ].map(([layer = '', field = '']) => ({
    ...baseLayer('house-numbers', layer, NUMBERS_ZOOM),
    filter: ['==', ['geometry-type'], 'Point'],
    layout: { 'text-field': ['get', field], 'text-font': FONT, 'text-size': 11 },
    paint: textPaint(palette.faint, palette.building, 1),
  }));
}

function waterNames(palette: MapPalette, language: string): SymbolLayer[] {
  return ['water_name', 'waterway', 'water'].flatMap((layer) => [
    {
      ...baseLayer('water-names', layer, 12),
      filter: ['==', ['geometry-type'], 'LineString'] as FilterSpecification,
      layout: {
        'symbol-placement': 'line' as const,
        'symbol-spacing': 400,
        'text-field': nameIn(language),
        'text-font': FONT,
        'text-size': 12,
        'text-letter-spacing': 0.06,
      },
      paint: textPaint(palette.water_name, palette.halo, 1.2),
    },
    {
      ...baseLayer('lake-names', layer, 12),
      filter: ['==', ['geometry-type'], 'Point'] as FilterSpecification,
      layout: { 'text-field': nameIn(language), 'text-font': FONT, 'text-size': 12, 'text-max-width': 7 },
      paint: textPaint(palette.water_name, palette.halo, 1.2),
    },
  ]);
}

/** Map files have metres. */
function elevationIn(unit: Units['distance'], field: string): ExpressionSpecification {
  if (unit === 'km') return ['concat', ['to-string', ['get', field]], ' m'];
  const feet: ExpressionSpecification = ['round', ['/', ['to-number', ['get', field]], M_PER_FOOT]];
  return ['concat', ['to-string', feet], ' ft'];
}

/** Of OpenMapTiles with a rank, of Protomaps with the zoom at which a peak appears. */
function peaks(palette: MapPalette, language: string, unit: Units['distance']): SymbolLayer[] {
  const by_rank: FilterSpecification = ['<=', ['coalesce', ['get', 'rank'], 9], ['step', ['zoom'], 1, 13, 3, 15, 9]];
  const by_zoom: FilterSpecification = [
    'all',
    ['==', ['get', 'kind'], 'peak'],
    ['<=', ['coalesce', ['get', 'min_zoom'], 13], ['zoom']],
  ];
  return [
    { layer: 'mountain_peak', filter: by_rank, height: 'ele', order: 'rank' },
    { layer: 'pois', filter: by_zoom, height: 'elevation', order: 'min_zoom' },
  ].map(({ layer, filter, height, order }) => ({
    ...baseLayer('peaks', layer, PEAKS_ZOOM),
    filter,
    layout: {
      'text-field': [
        'format',
        ['concat', '▲ ', ['coalesce', nameIn(language), '']],
        {},
        ['case', ['has', height], ['concat', '\n', elevationIn(unit, height)], ''],
        { 'font-scale': 0.9 },
      ],
      'text-font': FONT,
      'text-size': 11.5,
      'text-max-width': 8,
      'symbol-sort-key': ['coalesce', ['get', order], 9],
    },
    paint: textPaint(palette.faint, palette.halo, 1.2),
  }));
}

function roadNames(palette: MapPalette, language: string): SymbolLayer[] {
  return ['transportation_name', 'roads'].map((layer) => ({
    ...baseLayer('road-names', layer, STREET_NAMES_ZOOM),
    filter: ['==', ['geometry-type'], 'LineString'] as FilterSpecification,
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': nameIn(language),
      'text-font': FONT,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 11, 18, 14],
      'text-padding': 6,
    },
    paint: textPaint(palette.city, palette.road, 1.6),
  }));
}

function placeNames(palette: MapPalette, language: string): SymbolLayer[] {
  return ['place', 'places'].map((layer) => ({
    ...baseLayer('place-names', layer, MIN_NAMES_ZOOM),
    filter: ['<=', PLACE_RANK, ['step', ['zoom'], 2, 9, 3, 12, 4, 14, 5]],
    layout: {
      'text-field': nameIn(language),
      'text-font': FONT,
      'text-size': ['step', PLACE_RANK, 15, 2, 14.5, 3, 13, 4, 12],
      'text-max-width': 8,
      'text-padding': 4,
      'text-variable-anchor': ['center', 'bottom', 'top', 'left', 'right'],
      'text-radial-offset': 1.3,
      'text-justify': 'auto',
      'symbol-sort-key': PLACE_RANK,
    },
    paint: textPaint(palette.city, palette.halo, 1.6),
  }));
}

function baseLayer(id: string, layer: string, minzoom: number) {
  return {
    id: `${id}-${layer}`,
    type: 'symbol' as const,
    source: STREETS_SOURCE,
    'source-layer': layer,
    minzoom,
  };
}

function textPaint(color: string, halo: string, halo_px: number): SymbolLayer['paint'] {
  return { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': halo_px };
}
