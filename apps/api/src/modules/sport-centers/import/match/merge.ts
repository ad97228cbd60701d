import { SPORTS } from '@sendlap/domain/sports.ts';
import { foldName } from '../read/fold-name.ts';
import { type Center, STARTER_SOURCE } from '../read/types.ts';
import { PositionIndex } from './position-index.ts';
import {
  type CenterDescription,
  HAND_POSITIONED_FACTOR,
  isGenericName,
  isPart,
  isSameCenter,
  MAX_SAME_CENTER_M,
} from './same-center.ts';

/** A center with its position in the file and its reference. */
export type Candidate = { index: number; ref: string; center: Center };

/** A stored center. Its name and its own facts win over those of a file. */
export type IdentifiedCenter = Center & { id: string };

/**
 * `distinct`: separate centers; each of `duplicates` repeats one of them, or a stored center, under another reference.
 */
export type MergeResult = {
  distinct: Candidate[];
  duplicates: { candidate: Candidate; into: Candidate | IdentifiedCenter }[];
  repeated: { candidate: Candidate; into: Candidate }[];
};

/**
 * Finds duplicate records: within the file (a node and a way, two sources) and against stored centers. The result does
 * not depend on the order of the file: records with more facts come first, then by reference.
 */
export function mergeCenters(
  candidates: Candidate[],
  stored: readonly IdentifiedCenter[],
): Omit<MergeResult, 'repeated'> {
  const index = new PositionIndex<Center>([...stored, ...candidates.map(({ center }) => center)]);
  const owners = new Map<Center, Candidate | IdentifiedCenter>(stored.map((center) => [center, center]));
  const distinct: Candidate[] = [];
  const duplicates: MergeResult['duplicates'] = [];
  for (const candidate of [...candidates].sort(byWeight)) {
    const into = findSameCenter(candidate.center, index, owners);
    if (into === undefined) {
      distinct.push(candidate);
      owners.set(candidate.center, candidate);
    } else duplicates.push({ candidate, into });
  }
  return { distinct, duplicates };
}

/** Returns the owner of the nearest center that the record describes too. */
function findSameCenter(
  center: Center,
  index: PositionIndex<Center>,
  owners: ReadonlyMap<Center, Candidate | IdentifiedCenter>,
) {
  const [same] = index
    .near(center, MAX_SAME_CENTER_M)
    .filter(({ item, metres }) => owners.has(item) && isSameCenterAt(center, item, metres))
    .sort((a, b) => a.metres - b.metres || compare(sortKey(a.item), sortKey(b.item)));
  return same && owners.get(same.item);
}

/** Whether a record is of the known center `metres` away, which may be further away if it was positioned by hand. */
function isSameCenterAt(
  record: CenterDescription,
  known: CenterDescription & { source: string },
  metres: number,
): boolean {
  return isSameCenter(record, known, known.source === STARTER_SOURCE ? metres / HAND_POSITIONED_FACTOR : metres);
}

/**
 * Whole centers before their basins and bare walls, then more facts first, then ways before nodes, then by reference.
 */
function byWeight(a: Candidate, b: Candidate): number {
  return weight(b.center) - weight(a.center) || compare(sortKey(a.center), sortKey(b.center)) || a.index - b.index;
}

function weight(center: Center): number {
  const name = foldName(center.name);
  const facts = [center.address, center.city, center.phone, center.url, center.is_private];
  const said = facts.filter((fact) => fact !== null).length + center.sports.length;
  const drawn = /^(?:way|relation)\//.test(center.source_ref) ? 0.5 : 0;
  return said + drawn + (isPart(name) ? -200 : 0) + (isGenericName(name) ? -100 : 0);
}

function sortKey(center: Center): string {
  return `${center.source} ${center.source_ref}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Merges another record of a center into it: its own facts stay, unknown ones are filled in, and the
 * other's name becomes another name unless it is generic ("Pool"). If anything was taken over, the licences and
 * attributions of both are listed.
 */
export function mergeRecord<Kept extends Center>(center: Kept, other: Center): Kept {
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
  const has_changed = JSON.stringify(filled) !== JSON.stringify({ ...center, sports: [...center.sports].sort() });
  return has_changed
    ? {
        ...filled,
        licence: joinList(center.licence, other.licence),
        attribution: joinList(center.attribution, other.attribution),
      }
    : filled;
}

/**
 * Updates a stored center from its own source: new facts win, but a merely missing fact does not erase a known one
 * (which may come from a merged record), and names and sports are only ever added.
 */
export function updateFromSource<Kept extends Center>(stored: Kept, update: Center): Kept {
  return {
    ...mergeRecord({ ...stored, ...withoutOtherNames(update) }, stored),
    licence: joinList(stored.licence, update.licence),
    attribution: joinList(stored.attribution, update.attribution),
    other_names: joinNames(
      { ...update, other_names: stored.other_names },
      { ...update, other_names: update.other_names },
    ),
  };
}

/** Passes nulls on: `mergeRecord` fills them from the stored center. */
function withoutOtherNames({ other_names: _names, ...facts }: Center): Omit<Center, 'other_names'> {
  return facts;
}

function joinNames(center: Center, other: Center): string[] {
  const seen = new Set([foldName(center.name)]);
  const own = isGenericName(foldName(other.name)) || isPart(foldName(other.name)) ? [] : [other.name];
  return [...center.other_names, ...own, ...other.other_names].filter((name) => {
    const folded = foldName(name);
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

function joinList(a: string, b: string): string {
  return [...new Set([...a.split('; '), ...b.split('; ')])].join('; ');
}
