import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';

/** Returns true if the process exists and still runs; false for an unreaped zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    return state !== 'Z' && state !== 'X';
  } catch {
    // There is no /proc here, or the process has ended since.
    return process.platform !== 'linux';
  }
}

/**
 * Returns true if `pid` is this cluster's postmaster. After a power loss another process may have that pid; a
 * postmaster always has its cluster as its working directory.
 */
export function isPostmasterOf(pid: number, pgdata: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === pgdata;
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(pgdata);
  } catch {
    return false;
  }
}

/** Pid and socket folder as the postmaster wrote them into its pid file. */
export type PidFile = { pid: number; socket_dir: string };

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Reads `postmaster.pid` (lines: pid, data folder, start time, port, socket folder, …). Returns null if it is missing.
 */
export function readPidFile(pgdata: string): PidFile | null {
  const lines = readLines(`${pgdata}/postmaster.pid`);
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, socket_dir: lines[4] ?? '' } : null;
}

/**
 * Removes a lock file that names a living process other than this cluster's postmaster: PostgreSQL would refuse to
 * start. Leaves one that names a dead process: PostgreSQL handles that itself, without a race.
 */
export function removeStaleLock(path: string, pgdata: string): void {
  const pid = Math.abs(Number(readLines(path)[0]));
  if (pid > 0 && isAlive(pid) && !isPostmasterOf(pid, pgdata)) rmSync(path, { force: true });
}
