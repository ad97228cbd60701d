import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WholeServer } from '../server/server.ts';
import type { Canaries } from './canaries.ts';

/** In Madrid, too far from each other to be the same center. */
const LATITUDE = 40.2;
export const CENTER_LONGITUDE = -3.9;
const STEP_DEGREES = 0.02;
const HALL = { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes', building: 'yes' };
const FORMATS = 3;
export const MAIL_HOST = 'club.test';

interface Row {
  nth: number;
  latitude: number;
  longitude: number;
  texts: { name: string; address: string; city: string; phone: string; url: string; licence: string };
}

/** Imports one center a payload by the operator CLI: a third each as Overpass JSON, GeoJSON and a table. */
export async function importCenters(server: WholeServer, canaries: Canaries, folder: string): Promise<void> {
  const rows = Array.from({ length: canaries.count }, (_, nth) => makeRow(canaries, nth));
  const part = (at: number) => rows.filter(({ nth }) => nth % FORMATS === at);
  const files = {
    'overpass.json': toOverpass(part(0)),
    'centers.geojson': toGeoJson(part(1)),
    'centers.csv': toCsv(part(2)),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, content);
    await server.sendlap(
      'centers',
      'import',
      path,
      ...(name.endsWith('.csv') ? await mappingOf(canaries, folder) : []),
    );
  }
}

/** Whether the center has been edited and the report is open, or the other way round: screens show both. */
export const isEdited = (nth: number) => nth % 2 === 0;

/** Whether the web site of the center is one whose staff can be mailed; of the others, the whole address is a canary. */
export function isMailable(canaries: Canaries, nth: number): boolean {
  return canaries.disguiseOf(nth) === 'markup';
}

function makeRow(canaries: Canaries, nth: number): Row {
  return {
    nth,
    latitude: LATITUDE + STEP_DEGREES * nth,
    longitude: CENTER_LONGITUDE,
    texts: {
      name: canaries.make('center name', nth),
      address: canaries.make('center address', nth),
      city: canaries.make('center town', nth),
      phone: `+34 911 22 33 44 ${canaries.make('center phone', nth)}`,
      url: (isMailable(canaries, nth) ? `https://${MAIL_HOST}/#` : '') + canaries.make('center site', nth),
      licence: canaries.make('center source', nth),
    },
  };
}

/** An export of OpenStreetMap names no licence: it is known. */
export const hasLicence = (nth: number) => nth % FORMATS !== 0;

function tagsOf({ texts: { name, address, city, phone, url } }: Row) {
  return { ...HALL, name, 'addr:full': address, 'addr:city': city, phone, website: url };
}

function toOverpass(rows: Row[]): string {
  const elements = rows.map((row) => ({
    type: 'node',
    id: 1000 + row.nth,
    lat: row.latitude,
    lon: row.longitude,
    tags: tagsOf(row),
  }));
  return JSON.stringify({ elements });
}

function toGeoJson(rows: Row[]): string {
  const features = rows.map((row) => ({
    type: 'Feature',
    id: `node/${1000 + row.nth}`,
    properties: { ...tagsOf(row), license: row.texts.licence },
    geometry: { type: 'Point', coordinates: [row.longitude, row.latitude] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const CSV_COLUMNS = ['name', 'latitude', 'longitude', 'ref', 'address', 'city', 'phone', 'url'];

function toCsv(rows: Row[]): string {
  const lines = rows.map(({ nth, latitude, longitude, texts: { name, address, city, phone, url } }) =>
    [name, latitude, longitude, nth, address, city, phone, url]
      .map((value) => `"${String(value).replaceAll('"', '""')}"`)
      .join(),
  );
  return [CSV_COLUMNS.join(), ...lines].join('\n');
}

/** A table's source and licence are those of the whole file. */
async function mappingOf(canaries: Canaries, folder: string): Promise<string[]> {
  const path = join(folder, 'mapping.json');
  const columns = Object.fromEntries(CSV_COLUMNS.map((name) => [name, name]));
  const [licence, attribution] = [canaries.make('center source', 0), canaries.make('center source', 1)];
  await writeFile(path, JSON.stringify({ columns, sports: ['climbing'], source: 'canaries', licence, attribution }));
  return ['--mapping', path];
}
