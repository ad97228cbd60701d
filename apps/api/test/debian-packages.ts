import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../../.cache');
const INSTALL_MS = 120_000;

/** A folder of the cache, which every account can enter. */
export function cacheFolder(name: string): string {
  return join(CACHE, name);
}

/** The first program of this name on PATH. */
export function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether Debian's packages can be fetched here at all. */
export function isDebian(): boolean {
  return existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
}

/**
 * Fetches Debian's packages, with what they depend on and this machine has not, and unpacks them into the folder instead of
 * installing them: no service of theirs starts.
 * @throws Error of the program that failed
 */
export async function unpackPackages(names: string[], folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const temporary = mkdtempSync(join(CACHE, 'unpack-'));
  chmodSync(temporary, 0o755);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_MS };
  try {
    const archives = join(temporary, 'archives');
    mkdirSync(join(archives, 'partial'), { recursive: true });
    // A failed update is no reason to stop: the lists that are there may do.
    if (process.getuid?.() === 0) await run('apt-get', ['update', '-qq'], options).catch(() => {});
    const flags = ['-y', '-qq', '--no-install-recommends', '--download-only'];
    const settings = [`Dir::Cache::archives=${archives}`, 'Debug::NoLocking=1'].flatMap((setting) => ['-o', setting]);
    await run('apt-get', ['install', ...flags, ...settings, ...names], options);
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', join(archives, name), temporary], options);
    rmSync(archives, { recursive: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** The folders of the libraries that came with packages unpacked here, as LD_LIBRARY_PATH takes them. */
export function libraryPath(folder: string): string {
  const files = readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));
  return [...new Set(files.filter((file) => /\.so(\.|$)/.test(file)).map(dirname))].join(':');
}
