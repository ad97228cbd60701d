import { tmpdir } from 'node:os';
import { type CenterIndex, createCenterIndexBuilder } from '@sendlap/center-index/center-index.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { StartError } from '#api/platform/start-error.ts';
import { createRecordFile, type RecordFile } from './record-file.ts';
import { type CenterRow, countCenters, readCenters, readDataVersion, readExtraFields } from './store.ts';

/** All centers at one moment, closed ones too; numbers are those of the index. */
export interface Snapshot {
  readonly version: string;
  readonly index: CenterIndex;
  readonly records: RecordFile;
  /** Of the few centers that have some: JSON fields that only a read by id returns, by id. */
  readonly extra_fields: ReadonlyMap<string, object>;
  centerAt(number: number): SportCenter;
  /** Keeps the records open until `release`, even if a newer snapshot replaces this one. */
  retain(): void;
  release(): void;
}

/** Rows per statement: requests are served between the batches. */
const BATCH_ROWS = 500;

/** Reads all centers of this moment. Throws a StartError if the folder for temporary files is not writable. */
export async function loadSnapshot(database: Database): Promise<Snapshot> {
  let records: RecordFile | undefined;
  try {
    const opened = createRecordFile();
    records = opened;
    return await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => readSnapshot(trx, opened));
  } catch (error) {
    records?.close();
    throw isOfTemporaryFile(error) ? new StartError(`TMPDIR: ${tmpdir()} takes no files: ${error.message}`) : error;
  }
}

function isOfTemporaryFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && /^(open|unlink|write)$/.test((error as NodeJS.ErrnoException).syscall ?? '');
}

async function readSnapshot(trx: Trx, records: RecordFile): Promise<Snapshot> {
  // Counting a million centers on a cold disk takes longer than a request's statement timeout.
  await sql`set local statement_timeout = '1min'`.execute(trx);
  const version = await readDataVersion(trx);
  const builder = createCenterIndexBuilder(await countCenters(trx));
  let rows: CenterRow[] = [];
  do {
    rows = await readCenters(trx, rows.at(-1), BATCH_ROWS);
    for (const row of rows) builder.add(row);
    records.addAll(rows.map(({ record }) => record));
  } while (rows.length === BATCH_ROWS);
  const extra_fields = await readExtraFields(trx);
  return openSnapshot({ version, index: builder.finish(), records, extra_fields });
}

function openSnapshot(data: Pick<Snapshot, 'version' | 'index' | 'records' | 'extra_fields'>): Snapshot {
  const { records } = data;
  let holders = 1;
  return {
    ...data,
    centerAt: (number) => JSON.parse(records.join([number, '}']).toString()) as SportCenter,
    retain: () => {
      holders += 1;
    },
    release: () => {
      holders -= 1;
      if (holders === 0) records.close();
    },
  };
}
