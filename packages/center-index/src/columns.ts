import type { Position } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { SPORTS, type Sport } from '@sendlap/domain/scoring.ts';

/** What the index keeps of a center. They come in the order of lists by name: by folded name, then by id. */
export interface IndexedCenter extends Position {
  /** A UUID. */
  id: string;
  sports: readonly Sport[];
  is_private: boolean | null;
  country: string | null;
  /** Found by its id only. */
  is_closed: boolean;
}

const ID_WORDS = 4;
const PRIVATE = 1 << SPORTS.length;
const CLOSED = PRIVATE << 1;

/** All centers as columns, by their number; 35 bytes each. */
export interface Columns extends Ids {
  readonly size: number;
  /** Longitude and latitude, one after the other. */
  readonly positions: Float64Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Numbers in `country_names`; 0 means unknown. */
  readonly countries: Uint16Array<ArrayBuffer>;
  /** Folded. */
  readonly country_names: readonly string[];
}

export interface Ids {
  /** Four words each, by number. */
  readonly ids: Uint32Array<ArrayBuffer>;
}

/** Columns that are being filled. */
export interface ColumnWriter {
  /** Throws RangeError beyond the `count` that the columns were made for, and for an id that is no UUID. */
  add(center: IndexedCenter): void;
  /** The columns of the centers that were added. */
  finish(): Columns;
}

/** Makes room for `count` centers, which may be more than will come. */
export function writeColumns(count: number): ColumnWriter {
  const positions = new Float64Array(count * 2);
  const flags = new Uint8Array(count);
  const countries = new Uint16Array(count);
  const ids = new Uint32Array(count * ID_WORDS);
  const country_names = [''];
  const known_countries = new Map<string, number>();
  let size = 0;
  const words = new Uint32Array(ID_WORDS);

  function numberOfCountry(country: string | null): number {
    if (country === null) return 0;
    let number = known_countries.get(country);
    if (number === undefined) {
      const folded = foldText(country);
      number = country_names.indexOf(folded);
      if (number < 0) number = country_names.push(folded) - 1;
      known_countries.set(country, number);
    }
    return number;
  }

  return {
    add(center) {
      if (size >= count) throw new RangeError('more centers than the columns have room for');
      readId(center.id, words);
      ids.set(words, size * ID_WORDS);
      positions[size * 2] = center.longitude;
      positions[size * 2 + 1] = center.latitude;
      flags[size] = flagsOf(center);
      countries[size] = numberOfCountry(center.country);
      size += 1;
    },
    finish: () => ({
      size,
      positions: size === count ? positions : positions.slice(0, size * 2),
      flags: size === count ? flags : flags.slice(0, size),
      countries: size === count ? countries : countries.slice(0, size),
      ids: size === count ? ids : ids.slice(0, size * ID_WORDS),
      country_names,
    }),
  };
}

function flagsOf({ sports, is_private, is_closed }: IndexedCenter): number {
  let flags = (is_private === true ? PRIVATE : 0) | (is_closed ? CLOSED : 0);
  for (const sport of sports) flags |= 1 << SPORTS.indexOf(sport);
  return flags;
}

/** A center is as asked if its flags have this value under this mask. */
export interface WantedFlags {
  mask: number;
  value: number;
}

/** Open, and private and of the sport as asked. */
export function wantedFlags(sport: Sport | undefined, is_private: boolean | undefined): WantedFlags {
  const sport_flag = sport === undefined ? 0 : 1 << SPORTS.indexOf(sport);
  return {
    mask: CLOSED | sport_flag | (is_private === undefined ? 0 : PRIVATE),
    value: sport_flag | (is_private === true ? PRIVATE : 0),
  };
}

const UUID_LENGTH = 36;
const HYPHEN = 45;
/** The value of a hexadecimal digit by its character code, 255 for anything else. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? 255 : value;
});

/** Reads a UUID into four words; false for any other text. By hand, because a million are read at every start. */
function parseId(id: string, words: Uint32Array): boolean {
  if (id.length !== UUID_LENGTH) return false;
  let digits = 0;
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = id.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const value = DIGITS[code] ?? 255;
    if (value > 15) return false;
    words[digits >>> 3] = ((words[digits >>> 3] ?? 0) << 4) | value;
    digits += 1;
  }
  return true;
}

function readId(id: string, words: Uint32Array): void {
  if (!parseId(id, words)) throw new RangeError('not a UUID');
}

/** What each byte looks like: the engine writes whole numbers in base 16 by dividing floats. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The UUID of a center, in lower case. */
export function idOf({ ids }: Ids, number: number): string {
  const at = number * ID_WORDS;
  const [b, c] = [ids[at + 1] ?? 0, ids[at + 2] ?? 0];
  const start = `${hexOf(ids[at] ?? 0)}-${halfOf(b >>> 16)}-${halfOf(b)}`;
  return `${start}-${halfOf(c >>> 16)}-${halfOf(c)}${hexOf(ids[at + 3] ?? 0)}`;
}

function hexOf(word: number): string {
  return halfOf(word >>> 16) + halfOf(word);
}

/** Of the lower 16 bits. */
function halfOf(word: number): string {
  return `${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** Orders two centers by their ids, as their texts order. */
export function compareIds({ ids }: Ids, a: number, b: number): number {
  for (let word = 0; word < ID_WORDS; word += 1) {
    const difference = (ids[a * ID_WORDS + word] ?? 0) - (ids[b * ID_WORDS + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Orders a center against the id of one that need not be there; undefined for a text that is no UUID. */
export function idComparer({ ids }: Ids, id: string): ((number: number) => number) | undefined {
  const words = new Uint32Array(ID_WORDS);
  if (!parseId(id, words)) return undefined;
  return (number) => {
    for (let word = 0; word < ID_WORDS; word += 1) {
      const difference = (ids[number * ID_WORDS + word] ?? 0) - (words[word] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
