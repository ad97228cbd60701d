import { Command } from '@commander-js/extra-typings';
import { checkConnection } from '#api/database/prepare-database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { withStorage } from '#api/database/storage.ts';
import { readFreeBytes } from '#api/modules/backups/folder.ts';
import { checkBackup } from '#api/modules/backups/read-backup.ts';
import { checkOfSecret } from '#api/modules/backups/seal-secret.ts';
import { verifyBackup } from '#api/modules/backups/verify-backup.ts';
import { readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { defineStandaloneCommand } from '../command.ts';
import { describeBackup, refuseByMessage } from './shared/texts.ts';

export const command = defineStandaloneCommand({
  noun: 'backup',
  verb: 'verify',
  summary: 'restore a backup into a scratch schema and compare',
  description: `Checks every byte of the file, restores it into a scratch schema of the server's database, compares counts and hashes of
all tables, and removes the schema. Changes nothing else, and may run beside the server.`,
  json: 'when the backup was made, its bytes, tables and rows, and whether it fits the secret of this server',
  exit_codes: '0 the backup can be restored, 1 it cannot',
  declare: () => new Command().argument('<file>', 'the backup'),
  async run(context, _options, file) {
    const backup = await refuseByMessage(checkBackup(file));
    const env = readEnv(process.env);
    const logger = createLogger('warn', context.is_tty);
    const { sums, fits_secret } = await withStorage(env, logger, async (storage) => {
      await checkConnection(storage);
      return {
        sums: await refuseByMessage(verifyBackup(backup, storage.database_url, () => readFreeBytes(env))),
        fits_secret: checkOfSecret(createSecrets(storage.secret)) === backup.header.secret_check,
      };
    });
    const { made_at, sealed_secret } = backup.header;
    const counts = {
      bytes: backup.bytes,
      tables: sums.length,
      rows: sums.reduce((total, { rows }) => total + rows, 0),
    };
    const note =
      fits_secret || sealed_secret
        ? ''
        : 'It needs the secret of the server that made it, which is not that of this one.\n';
    return {
      data: { file, made_at, ...counts, fits_secret, has_secret: sealed_secret !== undefined },
      text: `${file} of ${made_at}: ${describeBackup(counts)}, can be restored.\n${note}`,
    };
  },
});
