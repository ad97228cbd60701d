import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';

/** True when the process exists and still runs; a zombie that nobody reaped does not. */
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
    // No /proc here, or the process ended meanwhile.
    return process.platform !== 'linux';
  }
}

/**
 * True when `pid` is the postmaster of this cluster. After a power loss its number may belong to any other process; a
 * postmaster always has its cluster as its working folder.
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

/** Reads `postmaster.pid` (lines: pid, data folder, start time, port, socket folder, …); null while there is none. */
export function readPidFile(pgdata: string): PidFile | null {
  const lines = readLines(`${pgdata}/postmaster.pid`);
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, socket_dir: lines[4] ?? '' } : null;
}

/**
 * Removes a lock file that names a living process which is not this cluster's postmaster: PostgreSQL would refuse to
 * start over it. One that names a dead process is left alone, PostgreSQL deals with that itself and without a race.
 */
export function removeStaleLock(path: string, pgdata: string): void {
  const pid = Math.abs(Number(readLines(path)[0]));
  if (pid > 0 && isAlive(pid) && !isPostmasterOf(pid, pgdata)) rmSync(path, { force: true });
}
