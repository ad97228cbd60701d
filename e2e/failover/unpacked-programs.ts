import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../apps/api/src/database/embedded-postgres/account.ts';
import { serverEnvironment, spawnOptions } from '../../apps/api/src/database/embedded-postgres/cluster.ts';
import { atExit } from '../../apps/api/test/at-exit.ts';
import { libraryPath } from '../../apps/api/test/debian-packages.ts';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { endProcess } from '../server/server-process.ts';

const MAX_OUTPUT = 4_000;
const CUT_OFF_MS = 500;

/** Runs programs of unpacked packages in a scratch folder, by the account that may run PostgreSQL. */
export interface UnpackedPrograms {
  /** Returns a folder for a program's data. */
  folderOf(name: string): string;
  /** Writes a configuration. Returns its path. */
  write(file: string, text: string): string;
  start(name: string, command: readonly string[], environment?: Record<string, string>): void;
  /** Runs a program to its end. Returns whether it succeeded. */
  run(command: readonly string[]): Promise<boolean>;
  /**
   * Stops the processes that send the log of this program's PostgreSQL to others. Resolves half a second later. Throws
   * if no PostgreSQL runs in its folder.
   */
  cutOff(name: string): Promise<void>;
  /** Kills a program, and the PostgreSQL in its folder with all its processes, at once. Throws if none runs there. */
  kill(name: string): Promise<void>;
  /** Returns the end of each program's output. */
  output(): string;
  /** Ends all and removes the folder. */
  remove(): Promise<void>;
}

/** `data`: folder of PostgreSQL's data, below that of its program. */
export function openUnpackedPrograms(packages: string, data: string): UnpackedPrograms {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-failover-'));
  const account = chooseAccount(join(folder, 'none'));
  chmodSync(folder, 0o711);
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  const env = environmentOf(packages, folder);
  const running = new Map<string, ChildProcess>();
  const outputs = new Map<string, string>();
  const folderOf = (name: string) => join(folder, name);
  const end = async (name: string) => {
    const child = running.get(name);
    if (child) await endProcess(child, 'SIGKILL');
  };
  const postgresOf = (name: string) => findPostgres(join(folderOf(name), data));
  const runningPostgresOf = (name: string) => {
    const pids = postgresOf(name);
    if (pids.length === 0) throw new Error(`no PostgreSQL runs in ${join(folderOf(name), data)}`);
    return pids;
  };
  const killPostgres = (name: string) => {
    for (const pid of postgresOf(name)) signalIfThere(pid, 'SIGKILL');
  };
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  const forget = atExit(() => {
    for (const child of running.values()) child.kill('SIGKILL');
    for (const name of running.keys()) killPostgres(name);
    removeFolder();
  });
  return {
    folderOf(name) {
      mkdirSync(folderOf(name), { recursive: true, mode: 0o700 });
      own(folderOf(name));
      return folderOf(name);
    },
    write(file, text) {
      const path = join(folder, file);
      writeFileSync(path, text, { mode: 0o600 });
      own(path);
      return path;
    },
    start(name, [program = '', ...flags], environment = {}) {
      const options = { ...spawnOptions(account), env: { ...env, ...environment } };
      const child = spawn(program, flags, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      child.on('error', (error) => outputs.set(name, String(error)));
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) =>
          outputs.set(name, ((outputs.get(name) ?? '') + chunk.toString()).slice(-MAX_OUTPUT)),
        );
      running.set(name, child);
    },
    run: ([program = '', ...flags]) =>
      new Promise((resolve) => {
        execFile(program, flags, { ...spawnOptions(account), env }, (error) => resolve(error === null));
      }),
    async cutOff(name) {
      for (const pid of runningPostgresOf(name).filter(isWalSender)) signalIfThere(pid, 'SIGSTOP');
      await afterDelay(CUT_OFF_MS);
    },
    async kill(name) {
      for (const pid of runningPostgresOf(name)) signalIfThere(pid, 'SIGKILL');
      await end(name);
    },
    output: () => [...outputs].map(([name, text]) => `── ${name}\n${text}`).join('\n'),
    async remove() {
      const names = [...running.keys()].reverse();
      await Promise.all(names.map(end));
      for (const name of names) killPostgres(name);
      removeFolder();
      forget();
    },
  };
}

function environmentOf(packages: string, folder: string) {
  return {
    ...serverEnvironment(),
    HOME: folder,
    LD_LIBRARY_PATH: libraryPath(packages),
    PYTHONPATH: join(packages, 'usr/lib/python3/dist-packages'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** Returns the pids of the postmaster on these data and of its processes, the postmaster first. */
function findPostgres(data: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  } catch {
    return [];
  }
  return [
    postmaster,
    ...readdirSync('/proc')
      .filter((name) => isChildOf(name, postmaster))
      .map(Number),
  ];
}

function isChildOf(pid: string, parent: number): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === parent;
  } catch {
    return false;
  }
}

function isWalSender(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender');
  } catch {
    return false;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since.
  }
}
