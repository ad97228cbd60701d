import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { CandidateTable, createTables } from './candidate-table.ts';
import { classify } from './classify.ts';
import { type Completeness, closeVanished, reopenFound } from './close-vanished.ts';
import { ReportWriter } from './import-report.ts';
import { type Reading, refOf } from './parse.ts';
import type { ImportReport } from './report.ts';
import { storeCandidates } from './store-candidates.ts';
import { lockImports } from './stored-centers.ts';

export type ImportProgress = { step: string; done: number; total: number };

export type ImportOptions = {
  database: Database;
  /** Begins the reading; the progress of it is the reader's to tell. */
  open: () => Promise<Reading>;
  dry_run?: boolean;
  /** What the records are all of; centers that are not among them are closed. */
  complete?: Completeness;
  may_close_many?: boolean;
  /** Where to write the whole report, with every refusal, merge and closed center. */
  report_path?: string;
  on_progress?: (progress: ImportProgress) => void;
};

/**
 * Imports sport centers in one transaction: all of them or, when anything fails, nothing.
 * Every record read is counted once: read = imported + updated + unchanged + merged + refused. Memory does not grow with
 * the input but for some 40 bytes a center.
 *
 * @throws ImportError when the input as a whole can't be used; then nothing was changed
 */
export async function importCenters(options: ImportOptions): Promise<ImportReport> {
  const writer = await ReportWriter.create(options.report_path);
  try {
    const reading = await options.open();
    const report = await options.database.transaction().execute(async (trx) => {
      const done = await importAll(trx, reading, writer, options);
      // Before the commit: where there is no room for the report, nothing is imported either.
      await writer.end(done);
      return done;
    });
    await writer.publish();
    return report;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function importAll(
  trx: Trx,
  reading: Reading,
  writer: ReportWriter,
  options: ImportOptions,
): Promise<ImportReport> {
  const progress = options.on_progress ?? (() => {});
  const dry_run = options.dry_run ?? false;
  // The reading of a long file is no idleness.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
  // Everything is looked up by index, a thousand rows at a time; pages that are in memory cost the same in any order.
  await sql`set local random_page_cost = 1`.execute(trx);
  await createTables(trx);
  const { read, accepted } = await takeRecords(trx, reading, writer);
  await lockImports(trx);
  const step = (name: 'compare' | 'save', done: number, total: number) => progress({ step: name, done, total });
  const { merged, ...counts } = await storeCandidates(trx, accepted, {
    dry_run,
    progress: step,
    refuse: (refusal) => writer.refuse(refusal),
  });
  await writer.addMerges(trx);
  const notes = [...reading.notes];
  let closed = 0;
  if (options.complete !== undefined) {
    const result = await closeVanished(trx, options.complete, {
      dry_run,
      may_close_many: options.may_close_many ?? false,
    });
    closed = result.closed;
    if (result.note !== null && dry_run) notes.push(result.note);
    await writer.addClosed(trx);
  }
  const { by_reason, refused_count, refused } = writer;
  return {
    dry_run,
    read,
    ...counts,
    merged_count: merged,
    refused_count,
    closed,
    reopened: await reopenFound(trx, dry_run),
    by_reason,
    notes,
    merged: writer.merged,
    refused,
  };
}

async function takeRecords(trx: Trx, reading: Reading, writer: ReportWriter) {
  const table = new CandidateTable(trx);
  let read = 0;
  for await (const records of reading.records) {
    for (const record of records) {
      read += 1;
      if ('code' in record) await table.addUnread(record.ref);
      const result = 'code' in record ? { refusal: record } : classify(record);
      if ('refusal' in result) await writer.refuse(result.refusal);
      else await table.add({ index: record.index, ref: refOf(result.center), center: result.center });
    }
  }
  await table.flush();
  // Nobody else counts the rows of a temporary table, and a wrong guess means to read all of it for each thousand.
  await sql`analyze import_candidates`.execute(trx);
  return { read, accepted: table.count };
}
