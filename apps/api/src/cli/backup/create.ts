import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { openDatabase } from '#api/database/database.ts';
import { assertSecretMatches, checkConnection } from '#api/database/prepare-database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { type Storage, withStorage } from '#api/database/storage.ts';
import { readFreeBytes } from '#api/modules/backups/folder.ts';
import { sealSecret } from '#api/modules/backups/seal-secret.ts';
import { writeVerifiedBackup } from '#api/modules/backups/verify-backup.ts';
import { readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { defineStandaloneCommand, RefusedError } from '../command.ts';
import { describeBackup, readPassphrase, refuseByMessage } from './shared/texts.ts';

export const command = defineStandaloneCommand({
  noun: 'backup',
  verb: 'create',
  summary: 'write a verified backup of the database',
  description: `Writes all tables into one compressed file, as they are at one moment, while the server runs. Then, unless
BACKUP_VERIFY is 0, restores the file into a scratch schema, and compares counts and hashes; only a file that passes gets its
name. The secret of the server is not in the file: keep it elsewhere.`,
  json: 'the file, its bytes, tables and rows, and whether it was restored on trial',
  exit_codes: '0 written, 1 refused (nothing is written)',
  declare: () =>
    new Command()
      .argument('<file>', 'where to write it')
      .option(
        '--with-secret',
        'put the secret of the server into the file, sealed by a passphrase that it asks for, or reads from standard input',
      ),
  async run(context, { withSecret }, file) {
    const target = resolve(file);
    if (existsSync(target)) throw new RefusedError(`${file} exists: choose another name.`);
    const passphrase = withSecret ? await readPassphrase(context, 'new') : undefined;
    const env = readEnv(process.env);
    const restores_on_trial = env.BACKUP_VERIFY === '1';
    const written = await withStorage(env, createLogger('warn', context.is_tty), async (storage) => {
      await assertCanBackUp(storage);
      const { database_url, secret } = storage;
      const sealed_secret = passphrase === undefined ? undefined : await sealSecret(secret, passphrase);
      const source = { database_url, secrets: createSecrets(secret), sealed_secret, now: () => new Date() };
      const trial = { restores_on_trial, readFreeBytes: (path?: string) => readFreeBytes(env, path) };
      return refuseByMessage(writeVerifiedBackup({ ...source, ...trial }, target));
    });
    const { made_at, bytes, tables, rows } = written;
    const secret_text = withSecret
      ? 'The passphrase opens its secret.'
      : 'It is worth nothing without the secret of this server: keep that elsewhere.';
    return {
      data: {
        ...{ file: target, made_at, bytes, tables, rows, has_secret: withSecret === true },
        is_verified: restores_on_trial,
      },
      text: `${file}: ${describeBackup({ bytes, tables, rows })}, ${restores_on_trial ? 'verified' : 'not restored on trial, as BACKUP_VERIFY is 0'}. ${secret_text}\n`,
    };
  },
});

/** Throws StartError, or RefusedError for a database that Sendlap never started on. */
async function assertCanBackUp(storage: Storage): Promise<void> {
  await checkConnection(storage);
  const { database_url, secret, location } = storage;
  const database = openDatabase(database_url, { is_unlimited: true });
  try {
    const tables = await database.introspection.getTables();
    if (!tables.some(({ name }) => name === 'users'))
      throw new RefusedError(
        `${location}: this database is empty, there is nothing to back up: run the verb with the settings of the server (DATA_DIR or DATABASE_URL).`,
      );
    await assertSecretMatches(database, secret, location);
  } finally {
    await database.destroy();
  }
}
