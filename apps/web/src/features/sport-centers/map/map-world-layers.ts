import type { BoundingBox } from '@sendlap/domain/geo.ts';
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { FONT, nameIn } from './map-names.ts';
import type { MapPalette } from './map-palette.ts';

export const WORLD_SOURCE = 'world';
/** The highest zoom of the world tiles; closer views are drawn from them too. */
export const MAX_WORLD_ZOOM = 8;

/** Land and water of the world, and its borders. */
export function worldLayers(palette: MapPalette): LayerSpecification[] {
  const source = WORLD_SOURCE;
  return [
    // Tiles that have not loaded must not look like sea: the background has the colour of land.
    { id: 'unknown', type: 'background', paint: { 'background-color': palette.land } },
    {
      id: 'sea',
      type: 'fill',
      source,
      'source-layer': 'sea',
      // Antialiased edges would show the seams between tiles.
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
  ];
}

/**
 * The world's cities and towns. At close zooms those inside `covered` are left out: the street map names its own places
 * there.
 */
export function worldNameLayers(
  palette: MapPalette,
  language: string,
  covered: BoundingBox | null,
): LayerSpecification[] {
  const rank: ExpressionSpecification = ['get', 'rank'];
  // Close up, every town is named; from afar only the most important ones.
  const isImportantEnough: ExpressionSpecification = ['<=', rank, ['step', ['zoom'], 1, 4, 2, 6, 3, 8, 4, 9, 5, 11, 6]];
  const isOutsideStreets = covered && (['!', ['within', toPolygon(covered)]] as unknown as ExpressionSpecification);
  const filter = (
    isOutsideStreets
      ? ['all', isImportantEnough, ['any', ['<', ['zoom'], MAX_WORLD_ZOOM], isOutsideStreets]]
      : isImportantEnough
  ) as FilterSpecification;
  return [
    {
      id: 'places',
      type: 'symbol',
      source: WORLD_SOURCE,
      'source-layer': 'places',
      filter,
      layout: {
        'text-field': nameIn(language),
        'text-font': FONT,
        'text-size': ['step', rank, 15, 2, 13.5, 3, 12.5, 4, 12],
        'text-max-width': 8,
        'text-padding': 4,
        // A name moves aside for a pin on its city.
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

/** A box as GeoJSON; a box across the antimeridian continues east of 180°. */
export function toPolygon({ west, south, east, north }: BoundingBox): GeoJSON.Polygon {
  const end = east < west ? east + 360 : east;
  const corners = [
    [west, south],
    [end, south],
    [end, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [corners] };
}
