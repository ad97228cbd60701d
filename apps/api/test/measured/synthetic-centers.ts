import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { timeZoneAt } from '#api/modules/sport-centers/import/read/time-zone.ts';
import { readStarterCenters } from '#api/modules/sport-centers/import/starter.ts';

/** The facts of a real center; synthetic centers around it copy them. */
export interface RealCenter extends Position {
  name: string;
  address: string | null;
  city: string | null;
  country: string | null;
  phone: string | null;
  url: string | null;
  is_private: boolean | null;
  sports: Sport[];
  time_zone: string;
  attribution: string;
  licence: string;
}

export interface SyntheticCenter extends RealCenter {
  id: string;
  /** Index of the real center whose facts it copies. */
  model: number;
}

interface Feature {
  geometry: { coordinates: [number, number] };
  properties: Omit<RealCenter, 'sports' | 'licence'> & { types: Sport[]; license: string };
}

/** Returns the centers of sport-centers.geojson in the folder CENTERS_DATA_DIR; without it, the starter set. */
export function readRealCenters(folder = process.env.CENTERS_DATA_DIR): RealCenter[] {
  if (folder === undefined) return readStarterCenters().map(({ center }) => center);
  const text = readFileSync(join(folder, 'sport-centers.geojson'), 'utf8');
  const { features } = JSON.parse(text) as { features: Feature[] };
  return features.map(({ geometry, properties }) => {
    const { name, address, city, country, phone, url, is_private, types: sports, license: licence } = properties;
    const [longitude, latitude] = geometry.coordinates;
    const facts = { name, address, city, country, phone, url, is_private, sports, licence };
    return {
      ...facts,
      latitude,
      longitude,
      time_zone: timeZoneAt(latitude, longitude),
      attribution: '© OpenStreetMap contributors',
    };
  });
}

/** A random sequence from 0 to 1, reproducible by its seed (mulberry32, T. Ettinger). */
export function seedRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard deviation of the distance north and east of the real center. */
const SIGMA_KM = 3;
const KM_PER_DEGREE = 111.195;

/** Draws a position near a real center, which is drawn among all of them. */
export function drawPosition(random: () => number, centers: readonly RealCenter[]): Position & { model: number } {
  const model = Math.floor(random() * centers.length);
  const center = centers[model];
  if (!center) throw new Error('there are no centers to draw from');
  // Box-Muller: two normal random numbers from two uniform ones.
  const distance = (SIGMA_KM / KM_PER_DEGREE) * Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  const latitude = Math.max(-89, Math.min(89, center.latitude + distance * Math.sin(angle)));
  const east = (distance * Math.cos(angle)) / Math.cos((latitude * Math.PI) / 180);
  return { model, latitude, longitude: ((center.longitude + east + 540) % 360) - 180 };
}

export function randomId(random: () => number): string {
  const word = () => Math.floor(random() * 2 ** 32);
  const digits = [word(), word(), word(), word()].map((bits) => bits.toString(16).padStart(8, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** Generates so many centers around the real ones, each with a unique name; reproducible by the seed. */
export function* generateCenters(
  centers: readonly RealCenter[],
  count: number,
  seed: number,
): Generator<SyntheticCenter> {
  const random = seedRandom(seed);
  for (let number = 0; number < count; number += 1) {
    const { model, latitude, longitude } = drawPosition(random, centers);
    const center = centers[model];
    if (!center) continue;
    yield { ...center, model, id: randomId(random), name: `${center.name} ${number}`, latitude, longitude };
  }
}
