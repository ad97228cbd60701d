import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapPalette } from './map-palette.ts';
import { MAX_WORLD_ZOOM } from './map-world-layers.ts';

export const STREETS_SOURCE = 'streets';
export const STREETS_AREA_SOURCE = 'streets-area';
/** Below this zoom the world's own tiles are detailed enough, and smaller. */
export const MIN_STREETS_ZOOM = MAX_WORLD_ZOOM;

/** A road's rank by OpenMapTiles' class or Protomaps' kind; any other value is not a road for cars. */
const ROAD_RANK: Record<string, number> = {
  motorway: 5,
  highway: 5,
  trunk: 5,
  primary: 4,
  secondary: 4,
  major_road: 4,
  tertiary: 3,
  minor: 2,
  minor_road: 2,
  service: 1,
  other: 1,
};

/** Features of a layer: those whose field has one of the values, or all. */
interface FeatureFilter {
  layer: string;
  field?: 'class' | 'kind';
  values?: string[];
}

/*
 * Map files use one of two schemas: OpenMapTiles' (`transportation`, `class`) or Protomaps' (`roads`, `kind`). Each
 * kind of feature is looked up in both; a layer that a file lacks draws nothing.
 */
const WOOD: FeatureFilter[] = [
  { layer: 'landcover', field: 'class', values: ['wood', 'forest'] },
  { layer: 'landcover', field: 'kind', values: ['forest'] },
  { layer: 'landuse', field: 'kind', values: ['wood', 'forest', 'nature_reserve'] },
];
const GRASS: FeatureFilter[] = [
  { layer: 'landcover', field: 'class', values: ['grass', 'farmland', 'wetland'] },
  { layer: 'landcover', field: 'kind', values: ['grassland', 'farmland', 'scrub'] },
  { layer: 'landuse', field: 'class', values: ['pitch', 'playground', 'stadium', 'cemetery', 'track'] },
  { layer: 'landuse', field: 'kind', values: ['park', 'grass', 'pitch', 'playground', 'cemetery', 'golf_course'] },
];
const BUILT: FeatureFilter[] = [
  {
    layer: 'landuse',
    field: 'class',
    values: ['residential', 'commercial', 'industrial', 'retail', 'school', 'university', 'hospital'],
  },
  { layer: 'landuse', field: 'kind', values: ['residential', 'commercial', 'industrial', 'school', 'hospital'] },
];
const WATER: FeatureFilter[] = [{ layer: 'water' }];
const STREAMS: FeatureFilter[] = [
  { layer: 'waterway' },
  { layer: 'water', field: 'kind', values: ['river', 'stream', 'canal'] },
];
const BUILDINGS: FeatureFilter[] = [{ layer: 'building' }, { layer: 'buildings' }];
const PARK_EDGES: FeatureFilter[] = [{ layer: 'park' }];
const PATHS: FeatureFilter[] = [
  { layer: 'transportation', field: 'class', values: ['path', 'track', 'pedestrian'] },
  { layer: 'roads', field: 'kind', values: ['path'] },
];
const RAILS: FeatureFilter[] = [
  { layer: 'transportation', field: 'class', values: ['rail', 'transit'] },
  { layer: 'roads', field: 'kind', values: ['rail'] },
];
const ROADS: FeatureFilter[] = [
  { layer: 'transportation', field: 'class', values: Object.keys(ROAD_RANK) },
  { layer: 'roads', field: 'kind', values: Object.keys(ROAD_RANK) },
];
const BORDERS: FeatureFilter[] = [{ layer: 'boundary' }, { layer: 'boundaries' }];

/** Ground, water and roads of the operator's map, without names. */
export function streetLayers(palette: MapPalette): LayerSpecification[] {
  return [
    // Covers the world's coarse coast and borders, which would cross the streets of the detailed map.
    {
      id: 'streets-ground',
      type: 'fill',
      source: STREETS_AREA_SOURCE,
      minzoom: MIN_STREETS_ZOOM,
      paint: { 'fill-color': palette.land, 'fill-antialias': false },
    },
    ...fillLayers('built', BUILT, palette.built, 10),
    ...fillLayers('grass', GRASS, palette.grass),
    ...fillLayers('wood', WOOD, palette.wood),
    ...fillLayers('water', WATER, palette.water),
    ...lineLayers('streams', STREAMS, {
      'line-color': palette.water,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 9, 0.6, 14, 2.2, 18, 9],
    }),
    ...lineLayers('park-edges', PARK_EDGES, {
      'line-color': palette.wood,
      'line-width': ['interpolate', ['linear'], ['zoom'], 9, 1, 16, 3],
    }),
    ...fillLayers('buildings', BUILDINGS, palette.building, 14),
    ...lineLayers('paths', PATHS, {
      'line-color': palette.road_edge,
      'line-width': ['interpolate', ['linear'], ['zoom'], 13, 0.8, 18, 3],
      'line-dasharray': [2, 1.4],
    }),
    ...roadLayers('road-edges', palette.road_edge, 1),
    ...roadLayers('roads', palette.road, 0),
    ...lineLayers('rails', RAILS, {
      'line-color': palette.border,
      'line-width': ['interpolate', ['linear'], ['zoom'], 11, 0.6, 18, 2.5],
    }),
    ...borderLayers(palette),
  ];
}

function borderLayers(palette: MapPalette): LayerSpecification[] {
  const isCountry: FilterSpecification = ['any', ['==', ['get', 'admin_level'], 2], ['==', ['get', 'kind'], 'country']];
  const paint = { 'line-color': palette.border, 'line-width': 1.5, 'line-dasharray': [3, 2] };
  return lineLayers('streets-borders', BORDERS, paint).map((layer) => ({ ...layer, filter: isCountry }));
}

/** All roads in one layer, large ones above small ones, `edge_px` wider on each side. */
function roadLayers(id: string, color: string, edge_px: number): LineLayer[] {
  const pairs = Object.entries(ROAD_RANK).flat() as [string, number, ...(string | number)[]];
  return lineLayers(id, ROADS, { 'line-color': color }).map((layer, at) => {
    const rank: ExpressionSpecification = ['match', ['get', ROADS[at]?.field ?? 'class'], ...pairs, 0];
    return {
      ...layer,
      layout: { 'line-cap': 'round', 'line-join': 'round', 'line-sort-key': rank },
      paint: { ...layer.paint, 'line-width': roadWidth(rank, edge_px) },
    };
  });
}

type LineLayer = Extract<LayerSpecification, { type: 'line' }>;

function fillLayers(
  id: string,
  parts: FeatureFilter[],
  color: string,
  minzoom = MIN_STREETS_ZOOM,
): LayerSpecification[] {
  return parts.map((part) => ({
    ...baseLayer(id, part, minzoom),
    type: 'fill',
    filter: filterOf(part, 'Polygon'),
    paint: { 'fill-color': color, 'fill-antialias': id === 'buildings' },
  }));
}

function lineLayers(id: string, parts: FeatureFilter[], paint: LineLayer['paint']): LineLayer[] {
  return parts.map((part) => ({
    ...baseLayer(id, part, MIN_STREETS_ZOOM),
    type: 'line',
    filter: filterOf(part, 'LineString'),
    layout: { 'line-join': 'round' },
    paint,
  }));
}

function baseLayer(id: string, { layer, field = 'class' }: FeatureFilter, minzoom: number) {
  return { id: `${id}-${layer}-${field}`, source: STREETS_SOURCE, 'source-layer': layer, minzoom };
}

function filterOf({ field, values }: FeatureFilter, geometry: 'Polygon' | 'LineString'): FilterSpecification {
  const shape: ExpressionSpecification =
    geometry === 'Polygon' ? ['==', ['geometry-type'], 'Polygon'] : ['==', ['geometry-type'], 'LineString'];
  if (!field || !values) return shape as FilterSpecification;
  const isOne: ExpressionSpecification = ['in', ['get', field], ['literal', values]];
  return ['all', shape, isOne] as FilterSpecification;
}

/** Width in px of a road by rank (1 to 5); interpolated between the zooms as the map grows. */
const WIDTHS_PX: [zoom: number, ...by_rank: [number, number, number, number, number]][] = [
  [8, 0, 0, 0, 0.5, 1],
  [11, 0, 0, 0.6, 1.3, 2.2],
  [13, 0, 1, 2, 2.8, 3.8],
  [14, 0.8, 2, 3.2, 4.4, 5.6],
  [16, 3, 6, 8, 10, 12],
  [18, 7, 14, 18, 22, 26],
];

/** A road's width by rank and zoom; `edge_px` more on each side if it is wide enough to have sides. */
function roadWidth(rank: ExpressionSpecification, edge_px: number): ExpressionSpecification {
  const stops = WIDTHS_PX.flatMap(([zoom, ...widths]) => {
    const by_rank = widths.flatMap((px, at) => [at + 1, px < 1 ? px : px + 2 * edge_px]);
    return [zoom, ['match', rank, ...by_rank, 0]];
  });
  return ['interpolate', ['exponential', 1.4], ['zoom'], ...stops] as unknown as ExpressionSpecification;
}
