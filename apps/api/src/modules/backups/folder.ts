import type { StatsFs } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataDir } from '#api/database/storage.ts';
import type { Env } from '#api/platform/env.ts';

const SUFFIX = '.sendlap';
const DAILY = /^daily-[\dTZ-]+\.sendlap$/;
/** The folder may hold other programs' files. */
const UNFINISHED = /^\..+\.sendlap\.[\da-f]+\.partial$/;
const ABANDONED_MS = 86_400_000;
/** Clocks of nodes may differ a little. */
const MAX_AHEAD_MS = 3_600_000;

/** The folder of the backups that the server makes by itself. */
export function backupFolder(env: Pick<Env, 'BACKUP_DIR' | 'DATA_DIR'>): string {
  return env.BACKUP_DIR ?? join(dataDir(env), 'backups');
}

/**
 * Returns the free bytes of the file system of the embedded database; null for an external one, or if `file`, which need not
 * exist, is on another file system.
 */
export async function readFreeBytes(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  file?: string,
): Promise<number | null> {
  if (env.DATABASE_URL) return null;
  const { bavail, bsize, ...disk } = await statfs(dataDir(env));
  if (file !== undefined) {
    // The device of a file tells less: subvolumes and containers' mounts of one disk have several.
    const other = await statfsOfParent(file);
    const has_same_size = other.type === disk.type && other.blocks === disk.blocks && other.files === disk.files;
    if (!has_same_size || Math.abs(other.bfree - disk.bfree) > disk.blocks / 100) return null;
  }
  return bavail * bsize;
}

/** Returns the facts of the file system that will hold `file`, which need not exist. */
async function statfsOfParent(file: string): Promise<StatsFs> {
  const folder = dirname(file);
  return statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || folder === file) throw error;
    return statfsOfParent(folder);
  });
}

/** What the settings say of the daily backup. */
export function readBackupSettings(env: Env) {
  return {
    folder: backupFolder(env),
    keep: env.BACKUP_KEEP,
    restores_on_trial: env.BACKUP_VERIFY === '1',
    readFreeBytes: (file?: string) => readFreeBytes(env, file),
  };
}

/** Names that sort by time. */
export function dailyFileName(made_at: Date): string {
  return `daily-${made_at.toISOString().slice(0, 19).replaceAll(':', '-')}Z${SUFFIX}`;
}

export function migrationFileName(migration: string): string {
  return `before-${migration}${SUFFIX}`;
}

/** A date in the future was written under a wrong clock, and says nothing of the age: such a backup counts as none. */
export function isFromWrongClock(made_at: Date, now: Date): boolean {
  return made_at.getTime() > now.getTime() + MAX_AHEAD_MS;
}

/** Returns the names of the daily backups that are not from the future, oldest first. */
async function listDaily(folder: string, now: Date): Promise<string[]> {
  const latest = dailyFileName(new Date(now.getTime() + MAX_AHEAD_MS));
  return (await readdir(folder)).sort().filter((name) => DAILY.test(name) && name <= latest);
}

/** Returns whether the folder holds a daily backup of that time or later; false if it cannot be read. */
export async function hasDailySince(folder: string, made_at: Date, now: Date): Promise<boolean> {
  const names = await listDaily(folder, now).catch(() => []);
  return names.some((name) => name >= dailyFileName(made_at));
}

/** Deletes all daily backups but the newest ones, and those from the future. */
export async function pruneFolder(folder: string, keep: number, now: Date): Promise<void> {
  const old = await listDaily(folder, now);
  for (const name of old.slice(0, -keep)) await rm(join(folder, name), { force: true });
}

/** Deletes what killed runs left in the folder, if there is one. */
export async function deleteAbandoned(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => UNFINISHED.test(each))) {
    const stats = await stat(join(folder, name)).catch(() => null);
    // A younger one may be in work.
    if (stats && now.getTime() - stats.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true });
  }
}
