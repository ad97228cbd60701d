import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const STORM_STARTS = 5;
const STORM_MOST_MS = 1_500;
/** Longer than an access token lives. */
const CLOCK_JUMP_MS = 3_600_000;
const JUMPED_MS = 2_500;
const DISK_MB = 512;

/** A server whose process and clock the program holds. */
interface CrashableServer {
  start(): Promise<void>;
  kill(): Promise<void>;
  passTime(duration_ms: number): Promise<void>;
}

type FaultName = 'kill' | 'restart storm' | 'PostgreSQL' | 'clock jump';

interface ServerFault {
  name: FaultName;
  cause: () => Promise<void>;
}

/** The faults in turns; the server is up again when `cause` has ended. */
export function serverFaults(
  server: CrashableServer,
  database_faults: readonly (() => Promise<void>)[],
): ServerFault[] {
  const killed = { name: 'kill', cause: () => kill(server) } as const;
  const others: ServerFault[] = [
    { name: 'clock jump', cause: () => jumpClock(server, CLOCK_JUMP_MS) },
    { name: 'restart storm', cause: () => storm(server) },
    { name: 'clock jump', cause: () => jumpClock(server, -CLOCK_JUMP_MS) },
  ];
  return database_faults.flatMap((cause, nth) => [
    killed,
    { name: 'PostgreSQL', cause },
    ...others.slice(nth, nth + 1),
  ]);
}

export async function kill(server: CrashableServer): Promise<void> {
  await server.kill();
  await server.start();
}

/** Kills it again and again while it starts, as a supervisor without patience does. */
async function storm(server: CrashableServer): Promise<void> {
  for (let nth = 0; nth < STORM_STARTS; nth += 1) {
    await server.kill();
    // It is killed before it is ready.
    const started = server.start().catch(() => {});
    await pause(Math.random() * STORM_MOST_MS);
    await server.kill();
    await started;
  }
  await server.start();
}

async function jumpClock(server: CrashableServer, duration_ms: number): Promise<void> {
  await server.passTime(duration_ms);
  await pause(JUMPED_MS);
  await server.passTime(-duration_ms);
}

/** A disk of 512 MB that can be filled. */
export interface SmallDisk {
  /** A folder on it that does not exist yet. */
  data_dir: string;
  fill(): void;
  free(): void;
  remove(): void;
}

/**
 * Returns the disk, or why it could not be mounted: that takes root. `atExit` removes the disk if this process ends
 * before, and returns the function that leaves it to `remove`.
 */
export function mountSmallDisk(atExit: (undo: () => void) => () => void): SmallDisk | { missing: string } {
  if (process.getuid?.() !== 0) return { missing: 'only root can mount a small disk' };
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=1777`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    return { missing: `no disk could be mounted (${(error as Error).message.trim()})` };
  }
  const ballast = join(folder, 'ballast');
  const data_dir = join(folder, 'data');
  const unmount = () => {
    endPostgres(data_dir);
    // What else still ends on it must not keep it: it goes with the last one.
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  };
  const forget = atExit(unmount);
  return {
    data_dir,
    fill: () => writeUntilFull(ballast),
    free: () => rmSync(ballast, { force: true }),
    remove() {
      forget();
      unmount();
    },
  };
}

/** Its server would not find it on a disk that is gone, and leave it. */
function endPostgres(data_dir: string): void {
  try {
    process.kill(
      Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
      'SIGKILL',
    );
  } catch {
    // It has ended, as it does with its server.
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let block = Buffer.alloc(1_048_576); block.length >= 4_096; ) {
      try {
        writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        block = block.subarray(0, block.length / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
