import { tmpdir } from 'node:os';
import { type CenterIndex, openCenterIndex } from '@sendlap/center-index/center-index.ts';
import { orderColumns } from '@sendlap/center-index/index-columns.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import KDBush from 'kdbush';
import type { Database } from '#api/platform/database.ts';
import { StartError } from '#api/platform/start-error.ts';
import { readSnapshot } from './read-snapshot.ts';
import { closeAside, createNamelessFile, openRecords, type RecordFile, renumberRecords } from './record-file.ts';
import { type ReadSnapshot, readInProcess } from './snapshot-files.ts';
import { countCenters } from './store.ts';

export interface Log {
  warn(details: object, message: string): void;
}

/** All centers of one moment, closed ones too; numbers and places are those of the index. */
export interface Snapshot {
  readonly version: string;
  readonly index: CenterIndex;
  /** Each center as JSON, as the contract describes it, by place. */
  readonly records: RecordFile;
  centerAt(number: number): SportCenter;
  /** Keeps the records open until `release`, even if a newer snapshot takes over meanwhile. */
  retain(): void;
  release(): void;
}

export interface SnapshotSource {
  database: Database;
  /** For a process of its own, which reads many centers; without it they are read here. */
  database_url?: string | undefined;
  /** Up to so many are read in place, sooner than a process starts. */
  few?: number | undefined;
  log?: Log | undefined;
}

const FEW = 20_000;
/** Rows of one statement in place: requests are served between the batches. */
const BATCH_ROWS = 200;

/**
 * Reads all centers of this moment. `is_waited_for`: there is none to go on with meanwhile. Throws a StartError where the
 * folder for temporary files takes nothing.
 */
export async function loadSnapshot(source: SnapshotSource, is_waited_for: boolean): Promise<Snapshot> {
  try {
    return await loadInto(createNamelessFile(), source, is_waited_for);
  } catch (error) {
    throw isOfTemporaryFile(error) ? new StartError(`TMPDIR: ${tmpdir()} takes no files: ${error.message}`) : error;
  }
}

function isOfTemporaryFile(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { syscall, code } = error as NodeJS.ErrnoException;
  // Sockets say ENOENT too, but of `connect`.
  return /^(open|unlink|write)$/.test(syscall ?? '') && /^E(NO|DQUOT|ACCES|PERM|ROFS|MFILE|NFILE|IO)/.test(code ?? '');
}

async function loadInto(file: number, source: SnapshotSource, is_waited_for: boolean): Promise<Snapshot> {
  const { database, database_url, few = FEW, log } = source;
  try {
    const isMany = database_url !== undefined && (await countCenters(database)) > few;
    const { version, left_out, columns, order, records } = isMany
      ? await readInProcess({ database_url, records_file: file, is_waited_for })
      : await readHere(database, file);
    if (left_out.length > 0) log?.warn({ ids: left_out.slice(0, 20) }, 'sport centers were left out');
    return openSnapshot(version, openCenterIndex(columns, order), openRecords(file, records));
  } catch (error) {
    closeAside(file);
    throw error;
  }
}

async function readHere(database: Database, file: number): Promise<ReadSnapshot> {
  const data = await readSnapshot(database, file, BATCH_ROWS);
  const order = orderColumns(data.columns);
  return { ...data, order, records: renumberRecords(data.records, KDBush.from(order.tree).ids) };
}

function openSnapshot(version: string, index: CenterIndex, records: RecordFile): Snapshot {
  let users = 1;
  return {
    version,
    index,
    records,
    centerAt: (number) => JSON.parse(records.read(index.placeOf(number))) as SportCenter,
    retain: () => {
      users += 1;
    },
    release: () => {
      users -= 1;
      if (users === 0) records.close();
    },
  };
}
