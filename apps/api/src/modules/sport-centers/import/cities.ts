import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { createPlaces } from '#api/modules/places/service.ts';
import { foldName } from './fold-name.ts';

/** Towns ordered by a hash of their folded name, in 24 bytes each: there are 135,000, and the names themselves are not needed. */
type Cities = { hashes: Float64Array; latitudes: Float64Array; longitudes: Float64Array };

let known: Cities | null = null;

/** Loaded at the first question, since most imports never ask. */
function loadCities(): Cities {
  if (known !== null) return known;
  const towns: number[][] = [[], [], []];
  for (const { given_name, latitude, longitude } of createPlaces().towns()) {
    for (const [at, value] of [hashOf(foldName(given_name)), latitude, longitude].entries()) towns[at]?.push(value);
  }
  const [hashes = [], latitudes = [], longitudes = []] = towns;
  const order = Int32Array.from(hashes, (_, at) => at).sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0));
  const inOrder = (values: number[]): Float64Array => Float64Array.from(order, (at) => values[at] ?? 0);
  known = { hashes: inOrder(hashes), latitudes: inOrder(latitudes), longitudes: inOrder(longitudes) };
  return known;
}

/** Distance in km from a place to the nearest city of that name in the world, Infinity where no city is called so. */
export function distanceToCityKm(name: string, from: Position): number {
  const { hashes, latitudes, longitudes } = loadCities();
  const hash = hashOf(foldName(name));
  let nearest = Infinity;
  for (let at = firstAt(hashes, hash); hashes[at] === hash; at += 1) {
    const city = { latitude: latitudes[at] ?? 0, longitude: longitudes[at] ?? 0 };
    nearest = Math.min(nearest, distanceKm(city, from));
  }
  return nearest;
}

function firstAt(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 53 bits of two multiplicative hashes (after FNV-1a): of 135,000 names none are likely to meet. */
function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
