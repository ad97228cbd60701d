import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../../.cache');
const INSTALL_MS = 120_000;
/** dpkg's record of the packages installed on this machine. */
const DPKG_STATUS = '/var/lib/dpkg/status';

/** Returns a folder of the cache that every account can enter. */
export function cacheFolder(name: string): string {
  return join(CACHE, name);
}

/** Returns the first program of this name on PATH. */
export function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns whether Debian's packages can be fetched here at all. */
export function isDebian(): boolean {
  return existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
}

interface Programs {
  /** Of the cache folder. */
  name: string;
  /** For people. */
  label: string;
  /** Debian's packages. */
  packages: string[];
  /** Returns a path that is needed and not there. */
  findMissing: (folder: string) => string | undefined;
}

/** Returns the folder into which Debian's packages are unpacked, once; otherwise the reason, for people. */
export async function findOrUnpack(programs: Programs): Promise<{ folder: string } | { missing: string }> {
  const { name, label, packages, findMissing } = programs;
  const folder = cacheFolder(name);
  if (findMissing(folder) === undefined) return { folder };
  if (!isDebian()) return { missing: `${label} can be fetched on Debian only` };
  console.log(`     fetching ${label} from Debian, once…`);
  try {
    await unpackPackages(packages, folder);
  } catch (error) {
    return { missing: `${label} could not be fetched: ${error instanceof Error ? error.message : error}` };
  }
  const path = findMissing(folder);
  return path === undefined ? { folder } : { missing: `this Debian's packages of ${label} have no ${path}` };
}

/** The `findMissing` of programs that need these paths. */
export const missingOf =
  (paths: string[]) =>
  (folder: string): string | undefined =>
    paths.find((path) => !existsSync(join(folder, path)));

/**
 * Fetches Debian packages and their dependencies that this machine lacks, and unpacks them into the folder without
 * installing them, so that none of their services starts. Throws with apt's own reason.
 */
export async function unpackPackages(names: string[], folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const temporary = mkdtempSync(join(CACHE, 'unpack-'));
  chmodSync(temporary, 0o755);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_MS };
  try {
    const archives = join(temporary, 'archives');
    mkdirSync(join(archives, 'partial'), { recursive: true });
    const status = join(temporary, 'status');
    writeFileSync(status, withoutFamilies(readFileSync(DPKG_STATUS, 'utf8'), names));
    // A failed update is not fatal: the package lists already there may suffice.
    if (process.getuid?.() === 0) await run('apt-get', ['update', '-qq'], options).catch(() => {});
    const flags = ['-y', '-qq', '--no-install-recommends', '--download-only'];
    const places = [`Dir::Cache::archives=${archives}`, `Dir::State::status=${status}`];
    // No package cache: it would be built from a status that is not the machine's.
    const settings = [...places, 'Dir::Cache::pkgcache=', 'Debug::NoLocking=1'].flatMap((one) => ['-o', one]);
    await run('apt-get', ['install', ...flags, ...settings, ...names], options).catch(throwReason);
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', join(archives, name), temporary], options);
    rmSync(archives, { recursive: true });
    rmSync(status);
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Returns dpkg's status without the packages of these families (`erlang-base`: erlang and erlang-…). Programs unpacked
 * into one folder look for their own parts only there, so parts that the machine has must be fetched too.
 */
export function withoutFamilies(status: string, names: readonly string[]): string {
  const families = new Set(names.map(familyOf));
  const isKept = (stanza: string) => !families.has(familyOf(/^Package: (.+)$/m.exec(stanza)?.[1] ?? ''));
  return `${status
    .trimEnd()
    .split(/\n{2,}/)
    .filter(isKept)
    .join('\n\n')}\n`;
}

/** A module of Python is no family: its interpreter is the machine's. */
function familyOf(name: string): string {
  if (name.startsWith('python3-')) return name;
  return name.split('-', 1)[0] ?? '';
}

/** Throws the first line of apt's output that names the error. */
function throwReason(error: unknown): never {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const reason = /^E: (.+)$/m.exec(said)?.[1];
  throw reason === undefined ? error : new Error(reason);
}

/** The library folders of the packages unpacked here, in the form of LD_LIBRARY_PATH. */
export function libraryPath(folder: string): string {
  const files = readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));
  return [...new Set(files.filter((file) => /\.so(\.|$)/.test(file)).map(dirname))].join(':');
}
