import { Command } from '@commander-js/extra-typings';
import { checkDatabase, prepareDatabase } from '#api/database/prepare-database.ts';
import { createSecrets, replaceSecret } from '#api/database/secrets.ts';
import { dataDir, type Storage, withStorage } from '#api/database/storage.ts';
import { type CheckedBackup, checkBackup } from '#api/modules/backups/read-backup.ts';
import { restoreBackup } from '#api/modules/backups/restore-backup.ts';
import { checkOfSecret, openSecret } from '#api/modules/backups/seal-secret.ts';
import { readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { defineStandaloneCommand, RefusedError } from '../command.ts';
import { describeBackup, readPassphrase, refuseByMessage } from './shared/texts.ts';

export const command = defineStandaloneCommand({
  noun: 'backup',
  verb: 'restore',
  summary: 'restore a backup into an empty server',
  description: `Checks every byte of the file before it touches anything. Then restores all tables in one transaction, compares counts
and hashes, and brings the schema up to date. The server must be stopped and have no users. Afterwards all devices read
everything again.`,
  json: 'when the backup was made, its bytes, tables and rows',
  exit_codes: '0 restored, 1 refused (nothing has changed)',
  declare: () =>
    new Command()
      .argument('<file>', 'the backup')
      .option('--with-secret', 'take the secret from the file, too; its passphrase comes from standard input'),
  async run(context, { withSecret }, file) {
    const backup = await refuseByMessage(checkBackup(file));
    const secret = withSecret ? await readSealedSecret(backup, await readPassphrase(context)) : undefined;
    const sums = await withStorage(readEnv(process.env), createLogger('warn', context.is_tty), (storage) =>
      restoreTo(storage, backup, secret),
    );
    const counts = {
      bytes: backup.bytes,
      tables: sums.length,
      rows: sums.reduce((total, { rows }) => total + rows, 0),
    };
    const { made_at } = backup.header;
    return {
      data: { file, made_at, ...counts },
      text: `The server is as it was at ${made_at}: ${describeBackup(counts)}.\n`,
    };
  },
});

function readSealedSecret({ header }: CheckedBackup, passphrase: string): Promise<string> {
  if (!header.sealed_secret) throw new RefusedError('The backup was made without --with-secret: it holds no secret.');
  return refuseByMessage(openSecret(header.sealed_secret, passphrase));
}

async function restoreTo(storage: Storage, backup: CheckedBackup, sealed_secret: string | undefined) {
  const isOf = (secret: string) => checkOfSecret(createSecrets(secret)) === backup.header.secret_check;
  const env = readEnv(process.env);
  const needs_secret = !isOf(storage.secret);
  if (needs_secret && env.SECRET !== undefined)
    throw new RefusedError('SECRET: the backup needs the secret of the server that made it: set SECRET to that one.');
  if (needs_secret && (sealed_secret === undefined || !isOf(sealed_secret)))
    throw new RefusedError(
      'The backup needs the secret of the server that made it: put its file `secret` into DATA_DIR, set SECRET, or use --with-secret.',
    );
  await checkDatabase(storage);
  return refuseByMessage(
    restoreBackup(backup, {
      database_url: storage.database_url,
      prepare: () => prepareDatabase(storage),
      async beforeCommit() {
        if (needs_secret && sealed_secret !== undefined) await replaceSecret(dataDir(env), sealed_secret);
      },
    }),
  );
}
