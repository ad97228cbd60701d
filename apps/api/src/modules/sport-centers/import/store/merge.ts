import { SPORTS } from '@sendlap/domain/scoring.ts';
import { foldName } from '../read/fold-name.ts';
import { type Center, STARTER_SOURCE } from '../read/types.ts';
import { PlaceIndex } from './place-index.ts';
import {
  type Described,
  HAND_WRITTEN_REACH,
  isBareKind,
  isPoolPart,
  isSamePlace,
  SAME_PLACE_REACH_M,
} from './same-place.ts';

/** A center with its position in the file and its reference. */
export type Candidate = { index: number; ref: string; center: Center };

/** A stored center. Its name and its own facts win over those of a file. */
export type Stored = Center & { id: string };

/** `kept`: separate centers; each of `absorbed` duplicates one of them, or a stored center, under another reference. */
export type Merged = {
  kept: Candidate[];
  absorbed: { candidate: Candidate; into: Candidate | Stored }[];
  repeated: { candidate: Candidate; into: Candidate }[];
};

/**
 * Finds duplicate records: within the file (a node and a way, two sources) and against stored centers. The result does
 * not depend on the order of the file: records with more facts come first, then by reference.
 */
export function mergeCenters(candidates: Candidate[], stored: readonly Stored[]): Omit<Merged, 'repeated'> {
  const index = new PlaceIndex<Center>([...stored, ...candidates.map(({ center }) => center)]);
  const owners = new Map<Center, Candidate | Stored>(stored.map((center) => [center, center]));
  const kept: Candidate[] = [];
  const absorbed: Merged['absorbed'] = [];
  for (const candidate of [...candidates].sort(byWeight)) {
    const into = findSame(candidate.center, index, owners);
    if (into === undefined) {
      kept.push(candidate);
      owners.set(candidate.center, candidate);
    } else absorbed.push({ candidate, into });
  }
  return { kept, absorbed };
}

/** Returns the owner of the nearest center that is the same place. */
function findSame(center: Center, index: PlaceIndex<Center>, owners: ReadonlyMap<Center, Candidate | Stored>) {
  const [same] = index
    .near(center, SAME_PLACE_REACH_M)
    .filter(({ item, metres }) => owners.has(item) && isPlaceAt(center, item, metres))
    .sort((a, b) => a.metres - b.metres || compare(sortKey(a.item), sortKey(b.item)));
  return same && owners.get(same.item);
}

/** Whether a record is the known place `metres` away: a place positioned by hand may be further away. */
function isPlaceAt(record: Described, known: Described & { source: string }, metres: number): boolean {
  return isSamePlace(record, known, known.source === STARTER_SOURCE ? metres / HAND_WRITTEN_REACH : metres);
}

/**
 * Whole places before their basins and bare walls, then more facts first, then ways before nodes, then by reference.
 */
function byWeight(a: Candidate, b: Candidate): number {
  return weight(b.center) - weight(a.center) || compare(sortKey(a.center), sortKey(b.center)) || a.index - b.index;
}

function weight(center: Center): number {
  const name = foldName(center.name);
  const facts = [center.address, center.city, center.phone, center.url, center.is_private];
  const said = facts.filter((fact) => fact !== null).length + center.sports.length;
  const drawn = /^(?:way|relation)\//.test(center.source_ref) ? 0.5 : 0;
  return said + drawn + (isPoolPart(name) ? -200 : 0) + (isBareKind(name) ? -100 : 0);
}

function sortKey(center: Center): string {
  return `${center.source} ${center.source_ref}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Merges another record of the same place into a center: its own facts stay, unknown ones are filled in, and the
 * other's name becomes another name unless it is generic ("Pool"). If anything was taken over, the licences and
 * attributions of both are listed.
 */
export function absorb<Kept extends Center>(center: Kept, other: Center): Kept {
  const filled = {
    ...center,
    address: center.address ?? other.address,
    city: center.city ?? other.city,
    country: center.country ?? other.country,
    phone: center.phone ?? other.phone,
    url: center.url ?? other.url,
    is_private: center.is_private ?? other.is_private,
    sports: SPORTS.filter((sport) => [...center.sports, ...other.sports].includes(sport)),
    other_names: joinNames(center, other),
  };
  const took = JSON.stringify(filled) !== JSON.stringify({ ...center, sports: [...center.sports].sort() });
  return took
    ? {
        ...filled,
        licence: join(center.licence, other.licence),
        attribution: join(center.attribution, other.attribution),
      }
    : filled;
}

/**
 * Updates a stored center from its own source: new facts win, but a merely missing fact does not erase a known one
 * (which may come from a merged record), and names and sports are only ever added.
 */
export function refresh<Kept extends Center>(stored: Kept, news: Center): Kept {
  return {
    ...absorb({ ...stored, ...keepKnown(news) }, stored),
    licence: join(stored.licence, news.licence),
    attribution: join(stored.attribution, news.attribution),
    other_names: joinNames({ ...news, other_names: stored.other_names }, { ...news, other_names: news.other_names }),
  };
}

/** Passes nulls on: `absorb` fills them from the stored center. */
function keepKnown({ other_names: _names, ...facts }: Center): Omit<Center, 'other_names'> {
  return facts;
}

function joinNames(center: Center, other: Center): string[] {
  const seen = new Set([foldName(center.name)]);
  const own = isBareKind(foldName(other.name)) || isPoolPart(foldName(other.name)) ? [] : [other.name];
  return [...center.other_names, ...own, ...other.other_names].filter((name) => {
    const folded = foldName(name);
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

function join(a: string, b: string): string {
  return [...new Set([...a.split('; '), ...b.split('; ')])].join('; ');
}
