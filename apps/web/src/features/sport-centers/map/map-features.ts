import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { pinOf } from './map-images.ts';
import { circleAround } from './map-rings.ts';

const METRES_PER_KM = 1000;

type Features = GeoJSON.FeatureCollection<GeoJSON.Point>;

/** The centers as GeoJSON: `sports` names the pin, clusters sum the field of each sport. */
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
    sports: pinOf(types),
    ...Object.fromEntries(SPORTS.map((sport) => [sport, Number(types.includes(sport))])),
  });
}

function pointAt(
  { longitude, latitude }: Position,
  properties: GeoJSON.GeoJsonProperties,
): GeoJSON.Feature<GeoJSON.Point> {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties };
}
