import { distanceKm } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { loadCandidates } from './candidate-table.ts';
import { findComponents } from './find-components.ts';
import type { Candidate } from './merge.ts';
import { type Plan, planImport } from './plan.ts';
import {
  forgetMerges,
  loadStoredCenters,
  loadStoredFor,
  lockImports,
  saveCenters,
  saveMerges,
} from './stored-centers.ts';
import type { Refusal } from './types.ts';

export type Counts = { imported: number; updated: number; unchanged: number; merged: number; enriched: number };
export type StoreOptions = {
  dry_run: boolean;
  progress: (step: 'compare' | 'save', done: number, total: number) => void;
  /** Told of records that only show beside others that they are none. */
  refuse: (refusal: Refusal) => Promise<void>;
  /** How many candidates a part holds at least, where there are more. */
  part_nodes?: number;
};

const PART_NODES = 1000;

/** Plans and writes a few candidates, all in memory at once: the starter set. */
export async function storeFew(database: Database, candidates: Candidate[]): Promise<Plan> {
  return database.transaction().execute(async (trx: Trx) => {
    await lockImports(trx);
    const plan = planImport(candidates, await loadStoredCenters(trx));
    await savePlan(trx, plan);
    return plan;
  });
}

/**
 * Plans and writes the first `count` rows of the candidate table, part by part: a part holds all that could be one
 * place with something in it, so that the outcome is that of one plan for everything.
 */
export async function storeCandidates(trx: Trx, count: number, options: StoreOptions): Promise<Counts> {
  const components = await findComponents(trx, count, (done) => options.progress('compare', done, count));
  const counts: Counts = { imported: 0, updated: 0, unchanged: 0, merged: 0, enriched: 0 };
  let part: number[] = [];
  let done = 0;
  const storePart = async (): Promise<void> => {
    const nodes = part.filter((item) => item < count).sort((a, b) => a - b);
    const ordinals = part.filter((item) => item >= count).map((item) => item - count);
    part = [];
    if (nodes.length === 0) return;
    const candidates = await loadCandidates(trx, nodes);
    const plan = planImport(candidates, await loadStoredFor(trx, nodes, ordinals));
    addCounts(counts, plan);
    for (const contradiction of plan.contradicting) await options.refuse(toRefusal(contradiction));
    await noteMerges(trx, plan, new Map(candidates.map((candidate) => [candidate.index, candidate.node])));
    if (!options.dry_run) await savePlan(trx, plan);
    done += nodes.length;
    options.progress('save', done, count);
  };
  for (const group of components.groups(count)) {
    for (const item of group) part.push(item);
    if (part.length >= (options.part_nodes ?? PART_NODES)) await storePart();
  }
  await storePart();
  return counts;
}

function toRefusal({ candidate, into }: Plan['contradicting'][number]): Refusal {
  const { index, ref, center } = candidate;
  const km = distanceKm(center, into.center).toFixed(1);
  const reason = `its reference stands in the file before, for "${into.center.name}", ${km} km away`;
  return { index, ref, name: center.name, code: 'repeated_ref', reason };
}

function addCounts(counts: Counts, plan: Plan): void {
  counts.imported += plan.imported.length;
  counts.updated += plan.updated.length;
  counts.unchanged += plan.unchanged.length;
  counts.merged += plan.merges.length;
  counts.enriched += plan.enriched;
}

/** Keeps the merges for the report, and for the question which centers the file no longer has. */
async function noteMerges(trx: Trx, { merges }: Plan, nodes: ReadonlyMap<number, number>): Promise<void> {
  if (merges.length === 0) return;
  await sql`
    insert into import_merges (node, id, ref, name, into_ref, into_name)
    select * from unnest(
      ${merges.map(({ candidate }) => nodes.get(candidate.index) ?? -1)}::integer[], ${merges.map(({ id }) => id)}::uuid[],
      ${merges.map(({ candidate }) => candidate.ref)}::text[], ${merges.map(({ candidate }) => candidate.center.name)}::text[],
      ${merges.map(({ into }) => into)}::text[], ${merges.map(({ into_name }) => into_name)}::text[]
    )`.execute(trx);
}

async function savePlan(trx: Trx, plan: Plan): Promise<void> {
  await saveCenters(trx, plan.writes);
  await forgetMerges(
    trx,
    plan.moved.map(({ center }) => center),
  );
  const learnt = plan.merges.filter(isAnotherRecord).map(({ candidate, id }) => ({ ...candidate.center, id }));
  await saveMerges(trx, learnt);
}

/** A record that stands twice in a file is not a second name of itself. */
function isAnotherRecord({ candidate, into }: Plan['merges'][number]): boolean {
  return candidate.ref !== into;
}
