import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { circleAround } from './map-rings.ts';

const METRES_PER_KM = 1000;

type Features = GeoJSON.FeatureCollection<GeoJSON.Point>;

/** The centers as GeoJSON: `sports` names the pin, clusters sum `climbing` and `swimming`. */
export function toCenterFeatures(centers: readonly SportCenter[]): Features {
  return { type: 'FeatureCollection', features: centers.map(toFeature) };
}

/** The user's position as a point, and its accuracy as a circle if the device reports one. */
export function toMeFeatures(me: (Position & { accuracy_m?: number }) | null): GeoJSON.FeatureCollection {
  if (!me) return { type: 'FeatureCollection', features: [] };
  const point = pointAt(me, {});
  if (!me.accuracy_m) return { type: 'FeatureCollection', features: [point] };
  const coordinates = [circleAround(me, me.accuracy_m / METRES_PER_KM)];
  const circle = { type: 'Feature' as const, geometry: { type: 'Polygon' as const, coordinates }, properties: {} };
  return { type: 'FeatureCollection', features: [circle, point] };
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
