import { distanceKm } from '@sendlap/domain/geo.ts';
import type { Trx } from '#api/database/database.ts';
import type { Candidate } from '../match/merge.ts';
import type { Refusal } from '../read/types.ts';
import { type Plan, planImport } from './plan.ts';
import { deleteMerges, loadStoredCenters, lockImports, saveCenters, saveMerges } from './stored-centers.ts';

export type StoreOptions = {
  dry_run?: boolean;
  /** See `ImportOptions`. */
  doubts_new_urls?: boolean | undefined;
  on_saved?: (done: number, total: number) => void;
};

/** Compares candidates with the stored centers and writes the new facts. */
export async function storeCandidates(trx: Trx, candidates: Candidate[], options: StoreOptions = {}): Promise<Plan> {
  await lockImports(trx);
  const stored = await loadStoredCenters(
    trx,
    candidates.map(({ center }) => center),
  );
  const plan = planImport(candidates, stored);
  if (!options.dry_run) await savePlan(trx, plan, options);
  return plan;
}

/** Refuses a record that contradicts an earlier record of the same file. */
export function refuseContradicting({ candidate, into }: Plan['contradicting'][number]): Refusal {
  const { index, ref, center } = candidate;
  const km = distanceKm(center, into.center).toFixed(1);
  const reason = `its reference occurs earlier in the file, for "${into.center.name}", ${km} km away`;
  return { index, ref, name: center.name, code: 'repeated_ref', reason };
}

async function savePlan(trx: Trx, plan: Plan, { doubts_new_urls = false, on_saved }: StoreOptions): Promise<void> {
  await saveCenters(trx, plan.writes, {
    doubts_new_urls,
    on_saved: (done) => on_saved?.(done, plan.writes.length),
  });
  await deleteMerges(
    trx,
    plan.moved.map(({ center }) => center),
  );
  // A record listed twice in a file is not another name of itself.
  const learnt = plan.merges.filter(({ candidate, into }) => candidate.ref !== into);
  await saveMerges(
    trx,
    learnt.map(({ candidate, id }) => ({ ...candidate.center, id })),
  );
}
