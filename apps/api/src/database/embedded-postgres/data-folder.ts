import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '#api/platform/start-error.ts';
import { type Account, findInaccessibleFolder } from './account.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const SOCKET_NAME = '.s.PGSQL.5432';

/** Returns the first hex digits of the path's SHA-256: a short, stable name. */
export function shortHash(path: string, digits: number): string {
  return createHash('sha256').update(path).digest('hex').slice(0, digits);
}

/** mkdir's own `recursive` never returns where the system answers ENOENT for an existing parent (/proc). */
function createFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  createFolder(dirname(path), mode);
  try {
    mkdirSync(path);
    // Root's umask would remove the permission that the server's account needs.
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates the data folder and returns its real path: the server's account can enter it, and only the owner can list it.
 * @throws StartError when it cannot be created, or the account cannot reach it
 */
export function prepareDataFolder(data_dir: string, account: Account | null): string {
  const inaccessible = account && findInaccessibleFolder(data_dir, account);
  if (inaccessible) {
    throw new StartError(
      `The data folder ${data_dir} cannot be used: the database runs as the account "${account.name}", which may not enter ${inaccessible}. Let it enter that, or set DATA_DIR to another folder.`,
    );
  }
  try {
    createFolder(data_dir, account ? 0o711 : 0o700);
    // With the trailing slash a file at this path is an error too.
    accessSync(`${data_dir}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The data folder ${data_dir} cannot be used (${code}): set DATA_DIR to another folder.`);
  }
  return realpathSync(data_dir);
}

/** Makes `path` a 0700 folder of the server's account. Returns false if another account owns that name. */
function claimFolder(path: string, account: Account | null): boolean {
  const uid = account?.uid ?? process.getuid?.();
  try {
    mkdirSync(path, { mode: 0o700 });
    if (account) lchownSync(path, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  // By its descriptor: the account of the folder around it could put a link in its place before the change of its mode.
  let folder: number;
  try {
    folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    if (fstatSync(folder).uid !== uid) return false;
    fchmodSync(folder, 0o700);
    return true;
  } finally {
    closeSync(folder);
  }
}

/**
 * Returns a folder for the server's socket that only its account and root can enter, with a path short enough for a
 * socket.
 */
export function prepareSocketFolder(data_dir: string, account: Account | null): string {
  const name = `sendlap-${shortHash(data_dir, 16)}`;
  const candidates = [join(data_dir, 'socket'), join(tmpdir(), name), join('/tmp', name)];
  const short_enough = candidates.filter((path) => Buffer.byteLength(join(path, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES);
  const usable = short_enough.find(
    (path) => (!account || !findInaccessibleFolder(dirname(path), account)) && claimFolder(path, account),
  );
  if (usable) return usable;
  // Another account took the name; a later start finds this folder through the server's pid file.
  const path = mkdtempSync('/tmp/sendlap-');
  if (account) lchownSync(path, account.uid, account.gid);
  return path;
}
