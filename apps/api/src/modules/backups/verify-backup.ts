import { randomBytes } from 'node:crypto';
import { databaseErrorCode } from '#api/database/database.ts';
import type { TableSum } from './header.ts';
import { loadBackup } from './load-backup.ts';
import { type CheckedBackup, checkBackup } from './read-backup.ts';
import { BackupRefused } from './refusal.ts';
import { withCopyClient } from './schema.ts';
import { type BackupSource, type WrittenBackup, writeBackup } from './write-backup.ts';

const MISSING_RIGHT = '42501';

/** Of the database: rows and indexes again, the log of their writing, and the file. */
const ROOM_FOR_DATABASE = 3;
/** Of the rows as text: the same without the file; indexes and the log are larger than the rows. */
const ROOM_FOR_ROWS = 5;
const MB = 1_000_000;

/**
 * Returns the free bytes where the database is; null if this machine cannot know them, or if `file` is on another disk,
 * which may become full without harm to the database.
 */
export type ReadFreeBytes = (file?: string) => Promise<number | null>;

/**
 * Restores the backup into a scratch schema and compares all counts and hashes. The transaction is always rolled back, so
 * that nothing is left, even of an interrupted run. Throws BackupRefused for a difference, or if the disk lacks room.
 */
export async function verifyBackup(
  backup: CheckedBackup,
  database_url: string,
  readFreeBytes: ReadFreeBytes,
): Promise<TableSum[]> {
  await assertRoom(
    'A trial restore',
    await readFreeBytes(),
    async () => ROOM_FOR_ROWS * (await countTextBytes(backup)),
  );
  return restoreOnTrial(backup, database_url);
}

async function restoreOnTrial(backup: CheckedBackup, database_url: string): Promise<TableSum[]> {
  const scratch = `verify_${randomBytes(6).toString('hex')}`;
  return withCopyClient(database_url, async (client) => {
    await client.query('begin');
    await client.query(`create schema ${scratch}`).catch((error: unknown) => {
      if (databaseErrorCode(error) !== MISSING_RIGHT) throw error;
      throw new BackupRefused(
        'DATABASE_URL: its role may not create the scratch schema: make it the owner of the database, or grant it CREATE there.',
      );
    });
    // The extensions are in the schema of the data.
    await client.query(`select set_config('search_path', '${scratch}, ' || current_setting('search_path'), true)`);
    const sums = await loadBackup(client, backup);
    await client.query('rollback');
    return sums;
  });
}

interface VerifiedSource extends BackupSource {
  readFreeBytes: ReadFreeBytes;
  /** False: the file gets its name after its bytes alone were checked. */
  restores_on_trial?: boolean;
}

/**
 * Writes a backup that has its name only after it was restored into a scratch schema and compared. Throws BackupRefused for
 * a difference, or if the disk of the database lacks room for the trial restore or, without it, for a file on that disk:
 * then nothing is written.
 */
export async function writeVerifiedBackup(source: VerifiedSource, file: string): Promise<WrittenBackup> {
  const { database_url, readFreeBytes, restores_on_trial = true } = source;
  if (restores_on_trial) {
    const readNeededBytes = async () => ROOM_FOR_DATABASE * (await readDatabaseBytes(database_url));
    await assertRoom('A trial restore', await readFreeBytes(), readNeededBytes);
  } else await assertRoom('A backup', await readFreeBytes(file), () => readFileBytes(database_url));
  return writeBackup(source, file, async (partial_file) => {
    const backup = await checkBackup(partial_file);
    if (restores_on_trial) await restoreOnTrial(backup, database_url);
  });
}

/** The trial restore holds all rows a second time: neither it nor the file must fill the disk of a running database. */
async function assertRoom(
  work: string,
  free_bytes: number | null,
  readNeededBytes: () => Promise<number>,
): Promise<void> {
  if (free_bytes === null) return;
  const needed_bytes = await readNeededBytes();
  if (free_bytes >= needed_bytes) return;
  throw new BackupRefused(
    `${work} needs ${Math.ceil(needed_bytes / MB)} MB of free disk, and the disk of the database has ${Math.floor(free_bytes / MB)} MB: free some space.`,
  );
}

async function countTextBytes({ readTables }: CheckedBackup): Promise<number> {
  let bytes = 0;
  for await (const part of readTables()) if ('rows' in part) for await (const chunk of part.rows) bytes += chunk.length;
  return bytes;
}

/** Returns an upper estimate of the file's size: twice the last one; before the first, the database. */
async function readFileBytes(database_url: string): Promise<number> {
  return withCopyClient(database_url, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      'select coalesce((select 2 * bytes from backup_state), pg_database_size(current_database())) as bytes',
    );
    return rows[0]?.bytes ?? 0;
  });
}

async function readDatabaseBytes(database_url: string): Promise<number> {
  return withCopyClient(database_url, async (client) => {
    const { rows } = await client.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    return rows[0]?.bytes ?? 0;
  });
}
