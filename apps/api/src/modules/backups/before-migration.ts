import { join } from 'node:path';
import { createSecrets } from '#api/database/secrets.ts';
import type { Storage } from '#api/database/storage.ts';
import type { Env } from '#api/platform/env.ts';
import { StartError, toOneLine } from '#api/platform/start-error.ts';
import { backupFolder, migrationFileName } from './folder.ts';
import { writeBackup } from './write-backup.ts';

/**
 * Backs a database with users up before its schema changes: an older Sendlap refuses a migrated one. Not with
 * BACKUP_KEEP 0. Throws a StartError, and nothing is migrated then.
 */
export function backUpBeforeMigration(env: Env, { database_url, secret }: Storage) {
  return async (migration: string): Promise<void> => {
    if (env.BACKUP_KEEP === 0) return;
    const file = join(backupFolder(env), migrationFileName(migration));
    const source = { database_url, secrets: createSecrets(secret), now: () => new Date() };
    await writeBackup(source, file).catch((error: Error) => {
      throw new StartError(
        `BACKUP_DIR: the backup before an update of the database failed (${toOneLine(error.message)}): mend that, or set BACKUP_KEEP to 0 to go without`,
      );
    });
  };
}
