import type { Database, Trx } from '#api/platform/database.ts';
import { classify } from './classify.ts';
import type { Candidate } from './merge.ts';
import { readPlaces, refOf } from './parse.ts';
import { type Plan, planImport } from './plan.ts';
import type { ImportReport } from './report.ts';
import { loadStoredCenters, lockImports, saveCenters, saveMerges } from './stored-centers.ts';
import type { ReadFile, ReadOptions, Refusal } from './types.ts';

export type ImportProgress = { step: 'read' | 'classify' | 'compare' | 'save'; done: number; total: number };

export type ImportOptions = ReadOptions & {
  database: Database;
  /** The text of the file: GeoJSON, line-delimited GeoJSON or Overpass JSON. */
  text: string;
  dry_run?: boolean;
  on_progress?: (progress: ImportProgress) => void;
};

/**
 * Imports the sport centers of one file in one transaction: all of it or, when anything fails, nothing.
 * Every feature read is counted once: read = imported + updated + unchanged + merged + refused.
 *
 * @throws ImportError when the file as a whole can't be read; then the database was not touched
 */
export async function importCenters(options: ImportOptions): Promise<ImportReport> {
  const progress = options.on_progress ?? (() => {});
  progress({ step: 'read', done: 0, total: 1 });
  const file = readPlaces(options.text, options);
  const { candidates, refusals } = classifyAll(file, progress);
  const plan = await storeCandidates(options.database, candidates, { dry_run: options.dry_run ?? false, progress });
  return toReport(file, plan, refusals, options.dry_run ?? false);
}

function classifyAll(file: ReadFile, progress: (progress: ImportProgress) => void) {
  const candidates: Candidate[] = [];
  const refusals: Refusal[] = [...file.refusals];
  for (const [done, place] of file.places.entries()) {
    if (done % 1000 === 0) progress({ step: 'classify', done, total: file.places.length });
    const result = classify(place);
    if ('center' in result) candidates.push({ index: place.index, ref: refOf(place), center: result.center });
    else refusals.push(result.refusal);
  }
  refusals.sort((a, b) => a.index - b.index);
  return { candidates, refusals };
}

type StoreOptions = { dry_run: boolean; progress: (progress: ImportProgress) => void };

/** Plans and writes candidates in one transaction; the starter set takes this way too. */
export async function storeCandidates(
  database: Database,
  candidates: Candidate[],
  options: StoreOptions,
): Promise<Plan> {
  return database.transaction().execute(async (trx: Trx) => {
    await lockImports(trx);
    options.progress({ step: 'compare', done: 0, total: candidates.length });
    const plan = planImport(candidates, await loadStoredCenters(trx));
    if (options.dry_run) return plan;
    const total = plan.writes.length;
    await saveCenters(trx, plan.writes, (done) => options.progress({ step: 'save', done, total }));
    await saveMerges(
      trx,
      plan.merges.filter(isAnotherRecord).map(({ candidate, id }) => ({ ...candidate.center, id })),
    );
    return plan;
  });
}

/** A record that stands twice in a file is not a second name of itself. */
function isAnotherRecord({ candidate, into }: Plan['merges'][number]): boolean {
  return candidate.ref !== into;
}

function toReport(file: ReadFile, plan: Plan, refusals: Refusal[], dryRun: boolean): ImportReport {
  const by_reason: ImportReport['by_reason'] = {};
  for (const { code } of refusals) by_reason[code] = (by_reason[code] ?? 0) + 1;
  const merged = plan.merges
    .sort((a, b) => a.candidate.index - b.candidate.index)
    .map(({ candidate, into, into_name }) => ({ ref: candidate.ref, name: candidate.center.name, into, into_name }));
  return {
    dry_run: dryRun,
    read: file.read,
    imported: plan.imported.length,
    updated: plan.updated.length,
    unchanged: plan.unchanged.length,
    enriched: plan.enriched,
    merged,
    refused: refusals,
    by_reason,
    notes: file.notes,
  };
}
