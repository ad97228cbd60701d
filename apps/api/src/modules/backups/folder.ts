import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDir } from '#api/database/storage.ts';
import type { Env } from '#api/platform/env.ts';

const SUFFIX = '.sendlap';
const DAILY = /^daily-[\dTZ-]+\.sendlap$/;
/** The folder may hold other programs' files. */
const UNFINISHED = /^\..+\.sendlap\.[\da-f]+\.partial$/;
const ABANDONED_MS = 86_400_000;

/** The folder of the backups that the server makes by itself. */
export function backupFolder(env: Pick<Env, 'BACKUP_DIR' | 'DATA_DIR'>): string {
  return env.BACKUP_DIR ?? join(dataDir(env), 'backups');
}

/** Returns the free bytes of the file system of the embedded database; null for an external one. */
export async function readFreeBytes(env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): Promise<number | null> {
  if (env.DATABASE_URL) return null;
  const { bavail, bsize } = await statfs(dataDir(env));
  return bavail * bsize;
}

/** Names that sort by time. */
export function dailyFileName(made_at: Date): string {
  return `daily-${made_at.toISOString().slice(0, 19).replaceAll(':', '-')}Z${SUFFIX}`;
}

export function migrationFileName(migration: string): string {
  return `before-${migration}${SUFFIX}`;
}

/** Returns whether the folder holds a daily backup of that time or later; false if it cannot be read. */
export async function hasDailySince(folder: string, made_at: Date): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => DAILY.test(name) && name >= dailyFileName(made_at));
}

/** Deletes all daily backups but the newest ones. */
export async function pruneFolder(folder: string, keep: number): Promise<void> {
  const old = (await readdir(folder)).sort().filter((name) => DAILY.test(name));
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
