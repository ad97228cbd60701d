import { absorb, type Candidate, type Merged, mergeCenters, refresh, type Stored } from './merge.ts';
import { centerId } from './source-ref.ts';
import { contentHash, keyOf, type StoredCenter, type StoredCenters } from './stored-centers.ts';

type Merge = { candidate: Candidate; id: string; into: string; into_name: string };

/** What an import would do; every candidate is in exactly one of `imported`, `updated`, `unchanged`, `merges`. */
export type Plan = {
  imported: Candidate[];
  updated: Candidate[];
  unchanged: Candidate[];
  merges: Merge[];
  /** Centers of other sources or files that learnt something from a merged record. */
  enriched: number;
  writes: StoredCenter[];
};

/**
 * Compares what a file says with what is stored. A record that is stored under its reference stays there, one that was
 * merged before stays merged, and only the rest is matched by place and name: so a second run plans no write at all.
 */
export function planImport(candidates: Candidate[], stored: StoredCenters): Plan {
  const { unique, repeated } = takeRepeated(candidates);
  const own = unique.filter(({ center }) => stored.byRef.has(keyOf(center)));
  const remembered = unique.filter(
    ({ center }) => !stored.byRef.has(keyOf(center)) && stored.merges.has(keyOf(center)),
  );
  const fresh = unique.filter(({ center }) => !stored.byRef.has(keyOf(center)) && !stored.merges.has(keyOf(center)));
  const { kept, absorbed } = mergeCenters(fresh, stored.byId.values());

  const absorbedInto = new Map(absorbed.map(({ candidate, into }) => [candidate, into]));
  const next = new Map<string, StoredCenter>();
  for (const { center } of own) {
    const known = stored.byRef.get(keyOf(center));
    if (known !== undefined) next.set(known.id, refresh(known, center));
  }
  for (const { center } of kept) {
    const id = centerId(center.source, center.source_ref);
    next.set(id, { ...center, id, content_hash: '' });
  }
  const merges: Merge[] = [];
  const take = (candidate: Candidate, id: string): void => {
    const target = next.get(id) ?? stored.byId.get(id);
    if (target === undefined) return;
    merges.push({ candidate, id, into: `${target.source}:${target.source_ref}`, into_name: target.name });
    next.set(id, absorb(target, candidate.center));
  };
  for (const candidate of remembered) take(candidate, stored.merges.get(keyOf(candidate.center)) ?? '');
  for (const { candidate, into } of absorbed) take(candidate, idOf(into));
  for (const { candidate, into } of repeated) take(candidate, idOfFirst(into, stored, absorbedInto));
  return { ...sortOut(next, stored, own, kept), merges };
}

function sortOut(next: Map<string, StoredCenter>, stored: StoredCenters, own: Candidate[], kept: Candidate[]) {
  const writes: StoredCenter[] = [];
  for (const center of next.values()) {
    const content_hash = contentHash(center);
    if (content_hash !== stored.byId.get(center.id)?.content_hash) writes.push({ ...center, content_hash });
  }
  const changed = new Set(writes.map(keyOf));
  const updated = own.filter(({ center }) => changed.has(keyOf(center)));
  const unchanged = own.filter(({ center }) => !changed.has(keyOf(center)));
  return { imported: kept, updated, unchanged, enriched: writes.length - kept.length - updated.length, writes };
}

/** One file may hold a record twice, as osmium does with a way that is also an area. The first one stands for both. */
function takeRepeated(candidates: Candidate[]): { unique: Candidate[]; repeated: Merged['repeated'] } {
  const first = new Map<string, Candidate>();
  const repeated: Merged['repeated'] = [];
  for (const candidate of candidates) {
    const into = first.get(keyOf(candidate.center));
    if (into === undefined) first.set(keyOf(candidate.center), candidate);
    else repeated.push({ candidate, into });
  }
  return { unique: [...first.values()], repeated };
}

function idOf(into: Candidate | Stored): string {
  return 'id' in into ? into.id : centerId(into.center.source, into.center.source_ref);
}

/** Where the first of a repeated record went: to its own row, or into the center that took it in. */
function idOfFirst(first: Candidate, stored: StoredCenters, absorbedInto: Map<Candidate, Candidate | Stored>): string {
  const key = keyOf(first.center);
  return stored.byRef.get(key)?.id ?? stored.merges.get(key) ?? idOf(absorbedInto.get(first) ?? first);
}
