import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError, toOneLine } from '#api/platform/start-error.ts';
import { type Account, canRun } from './account.ts';
import type { Binaries } from './binaries.ts';
import { serverEnvironment, spawnOptions } from './cluster.ts';

/** The oldest PostgreSQL that has all the SQL of the schema and of the statements. */
export const OLDEST_POSTGRES_MAJOR = 15;
const PROGRAMS = ['postgres', 'initdb'];
const VERSION_TIMEOUT_MS = 10_000;

/** Returns the programs in the folder of POSTGRES_BIN. Throws a StartError if they cannot run or are too old. */
export function readOwnBinaries(folder: string, account: Account | null): Binaries {
  const bin_dir = resolve(folder);
  for (const program of PROGRAMS) {
    const path = join(bin_dir, program);
    if (!existsSync(path)) {
      throw new StartError(
        `POSTGRES_BIN: ${bin_dir} has no ${program}: name the folder of PostgreSQL's server programs, such as /usr/lib/postgresql/18/bin`,
      );
    }
    if (account && !canRun(path, account)) {
      throw new StartError(`POSTGRES_BIN: the account "${account.name}", which runs the database, may not run ${path}`);
    }
  }
  const version = readVersion(join(bin_dir, 'postgres'), account);
  const major = Number.parseInt(version, 10);
  if (major < OLDEST_POSTGRES_MAJOR) {
    throw new StartError(
      `POSTGRES_BIN: this is PostgreSQL ${version}, and Sendlap needs ${OLDEST_POSTGRES_MAJOR} or newer: name the folder of such a one`,
    );
  }
  return { bin_dir, major, label: 'POSTGRES_BIN is' };
}

/** Runs the program as the server will: by the same account, in the same environment. */
function readVersion(program: string, account: Account | null): string {
  const options = { ...spawnOptions(account), env: serverEnvironment(), timeout: VERSION_TIMEOUT_MS };
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { ...options, encoding: 'utf8' });
  const version = /^postgres \(PostgreSQL\) (\d[\w.]*)/.exec(stdout ?? '')?.[1];
  if (version !== undefined) return version;
  const reason = toOneLine(error?.message || stderr || stdout || 'no answer');
  throw new StartError(`POSTGRES_BIN: ${program} does not say its version: ${reason}`);
}
