import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError, toOneLine } from '#api/platform/start-error.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './process-state.ts';

/** The only role: it connects through a socket that only the server's account and root can reach. */
export const DATABASE_ROLE = 'sendlap';

/** Returns the environment of the server's programs, without the PG* settings of the operator's own servers. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** Returns spawn options for the server's programs: run as the account, from a folder that it can enter. */
export function spawnOptions(account: Account | null): { uid?: number; gid?: number; cwd: string } {
  return { ...(account && { uid: account.uid, gid: account.gid }), cwd: '/' };
}

/** Texts sort by code points, and letters are Unicode's. Before version 17 only the C library has such a locale. */
function localeFlags(major: number): string[] {
  return major >= 17 ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
}

async function runInitdb({ bin_dir, major }: Binaries, folder: string, account: Account | null): Promise<void> {
  const flags = ['--encoding=UTF8', ...localeFlags(major)];
  try {
    await promisify(execFile)(
      join(bin_dir, 'initdb'),
      ['-D', folder, '-U', DATABASE_ROLE, '--auth=trust', '--data-checksums', '--no-instructions', ...flags],
      { ...spawnOptions(account), env: serverEnvironment() },
    );
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new StartError(`The database could not be made in ${folder}: ${toOneLine(stderr || message)}`);
  }
}

function removeAbandonedFolders(data_dir: string): void {
  for (const name of readdirSync(data_dir)) {
    const pid = /^postgres\.init-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(data_dir, name), { recursive: true, force: true });
  }
}

async function createCluster(
  data_dir: string,
  pgdata: string,
  binaries: Binaries,
  account: Account | null,
  onNewCluster: () => Promise<void>,
): Promise<void> {
  removeAbandonedFolders(data_dir);
  const temp_dir = join(data_dir, `postgres.init-${process.pid}`);
  rmSync(temp_dir, { recursive: true, force: true });
  mkdirSync(temp_dir, { mode: 0o700 });
  try {
    if (account) lchownSync(temp_dir, account.uid, account.gid);
    await runInitdb(binaries, temp_dir, account);
    await onNewCluster();
    renameSync(temp_dir, pgdata);
    const descriptor = openSync(data_dir, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch (error) {
    rmSync(temp_dir, { recursive: true, force: true });
    // Another start was faster: its cluster is as good as ours.
    if (error instanceof StartError || !existsSync(join(pgdata, 'PG_VERSION'))) throw error;
  }
}

/**
 * Creates the cluster if it is missing: under a temporary name, then renamed, so that an interrupted one is never taken
 * for a complete one. `onNewCluster` runs before the rename.
 * @throws StartError when another major version wrote the cluster, or it cannot be created
 */
export async function ensureCluster(
  data_dir: string,
  binaries: Binaries,
  account: Account | null,
  onNewCluster = async () => {},
): Promise<string> {
  const pgdata = join(data_dir, 'postgres');
  const version_file = join(pgdata, 'PG_VERSION');
  if (!existsSync(version_file)) {
    if (existsSync(pgdata) && readdirSync(pgdata).length > 0) {
      throw new StartError(
        `${pgdata} is not a PostgreSQL data folder: move it away, or set DATA_DIR to another folder.`,
      );
    }
    await createCluster(data_dir, pgdata, binaries, account, onNewCluster);
  }
  const major = Number(readFileSync(version_file, 'utf8'));
  if (major !== binaries.major) {
    throw new StartError(
      `The database in ${pgdata} was written by PostgreSQL ${major}, ${binaries.label} PostgreSQL ${binaries.major}: set DATA_DIR to another folder and restore a backup into it, or set POSTGRES_BIN to the programs of PostgreSQL ${major}.`,
    );
  }
  return pgdata;
}
