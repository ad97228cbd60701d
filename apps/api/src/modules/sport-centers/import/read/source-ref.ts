import { createHash } from 'node:crypto';

export type SourceRef = { source: string; source_ref: string };

const OSM_LETTERS: Readonly<Record<string, string>> = { n: 'node', w: 'way', r: 'relation' };

/**
 * Reads the identifiers that exporters write: `node/1` (overpass-turbo), `n1` `w1` `a2` (osmium), `osm:way/1` and
 * `madrid:4672` (normalised files). All OpenStreetMap forms end up as source `osm`, ref `node/1`, so that the same
 * object has the same id whichever tool exported it. Null where the text is none of these.
 */
export function parseSourceRef(text: string): SourceRef | null {
  const typed = /^(?:osm:)?(node|way|relation)\/(\d+)$/.exec(text);
  if (typed) return { source: 'osm', source_ref: `${typed[1]}/${typed[2]}` };
  const osmium = /^([nwra])(\d+)$/.exec(text);
  if (osmium) return { source: 'osm', source_ref: osmiumRef(osmium[1] ?? '', BigInt(osmium[2] ?? '0')) };
  // No reference holds what cannot be stored or seen: controls, invisible marks, half surrogate pairs, line ends.
  const prefixed = /^([\w.-]{1,60}):([^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,200})$/u.exec(text);
  if (prefixed) return { source: prefixed[1] ?? '', source_ref: prefixed[2] ?? '' };
  return null;
}

/** Osmium numbers areas: twice the way's id, or twice the relation's id plus one. */
function osmiumRef(letter: string, id: bigint): string {
  if (letter !== 'a') return `${OSM_LETTERS[letter]}/${id}`;
  return id % 2n === 0n ? `way/${id / 2n}` : `relation/${id / 2n}`;
}

/** A reference for a feature without an identifier: its name and its place to about a metre, hashed. */
export function refFromContent(name: string | null, latitude: number, longitude: number): string {
  const content = `${name ?? ''}|${latitude.toFixed(5)}|${longitude.toFixed(5)}`;
  return `content/${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

/**
 * The id of a center: SHA-256 of its source and reference in the form of a UUID v4. Derived and not drawn, so that a
 * re-import, and every other installation, gives the same place the same id and links stay good; v4 in form (version
 * nibble 4, variant bits 10) because clients check ids against the v4 pattern.
 */
export function centerId(source: string, sourceRef: string): string {
  return uuidFrom(`sport-center|${source}|${sourceRef}`);
}

/** The id of one sport's facility of a center, derived as `centerId` is. */
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
