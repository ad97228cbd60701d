import {
  type Candidate,
  type IdentifiedCenter,
  type MergeResult,
  mergeCenters,
  mergeRecord,
  updateFromSource,
} from '../match/merge.ts';
import { isNearEnough } from '../match/same-center.ts';
import { centerId } from '../read/source-ref.ts';
import { contentHash, keyOf, type StoredCenter, type StoredCenters } from './stored-centers.ts';

type Merge = { candidate: Candidate; id: string; into: string; into_name: string };

/**
 * The plan of an import; every candidate is in exactly one of `imported`, `updated`, `unchanged`, `merges` and
 * `contradicting`.
 */
export type Plan = {
  imported: Candidate[];
  updated: Candidate[];
  unchanged: Candidate[];
  merges: Merge[];
  /** Records with the reference of an earlier record, but at another position. */
  contradicting: { candidate: Candidate; into: Candidate }[];
  /** Number of centers of other sources or files that gained facts from a merged record. */
  enriched: number;
  writes: StoredCenter[];
  /** Records that were merged into a center earlier, and are elsewhere now. */
  moved: Candidate[];
};

/**
 * Compares a file with the stored centers. A record stored under its reference stays there, a merged record stays
 * merged while it is near enough, and only the rest is matched by position and name: so a second run plans no write.
 * Otherwise sources that renumber their rows would lose every center whose number was once merged.
 */
export function planImport(candidates: Candidate[], stored: StoredCenters): Plan {
  const { unique, repeated, contradicting } = splitRepeated(candidates);
  const stored_already = unique.filter(({ center }) => stored.byRef.has(keyOf(center)));
  const others = unique.filter(({ center }) => !stored.byRef.has(keyOf(center)));
  const merged_before = others.filter((candidate) => findEarlierMerge(candidate, stored) !== undefined);
  const fresh = others.filter((candidate) => findEarlierMerge(candidate, stored) === undefined);
  const { distinct, duplicates } = mergeCenters(fresh, [...stored.byId.values()]);

  const duplicate_of = new Map(duplicates.map(({ candidate, into }) => [candidate, into]));
  const next = new Map<string, StoredCenter>();
  for (const { center } of stored_already) {
    const known = stored.byRef.get(keyOf(center));
    if (known !== undefined) next.set(known.id, updateFromSource(known, center));
  }
  for (const { center } of distinct) {
    const id = centerId(center.source, center.source_ref);
    next.set(id, { ...center, id, content_hash: '' });
  }
  const merges: Merge[] = [];
  const addMerge = (candidate: Candidate, id: string): void => {
    const target = next.get(id) ?? stored.byId.get(id);
    if (target === undefined) return;
    merges.push({ candidate, id, into: `${target.source}:${target.source_ref}`, into_name: target.name });
    next.set(id, mergeRecord(target, candidate.center));
  };
  for (const candidate of merged_before) addMerge(candidate, findEarlierMerge(candidate, stored) ?? '');
  for (const { candidate, into } of duplicates) addMerge(candidate, idOf(into));
  for (const { candidate, into } of repeated) addMerge(candidate, idOfFirst(into, stored, duplicate_of));
  const moved = fresh.filter(({ center }) => stored.merges.has(keyOf(center)));
  return { ...splitByChange(next, stored, stored_already, distinct), merges, contradicting, moved };
}

/** Returns the id of the center that a record was merged into, if still near enough to the record. */
function findEarlierMerge({ center }: Candidate, stored: StoredCenters): string | undefined {
  const known = stored.byId.get(stored.merges.get(keyOf(center)) ?? '');
  return known && isNearEnough(known, center) ? known.id : undefined;
}

function splitByChange(
  next: Map<string, StoredCenter>,
  stored: StoredCenters,
  stored_already: Candidate[],
  distinct: Candidate[],
) {
  const writes: StoredCenter[] = [];
  for (const center of next.values()) {
    const content_hash = contentHash(center);
    if (content_hash !== stored.byId.get(center.id)?.content_hash) writes.push({ ...center, content_hash });
  }
  const changed = new Set(writes.map(keyOf));
  const updated = stored_already.filter(({ center }) => changed.has(keyOf(center)));
  const unchanged = stored_already.filter(({ center }) => !changed.has(keyOf(center)));
  return { imported: distinct, updated, unchanged, enriched: writes.length - distinct.length - updated.length, writes };
}

/**
 * One file may contain a record twice: osmium exports a way that is also an area as both. The first one represents
 * both, unless the other is elsewhere: then the reference is ambiguous, and the other's facts must not be merged into
 * the first.
 */
function splitRepeated(candidates: Candidate[]) {
  const first = new Map<string, Candidate>();
  const repeated: MergeResult['repeated'] = [];
  const contradicting: MergeResult['repeated'] = [];
  for (const candidate of candidates) {
    const into = first.get(keyOf(candidate.center));
    if (into === undefined) first.set(keyOf(candidate.center), candidate);
    else if (isNearEnough(into.center, candidate.center)) repeated.push({ candidate, into });
    else contradicting.push({ candidate, into });
  }
  return { unique: [...first.values()], repeated, contradicting };
}

function idOf(into: Candidate | IdentifiedCenter): string {
  return 'id' in into ? into.id : centerId(into.center.source, into.center.source_ref);
}

/** Returns the center of a repeated record's first occurrence: its own row, or the center it was merged into. */
function idOfFirst(
  first: Candidate,
  stored: StoredCenters,
  duplicate_of: Map<Candidate, Candidate | IdentifiedCenter>,
): string {
  return (
    stored.byRef.get(keyOf(first.center))?.id ??
    findEarlierMerge(first, stored) ??
    idOf(duplicate_of.get(first) ?? first)
  );
}
