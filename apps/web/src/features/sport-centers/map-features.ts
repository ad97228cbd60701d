import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';

type Features = GeoJSON.FeatureCollection<GeoJSON.Point>;

/** The centers as the style reads them: `sports` names the pin, `climbing` and `swimming` are summed by clusters. */
export function toCenterFeatures(centers: readonly SportCenter[]): Features {
  return { type: 'FeatureCollection', features: centers.map(toFeature) };
}

/** A collection of one point, or of none. */
export function toPointFeatures(position: Position | null): Features {
  return { type: 'FeatureCollection', features: position ? [pointAt(position, {})] : [] };
}

function toFeature(center: SportCenter): GeoJSON.Feature<GeoJSON.Point> {
  const types = center.sport_facilities.map(({ type }) => type);
  return pointAt(center, {
    id: center.id,
    name: center.name,
    sports: types.length > 1 ? 'both' : (types[0] ?? 'climbing'),
    climbing: Number(types.includes('climbing')),
    swimming: Number(types.includes('swimming')),
  });
}

function pointAt(
  { longitude, latitude }: Position,
  properties: GeoJSON.GeoJsonProperties,
): GeoJSON.Feature<GeoJSON.Point> {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties };
}
