import { open, rename, rm, stat } from 'node:fs/promises';
import type { Database, Trx } from '#api/database/database.ts';
import { classify } from './classify/classify.ts';
import type { Candidate } from './match/merge.ts';
import { type RecordStream, refOf } from './read/open-records.ts';
import type { Refusal } from './read/types.ts';
import { ImportError } from './read/types.ts';
import type { ImportReport } from './report.ts';
import { type ClosedCenter, type CompleteScope, closeVanished, reopenFound } from './store/close-vanished.ts';
import { refuseContradicting, storeCandidates } from './store/store-candidates.ts';

export type ImportProgress = { phase: string; done: number; total: number };

export type ImportOptions = {
  database: Database;
  /** Opens the record stream, which reports its own progress. */
  open: () => Promise<RecordStream>;
  dry_run?: boolean;
  /** The scope that the records cover completely; other centers in it are closed. */
  complete?: CompleteScope;
  may_close_many?: boolean;
  /** If more than a third of the centers are missing, they stay open, and the import goes on. */
  keeps_many_open?: boolean;
  /**
   * A stranger chose the moment, perhaps after an edit of the map: urls of new centers count as changed now, and centers
   * with a manager, or that ever had a referee or a kiosk, stay open.
   */
  is_of_stranger?: boolean;
  /** Path of the full report, with every refusal, merge and closed center. */
  report_path?: string;
  on_progress?: (progress: ImportProgress) => void;
};

/** A report whose lists are complete. */
type FullReport = ImportReport & { closed_centers: ClosedCenter[] };

const LISTED = 1000;

/**
 * Imports sport centers: reads and classifies the records, then compares and saves them in one transaction. Every
 * record is counted once: read = imported + updated + unchanged + merged + refused.
 *
 * @throws ImportError if the input as a whole is unusable; then nothing was changed
 */
export async function importCenters(options: ImportOptions): Promise<ImportReport> {
  const file = options.report_path === undefined ? null : await createReportFile(options.report_path);
  try {
    const records = await collectRecords(await options.open());
    const { closed_centers: _, ...report } = await options.database.transaction().execute(async (trx) => {
      const full_report = await storeRecords(trx, records, options);
      // Before the commit: without room for the report nothing is imported.
      await file?.write(full_report);
      return full_report;
    });
    await file?.publish();
    return { ...report, merged: report.merged.slice(0, LISTED), refused: report.refused.slice(0, LISTED) };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

type CollectedRecords = {
  read: number;
  candidates: Candidate[];
  refused: Refusal[];
  unreadable: Set<string>;
  notes: string[];
};

async function collectRecords({ records, notes }: RecordStream): Promise<CollectedRecords> {
  const collected: CollectedRecords = { read: 0, candidates: [], refused: [], unreadable: new Set(), notes };
  for await (const record of records) {
    collected.read += 1;
    if ('code' in record) collected.unreadable.add(record.ref);
    const result = 'code' in record ? { refusal: record } : classify(record);
    if ('refusal' in result) collected.refused.push(result.refusal);
    else collected.candidates.push({ index: record.index, ref: refOf(result.center), center: result.center });
  }
  return collected;
}

async function storeRecords(trx: Trx, records: CollectedRecords, options: ImportOptions): Promise<FullReport> {
  const { dry_run = false, may_close_many = false, keeps_many_open, complete, on_progress = () => {} } = options;
  const { is_of_stranger = false } = options;
  const plan = await storeCandidates(trx, records.candidates, {
    dry_run,
    doubts_new_urls: is_of_stranger,
    on_saved: (done, total) => on_progress({ phase: 'save', done, total }),
  });
  const found = {
    sources: new Set(records.candidates.map(({ center }) => center.source)),
    refs: new Set(records.candidates.map(({ ref }) => ref)),
    unreadable: records.unreadable,
    merged_into: new Set(plan.merges.map(({ id }) => id)),
  };
  const { closed_centers, missing, note } =
    complete === undefined
      ? { closed_centers: [], missing: 0, note: null }
      : await closeVanished(trx, complete, found, {
          dry_run,
          may_close_many,
          keeps_many_open,
          keeps_staffed_open: is_of_stranger,
        });
  const refused = [...records.refused, ...plan.contradicting.map(refuseContradicting)];
  const merges = plan.merges.sort((a, b) => a.candidate.index - b.candidate.index);
  return {
    dry_run,
    read: records.read,
    imported: plan.imported.length,
    updated: plan.updated.length,
    unchanged: plan.unchanged.length,
    enriched: plan.enriched,
    merged_count: merges.length,
    refused_count: refused.length,
    closed: closed_centers.length,
    missing,
    reopened: await reopenFound(trx, found, dry_run),
    by_reason: countReasons(refused),
    notes: note === null ? records.notes : [...records.notes, note],
    merged: merges.map(({ candidate: { ref, center }, into, into_name }) => ({
      ref,
      name: center.name,
      into,
      into_name,
    })),
    refused,
    closed_centers,
  };
}

function countReasons(refused: Refusal[]): ImportReport['by_reason'] {
  const counts: ImportReport['by_reason'] = {};
  for (const { code } of refused) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/**
 * Begins a report file, which appears under its name only on `publish`. This, `write` and `publish` throw ImportError
 * `unreadable` if the file is not writable.
 */
async function createReportFile(path: string) {
  const known = await stat(path).catch(() => null);
  if (known !== null && !known.isFile()) throwUnwritable(new Error(`${path} is there, and is no file`));
  const temp_file = await open(`${path}.part`, 'w').catch(throwUnwritable);
  return {
    async write(report: object) {
      await temp_file.writeFile(`${JSON.stringify(report, null, 1)}\n`).catch(throwUnwritable);
      await temp_file.close().catch(throwUnwritable);
    },
    publish: () => rename(`${path}.part`, path).catch(throwUnwritable),
    async discard() {
      await temp_file.close().catch(() => {});
      await rm(`${path}.part`, { force: true });
    },
  };
}

function throwUnwritable(error: Error): never {
  throw new ImportError('unreadable', `the report can't be written: ${error.message}`);
}
