import { openDatabase } from '#api/database/database.ts';
import { prepareDatabase } from '#api/database/prepare-database.ts';
import { holdStart } from '#api/database/start-lock.ts';
import { describeNewDatabase, withStorage } from '#api/database/storage.ts';
import { backUpBeforeMigration } from '#api/modules/backups/before-migration.ts';
import { readEnv, warnOfMistypedSettings } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { StartError } from '#api/platform/start-error.ts';
import { EXIT_REFUSED, loadCommands, runProgram } from './command.ts';

const args = process.argv.slice(2);
const { stdin, stdout, stderr } = process;
try {
  warnOfMistypedSettings(process.env, stderr);
  process.exitCode = await runProgram(await loadCommands(args), args, {
    ...{ stdin, stdout, stderr, is_tty: stderr.isTTY },
    useDatabase(work) {
      const env = readEnv(process.env);
      const notice = describeNewDatabase(env);
      if (notice !== undefined) stderr.write(`${notice}\n`);
      return withStorage(env, createLogger('warn', stderr.isTTY), async (storage) => {
        const endStart = await holdStart(storage);
        try {
          await prepareDatabase(storage, backUpBeforeMigration(env, storage));
          const database = openDatabase(storage.database_url, { is_unlimited: true });
          return await work(database).finally(() => database.destroy());
        } finally {
          await endStart();
        }
      });
    },
  });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_REFUSED;
}
