import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { foldName } from './fold-name.ts';
import { textOf } from './read-text.ts';
import { countryAt } from './time-zone.ts';
import type { RefusalCode, SourceRecord, Tags } from './types.ts';

type Problem = { code: RefusalCode; reason: string };

const CONTRADICTION_KM = 1;
const CITY_FAR_KM = 200;
const CITY_NEAR_KM = 50;

/**
 * Returns the coordinate system if a `crs` member names another one than WGS 84, else null. GeoJSON of 2008 had that
 * member; RFC 7946 removed it so that all readers may assume degrees, which this file contradicts.
 */
export function foreignProjection(crs: unknown): string | null {
  if (!isRecord(crs)) return null;
  const name = isRecord(crs.properties) ? (textOf(crs.properties.name ?? crs.properties.code) ?? '') : '';
  if (/CRS:?84|EPSG:{1,2}(?:[\d.]*:)?4326|WGS ?84/i.test(name)) return null;
  const epsg = /EPSG:{1,2}(?:[\d.]*:)?(\d+)/i.exec(name);
  return epsg ? `EPSG:${epsg[1]}` : name || 'a coordinate system without a name';
}

/** Returns the problem with a record's coordinates, or null. Never corrects them: a guess would look like a fact. */
export function findCoordinateProblem(record: SourceRecord): Problem | null {
  return findRangeProblem(record) ?? findContradiction(record) ?? findSwap(record, record.tags);
}

function findRangeProblem({ latitude, longitude }: Position): Problem | null {
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) {
    if (latitude !== 0 || longitude !== 0) return null;
    return { code: 'out_of_range', reason: 'latitude and longitude are both 0, which means "unknown"' };
  }
  const at = `${latitude}, ${longitude}`;
  if (Math.abs(latitude) > 180 || Math.abs(longitude) > 180) {
    return { code: 'wrong_projection', reason: `${at} are not degrees: the file is in a projected coordinate system` };
  }
  if (Math.abs(longitude) <= 90) {
    return {
      code: 'swapped_coordinates',
      reason: `latitude ${latitude} does not exist: latitude and longitude are swapped`,
    };
  }
  return { code: 'out_of_range', reason: `latitude ${latitude} does not exist` };
}

/** Some files state the position twice, in the geometry and in columns; if the two differ, neither can be trusted. */
function findContradiction(record: SourceRecord): Problem | null {
  const stated: Position = {
    latitude: Number(record.tags.latitude ?? record.tags.lat ?? Number.NaN),
    longitude: Number(record.tags.longitude ?? record.tags.lon ?? Number.NaN),
  };
  if (!Number.isFinite(stated.latitude) || !Number.isFinite(stated.longitude)) return null;
  if (distanceKm(stated, record) <= CONTRADICTION_KM) return null;
  const turned = swapAxes(stated);
  const words = `${stated.latitude}, ${stated.longitude}`;
  const elsewhere = `${record.latitude}, ${record.longitude}`;
  if (distanceKm(turned, record) <= CONTRADICTION_KM) {
    return { code: 'swapped_coordinates', reason: `the columns say ${words}, the geometry the other way round` };
  }
  const city = cityNames(record.tags).find((name) => distanceToCityKm(name, turned) <= CITY_NEAR_KM);
  if (city !== undefined && distanceToCityKm(city, stated) > CITY_FAR_KM) {
    const reason = `latitude ${stated.latitude} and longitude ${stated.longitude} are swapped: only the other way round do they lie in ${city}, as its address says; its geometry (${elsewhere}) lies elsewhere again`;
    return { code: 'swapped_coordinates', reason };
  }
  return { code: 'contradicting_coordinates', reason: `the columns say ${words}, the geometry says ${elsewhere}` };
}

/** Swapped coordinates often stay in range; then only the address reveals the swap. */
function findSwap(point: Position, tags: Tags): Problem | null {
  const turned = swapAxes(point);
  if (Math.abs(turned.latitude) > 90) return null;
  const reason = (where: string) =>
    `latitude ${point.latitude} and longitude ${point.longitude} are swapped: only the other way round do they lie in ${where}`;
  const country = tags['addr:country']?.toUpperCase();
  if (country !== undefined && /^[A-Z]{2}$/.test(country)) {
    const swapped =
      countryAt(point.latitude, point.longitude) !== country &&
      countryAt(turned.latitude, turned.longitude) === country;
    return swapped ? { code: 'swapped_coordinates', reason: reason(`${country}, as its address says`) } : null;
  }
  const city = cityNames(tags).find(
    (name) => distanceToCityKm(name, turned) <= CITY_NEAR_KM && distanceToCityKm(name, point) > CITY_FAR_KM,
  );
  return city === undefined ? null : { code: 'swapped_coordinates', reason: reason(`${city}, as its address says`) };
}

/** Cities of an address: its own field, or the last part of the line without the postcode. */
function cityNames(tags: Tags): string[] {
  const last = tags['addr:full']
    ?.split(',')
    .at(-1)
    ?.replace(/[\p{L}-]*\d[\p{L}\d-]*/gu, '')
    .trim();
  return [tags['addr:city'], last].filter((name) => name !== undefined && name !== '').map(String);
}

function swapAxes({ latitude, longitude }: Position): Position {
  return { latitude: longitude, longitude: latitude };
}

let cities_by_name: Map<string, Position[]> | null = null;

/** Distance in km from a position to the nearest city of that name in the world; Infinity if no city has that name. */
function distanceToCityKm(name: string, from: Position): number {
  cities_by_name ??= loadCities();
  const cities = cities_by_name.get(foldName(name)) ?? [];
  return Math.min(Infinity, ...cities.map((city) => distanceKm(city, from)));
}

/** Avoids `Map.groupBy`, which would keep the names of 135,000 towns beside their positions. */
function loadCities(): Map<string, Position[]> {
  const cities = new Map<string, Position[]>();
  for (const { geonames_name, latitude, longitude } of createTownService().allTowns()) {
    const name = foldName(geonames_name);
    const namesakes = cities.get(name);
    if (namesakes === undefined) cities.set(name, [{ latitude, longitude }]);
    else namesakes.push({ latitude, longitude });
  }
  return cities;
}
