import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { FONT } from './map-names.ts';
import type { MapPalette } from './map-palette.ts';

/** Source names shared by the style and the code that fills it. */
export const CENTERS_SOURCE = 'centers';
export const SELECTED_SOURCE = 'selected';
export const ME_SOURCE = 'me';
export const RINGS_SOURCE = 'rings';
export const CLUSTER_LAYER = 'clusters';
export const CENTER_LAYER = 'center-pins';

/** Circles of known distance: where no streets are drawn they show the scale. */
export function ringLayers(palette: MapPalette): LayerSpecification[] {
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

/** Bubbles for clusters, pins for single centers. */
export function centerLayers(palette: MapPalette): LayerSpecification[] {
  const source = CENTERS_SOURCE;
  const count: ExpressionSpecification = ['get', 'point_count'];
  return [
    {
      id: CLUSTER_LAYER,
      type: 'circle',
      source,
      filter: ['has', 'point_count'],
      paint: {
        'circle-color': bubbleColor(palette),
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
        // About the bubble's size, so that names do not overlap it.
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

/** A bubble of a single sport has its colour; a mixed one is neutral. */
function bubbleColor(palette: MapPalette): ExpressionSpecification {
  const isAlone = (sport: Sport): ExpressionSpecification => [
    'all',
    ...SPORTS.filter((other) => other !== sport).map((other): ExpressionSpecification => ['==', ['get', other], 0]),
  ];
  const cases = SPORTS.map((sport) => [isAlone(sport), palette[SPORT_LOOKS[sport].tone]]);
  return ['case', ...cases.flat(), palette.ink] as ExpressionSpecification;
}

/** The user's position with its accuracy, and the selected center. */
export function topLayers(palette: MapPalette): LayerSpecification[] {
  const area = { source: ME_SOURCE, filter: isOfShape('Polygon') };
  const spot = { source: ME_SOURCE, filter: isOfShape('Point') };
  return [
    {
      id: 'me-accuracy',
      type: 'fill',
      ...area,
      paint: { 'fill-color': palette.accent, 'fill-opacity': 0.12 },
    },
    {
      id: 'me-accuracy-edge',
      type: 'line',
      ...area,
      paint: { 'line-color': palette.accent, 'line-opacity': 0.35, 'line-width': 1.5 },
    },
    {
      id: 'me-halo',
      type: 'circle',
      ...spot,
      paint: { 'circle-radius': 18, 'circle-color': palette.accent, 'circle-opacity': 0.16 },
    },
    {
      id: 'me',
      type: 'circle',
      ...spot,
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

function isOfShape(shape: 'Polygon' | 'Point'): ExpressionSpecification {
  return ['==', ['geometry-type'], shape];
}
