import { randomBytes } from 'node:crypto';
import { databaseErrorCode } from '#api/database/database.ts';
import type { TableSum } from './header.ts';
import { loadBackup } from './load-backup.ts';
import { type CheckedBackup, checkBackup } from './read-backup.ts';
import { BackupRefused } from './refusal.ts';
import { withCopyClient } from './schema.ts';
import { type BackupSource, type WrittenBackup, writeBackup } from './write-backup.ts';

const MISSING_RIGHT = '42501';

/**
 * Restores the backup into a scratch schema and compares all counts and hashes. The transaction is always rolled back, so
 * that nothing is left, even of an interrupted run. Throws BackupRefused for a difference.
 */
export async function verifyBackup(backup: CheckedBackup, database_url: string): Promise<TableSum[]> {
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

/** Writes a backup that has its name only after it was restored into a scratch schema and compared. */
export function writeVerifiedBackup(source: BackupSource, file: string): Promise<WrittenBackup> {
  return writeBackup(source, file, async (partial_file) => {
    await verifyBackup(await checkBackup(partial_file), source.database_url);
  });
}
