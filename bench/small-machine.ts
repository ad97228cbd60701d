import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../apps/api/test/measured/load/day-kinds.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { countParts, loadParts, withDay } from './day.ts';
import { quantile } from './load/print.ts';

const SIZE = '0.002';
const DEFAULT_MINUTES = sized('10', '0.5');
const ATHLETES = 100;
/** Each athlete who is online makes a call every five seconds. */
const CALLS_PER_S = ATHLETES / 5;
/** In the first minutes the caches fill. */
const WARM_UP_S = sized(300, 10);
const MEMORY_BYTES = 1_000_000_000;
const CGROUPS = '/sys/fs/cgroup';
const ONE_CORE = '0';
const ALL_CORES = `0-${availableParallelism() - 1}`;

/**
 * A club's small machine: server and PostgreSQL share one core and 1 GB, with 100 athletes online. Their calls are those
 * of `day`. `--minutes 60` shows whether memory grows in an hour.
 */
export async function run(_flags: object, { minutes = DEFAULT_MINUTES }: Record<string, string>): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const duration_s = Number(minutes) * 60;
  const part_count = 1 + countParts(duration_s);
  // A process sizes its memory when it starts, so server and PostgreSQL start in the small machine, and the load outside.
  const machine = enterSmallMachine();
  sheet.add('memory', machine ? 'limited to 1 GB' : 'not limited: no control group could be made here');
  try {
    await withDay({ size: SIZE, part_count, athletes: ATHLETES, streams: ATHLETES }, async (day) => {
      machine?.leave();
      pinTo(ALL_CORES);
      await loadParts(day, { what: 'paced', per_s: CALLS_PER_S, duration_s: WARM_UP_S });
      const { per_s, times_ms, rss_mib } = await loadParts(day, { what: 'paced', per_s: CALLS_PER_S, duration_s });
      sheet.add('calls', `${per_s.toFixed(1)}/s for ${minutes} minutes, with ${ATHLETES} streams`);
      const all = KINDS.flatMap((kind) => times_ms[kind]);
      for (const kind of KINDS) sheet.add(`p95 of a ${kind}`, `${quantile(times_ms[kind], 0.95).toFixed(1)} ms`);
      sheet.goal('p95 of all calls', quantile(all, 0.95), { at_most: 300 }, ' ms');
      const [before, after] = rss_mib;
      console.log(`     the server takes ${before.toFixed(0)} MB before and ${after.toFixed(0)} MB after`);
      sheet.goal('memory of the server after it beside before it', after / before, { at_most: 1.1 });
    });
  } finally {
    pinTo(ALL_CORES);
    machine?.remove();
  }
  return sheet.figures;
}

/** Of this process, and of those that it starts from now on. */
function pinTo(cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)]);
}

interface SmallMachine {
  /** Lets this process out; those that it has started stay. */
  leave(): void;
  remove(): void;
}

/** Limits this process and those that it starts; without a control group only to one core. */
function enterSmallMachine(): SmallMachine | null {
  pinTo(ONE_CORE);
  const is_cgroup_v1 = existsSync(join(CGROUPS, 'memory'));
  const root = is_cgroup_v1 ? join(CGROUPS, 'memory') : CGROUPS;
  const group = join(root, `sendlap-small-${process.pid}`);
  const leave = () => writeFileSync(join(root, 'cgroup.procs'), String(process.pid));
  try {
    mkdirSync(group);
  } catch {
    return null;
  }
  try {
    writeFileSync(join(group, is_cgroup_v1 ? 'memory.limit_in_bytes' : 'memory.max'), String(MEMORY_BYTES));
    writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
  } catch {
    removeGroup(root, group);
    return null;
  }
  const remove = () => removeGroup(root, group);
  process.once('exit', remove);
  return {
    leave,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}

function removeGroup(root: string, group: string): void {
  for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
    try {
      writeFileSync(join(root, 'cgroup.procs'), pid);
    } catch {
      // It has ended since.
    }
  }
  rmdirSync(group);
}
