import { EARTH_RADIUS_KM, type Position } from '@sendlap/domain/geo.ts';
import { KM_PER_MILE, type Units } from '@sendlap/domain/units.ts';
import { createMeasures } from '#web/shared/units/measures.ts';

/** In kilometres or miles. */
const RADII = [0.5, 1, 2, 5, 10, 25, 50, 100, 250];
const CIRCLE_SEGMENTS = 96;
/** A ring is drawn while its radius on the screen is between these. */
const MIN_PX = 55;
const MAX_PX = 420;
/** MapLibre's world is 512 px wide at zoom 0. */
const WORLD_PX = 512;

interface RingLook {
  language: string;
  units: Units;
}

/**
 * Circles around a position, named by their distance in the chosen units, with the zooms at which each fits the screen;
 * without any from `until_zoom` on.
 */
export function toRingFeatures(
  origin: Position | null,
  { units, language }: RingLook,
  until_zoom = Number.POSITIVE_INFINITY,
): GeoJSON.FeatureCollection<GeoJSON.LineString> {
  const { distance } = createMeasures(units, language);
  const km = units.distance === 'mi' ? KM_PER_MILE : 1;
  const rings = origin ? RADII.map((radius) => toRing(origin, radius * km, distance(radius * km))) : [];
  const features = rings
    .filter(({ properties }) => properties.min_zoom < until_zoom)
    .map((ring) => ({ ...ring, properties: capZoom(ring.properties, until_zoom) }));
  return { type: 'FeatureCollection', features };
}

interface RingProperties {
  name: string;
  min_zoom: number;
  max_zoom: number;
}

function capZoom(properties: RingProperties, until_zoom: number): RingProperties {
  return { ...properties, max_zoom: Math.min(properties.max_zoom, until_zoom) };
}

function toRing(
  origin: Position,
  radius_km: number,
  name: string,
): GeoJSON.Feature<GeoJSON.LineString, RingProperties> {
  const properties = {
    name,
    min_zoom: zoomFor(MIN_PX, radius_km, origin),
    max_zoom: zoomFor(MAX_PX, radius_km, origin),
  };
  return {
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: circleAround(origin, radius_km) },
    properties,
  };
}

/** A closed circle on the globe, as [longitude, latitude] corners. */
export function circleAround(middle: Position, radius_km: number): [number, number][] {
  return Array.from({ length: CIRCLE_SEGMENTS + 1 }, (_, at) =>
    pointAround(middle, radius_km, (at / CIRCLE_SEGMENTS) * 2 * Math.PI),
  );
}

/** The destination point on a great circle (E. Williams, Aviation Formulary, "Lat/lon given radial and distance"). */
function pointAround({ latitude, longitude }: Position, distance_km: number, bearing: number): [number, number] {
  const angle = distance_km / EARTH_RADIUS_KM;
  const from = (latitude * Math.PI) / 180;
  const sine = Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing);
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * sine,
  );
  return [longitude + (east * 180) / Math.PI, (Math.asin(sine) * 180) / Math.PI];
}

/** The zoom at which a distance is `px` long. */
function zoomFor(px: number, distance_km: number, { latitude }: Position): number {
  const around_km = 2 * Math.PI * EARTH_RADIUS_KM * Math.cos((latitude * Math.PI) / 180);
  return Math.log2((px * around_km) / (distance_km * WORLD_PX));
}
