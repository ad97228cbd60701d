import { existsSync, type StatsFs, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '#api/platform/start-error.ts';

const MB = 1_000_000;
/** A new database takes 60 MB, plus the same again before its first checkpoint. */
const NEW_DATABASE_BYTES = 128 * MB;
/** Two segments of the write-ahead log: with less free space PostgreSQL may stop during its start. */
const EXISTING_DATABASE_BYTES = 32 * MB;

type Space = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>;
const readSpace = (folder: string): Space => statfsSync(folder);

/** Throws a StartError if the disk under the data folder, which may not exist yet, has no room for the database. */
export function checkFreeSpace(data_dir: string, has_data: boolean, statfs: typeof readSpace = readSpace): void {
  let folder = data_dir;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const { bavail, bsize, blocks } = statfs(folder);
  const needed_bytes = has_data ? EXISTING_DATABASE_BYTES : NEW_DATABASE_BYTES;
  // A virtual file system (proc) has no blocks; the data folder is refused there for another reason.
  if (blocks === 0 || bavail * bsize >= needed_bytes) return;
  throw diskFullError(data_dir, `${Math.floor((bavail * bsize) / MB)} MB are left, ${needed_bytes / MB} MB are needed`);
}

export function diskFullError(data_dir: string, detail: string): StartError {
  return new StartError(
    `The disk of the data folder ${data_dir} is full (${detail}): free some space, or set DATA_DIR to a folder on another disk`,
  );
}
