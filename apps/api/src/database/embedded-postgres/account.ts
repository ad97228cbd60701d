import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '#api/platform/start-error.ts';

/** The unprivileged account that runs the server when Sendlap itself runs as root. */
export type Account = { name: string; uid: number; gid: number };

const PREFERRED_ACCOUNTS = ['postgres', '_postgres', 'nobody'];

function readAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    // `>>> 0` because macOS writes the uid of its least privileged account as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : [];
  });
}

/**
 * Returns the account that runs PostgreSQL, which refuses to run as root: for root the owner of an existing cluster,
 * else that of the data folder, else the first existing one of PREFERRED_ACCOUNTS; null for any other user. Throws
 * StartError if the cluster belongs to an account that this process may not switch to.
 */
export function chooseAccount(data_dir: string): Account | null {
  const pgdata = join(data_dir, 'postgres');
  const own_uid = process.getuid?.();
  const owner = existsSync(pgdata) ? statSync(pgdata) : undefined;
  if (own_uid !== 0) {
    if (owner && own_uid !== undefined && owner.uid !== own_uid) {
      throw new StartError(
        `The database in ${pgdata} belongs to another account (uid ${owner.uid}): start Sendlap as that account or as root, or set DATA_DIR to another folder.`,
      );
    }
    return null;
  }
  const accounts = readAccounts();
  if (owner && owner.uid !== 0) {
    const name = accounts.find((account) => account.uid === owner.uid)?.name ?? `uid ${owner.uid}`;
    return { name, uid: owner.uid, gid: owner.gid };
  }
  // The folder of a service, into which root restores a backup. PostgreSQL needs an account with a name.
  const folder_uid = existsSync(data_dir) ? statSync(data_dir).uid : 0;
  const folder_owner = accounts.find(({ uid }) => uid !== 0 && uid === folder_uid);
  if (folder_owner) return folder_owner;
  const preferred = PREFERRED_ACCOUNTS.map((name) => accounts.find((account) => account.name === name));
  const account = preferred.find((found) => found !== undefined);
  if (account) return account;
  throw new StartError(
    'PostgreSQL cannot run as root and this machine has no account "postgres" or "nobody": start Sendlap as an ordinary user.',
  );
}

function hasPermission(stats: Stats, account: Account, permission: 0o1 | 0o5): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return (stats.mode & (permission << shift)) === permission << shift;
}

/**
 * Returns the first folder on the way to `path` (including `path`, if it exists) that the account may not enter, or
 * null.
 */
export function findInaccessibleFolder(path: string, account: Account): string | null {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  const folders = [realpathSync(existing)];
  for (let folder = folders[0] ?? ''; folder !== dirname(folder); folder = dirname(folder)) {
    folders.unshift(dirname(folder));
  }
  return folders.find((folder) => !hasPermission(statSync(folder), account, 0o1)) ?? null;
}

/** Returns true if the account can read and run (or enter) `path`, which must exist. */
export function canRun(path: string, account: Account): boolean {
  return findInaccessibleFolder(dirname(path), account) === null && hasPermission(statSync(path), account, 0o5);
}
