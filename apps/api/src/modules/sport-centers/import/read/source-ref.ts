import { createHash } from 'node:crypto';

export type SourceRef = { source: string; source_ref: string };

const OSM_LETTERS: Readonly<Record<string, string>> = { n: 'node', w: 'way', r: 'relation' };

/**
 * Parses the identifiers of exporters: `node/1` (overpass-turbo), `n1` `w1` `a2` (osmium), `osm:way/1` and
 * `madrid:4672` (normalised files). All OpenStreetMap forms become source `osm`, ref `node/1`, so that an object has
 * the same id whichever tool exported it. Null for other texts.
 */
export function parseSourceRef(text: string): SourceRef | null {
  const typed = /^(?:osm:)?(node|way|relation)\/(\d+)$/.exec(text);
  if (typed) return { source: 'osm', source_ref: `${typed[1]}/${typed[2]}` };
  const osmium = /^([nwra])(\d+)$/.exec(text);
  if (osmium) return { source: 'osm', source_ref: osmiumRef(osmium[1] ?? '', BigInt(osmium[2] ?? '0')) };
  // A reference never contains unstorable or invisible characters: controls, invisible marks, half surrogate pairs,
  // line ends.
  const prefixed = /^([\w.-]{1,60}):([^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,200})$/u.exec(text);
  if (prefixed) return { source: prefixed[1] ?? '', source_ref: prefixed[2] ?? '' };
  return null;
}

/** Osmium numbers areas: twice the way's id, or twice the relation's id plus one. */
function osmiumRef(letter: string, id: bigint): string {
  if (letter !== 'a') return `${OSM_LETTERS[letter]}/${id}`;
  return id % 2n === 0n ? `way/${id / 2n}` : `relation/${id / 2n}`;
}

/** Reference of a feature without an identifier: a hash of its name and its position to about a metre. */
export function refFromContent(name: string | null, latitude: number, longitude: number): string {
  const content = `${name ?? ''}|${latitude.toFixed(5)}|${longitude.toFixed(5)}`;
  return `content/${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

/**
 * The id of a center: SHA-256 of its source and reference in the form of a UUID v4. Derived, not random, so that a
 * re-import, and every other installation, produces the same id and links stay valid; v4 in form (version nibble 4,
 * variant bits 10) because clients validate ids against the v4 pattern.
 */
export function centerId(source: string, sourceRef: string): string {
  return uuidFrom(`sport-center|${source}|${sourceRef}`);
}

/** The id of a center's facility for one sport, derived like `centerId`. */
export function facilityId(sportCenterId: string, type: string): string {
  return uuidFrom(`sport-facility|${sportCenterId}|${type}`);
}

function uuidFrom(content: string): string {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
