import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { checkDatabase, prepareDatabase } from '#api/database/prepare-database.ts';
import { createSecrets, restoredSecretFile, writeSecret } from '#api/database/secrets.ts';
import { dataDir, type Storage, withStorage } from '#api/database/storage.ts';
import { type CheckedBackup, checkBackup } from '#api/modules/backups/read-backup.ts';
import { restoreBackup } from '#api/modules/backups/restore-backup.ts';
import { checkOfSecret, openSecret } from '#api/modules/backups/seal-secret.ts';
import { type Env, readEnv } from '#api/platform/env.ts';
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
  json: 'when the backup was made, its bytes, tables and rows, and the file of a secret that you have to set',
  exit_codes: '0 restored, 1 refused (nothing has changed)',
  declare: () =>
    new Command()
      .argument('<file>', 'the backup')
      .option(
        '--with-secret',
        'take the secret from the file, too; asks for its passphrase, or reads it from standard input',
      ),
  async run(context, { withSecret }, file) {
    const backup = await refuseByMessage(checkBackup(file));
    const sealed_secret = withSecret ? await readSealedSecret(backup, await readPassphrase(context)) : undefined;
    const env = readEnv(process.env);
    // An external database has its secret in SECRET alone, which may be lost.
    const SECRET = env.SECRET ?? (env.DATABASE_URL ? sealed_secret : undefined);
    const logger = createLogger('warn', context.is_tty);
    const { sums, secret_file } = await withStorage({ ...env, SECRET }, logger, (storage) =>
      restoreTo(storage, { backup, sealed_secret, env }),
    );
    const counts = {
      bytes: backup.bytes,
      tables: sums.length,
      rows: sums.reduce((total, { rows }) => total + rows, 0),
    };
    const { made_at } = backup.header;
    const advice =
      secret_file === null
        ? ''
        : `SECRET: set it, on every node, to the text of ${secret_file}, which holds the secret of this backup, and delete that file.\n`;
    return {
      data: { file, made_at, ...counts, secret_file },
      text: `The server is as it was at ${made_at}: ${describeBackup(counts)}.\n${advice}`,
    };
  },
});

function readSealedSecret({ header }: CheckedBackup, passphrase: string): Promise<string> {
  if (!header.sealed_secret) throw new RefusedError('The backup was made without --with-secret: it holds no secret.');
  return refuseByMessage(openSecret(header.sealed_secret, passphrase));
}

interface Restoring {
  backup: CheckedBackup;
  sealed_secret: string | undefined;
  env: Env;
}

/** Returns also the file with the secret that the operator has to set, or null if nothing is to be set. */
async function restoreTo(storage: Storage, { backup, sealed_secret, env }: Restoring) {
  const { secret_check, sealed_secret: has_sealed } = backup.header;
  const isOf = (secret: string) => checkOfSecret(createSecrets(secret)) === secret_check;
  const opened = sealed_secret !== undefined && isOf(sealed_secret) ? sealed_secret : undefined;
  if (!isOf(storage.secret) && opened === undefined) throw refuseSecret(env, has_sealed !== undefined);
  const is_set_by_operator = env.SECRET !== undefined || env.DATABASE_URL !== undefined;
  const has_to_be_set = is_set_by_operator && (env.SECRET === undefined || !isOf(env.SECRET));
  const secret_file = has_to_be_set ? restoredSecretFile(dataDir(env), secret_check) : null;
  await checkDatabase(storage);
  const sums = await refuseByMessage(
    restoreBackup(backup, {
      database_url: storage.database_url,
      prepare: () => prepareDatabase(storage),
      async beforeCommit() {
        if (opened === undefined) return;
        if (secret_file !== null) await writeSecret(secret_file, opened);
        else if (!isOf(storage.secret)) await writeSecret(join(dataDir(env), 'secret'), opened);
      },
    }),
  );
  return { sums, secret_file };
}

function refuseSecret({ SECRET }: Env, has_sealed: boolean): RefusedError {
  if (SECRET === undefined)
    return new RefusedError(
      'The backup needs the secret of the server that made it: put its file `secret` into DATA_DIR, set SECRET, or use --with-secret.',
    );
  const advice = has_sealed ? 'set SECRET to that secret, or use --with-secret' : 'set SECRET to that secret';
  return new RefusedError(`SECRET: the backup needs the secret of the server that made it: ${advice}.`);
}
