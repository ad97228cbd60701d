import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countsOf, fillGrowth, grownId, refereeOf } from '../apps/api/test/measured/fill-growth.ts';
import type { GrownAthletes } from '../apps/api/test/measured/growth.ts';
import { type DayFigure, type DayOrder, KINDS, type Kind } from '../apps/api/test/measured/load/day-kinds.ts';
import { watchChildren } from '../apps/api/test/measured/postgis-cluster.ts';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { cpuTime, nextMessage } from './load/measured-server.ts';
import { endServers, forkServer, type LoadedServer, order } from './load/path-load.ts';
import { quantile, toMib } from './load/print.ts';

/** As in `growth`. */
const DEFAULT_SIZE = sized('0.01', '0.002');
const DEFAULT_MINUTES = sized('10', '0.25');
const LOADS = [0.25, 0.5, 0.75];
const CALLERS = [8, 32];
const CLOSED_S = sized(20, 5);
const STREAMS = 300;
/** An access token lives ten minutes; others sign in after a part. */
const PART_S = 300;
const ATHLETES = 1_000;
const CENTERS = 300;
const CANNON = fileURLToPath(new URL('../apps/api/test/measured/load/day-cannon.ts', import.meta.url));
const APP = new URL('../apps/api/test/measured/growth.ts', import.meta.url);

/**
 * A day's mix of reads, searches, sends, steps, scans and streams on a durable database: first as many calls as callers
 * without a pause get through, then a quarter, a half and three quarters of that, at random moments.
 */
export async function run(_flags: object, values: Record<string, string>): Promise<Figure[]> {
  const { size = DEFAULT_SIZE, minutes = DEFAULT_MINUTES } = values;
  const sheet = openFigureSheet();
  const duration_s = Number(minutes) * 60;
  const part_count = CALLERS.length + LOADS.length * countParts(duration_s);
  console.log(`${minutes} minutes a load, ${STREAMS} streams`);
  await withDay({ size, part_count, athletes: ATHLETES, streams: STREAMS }, (day) =>
    measureDay(sheet, day, duration_s),
  );
  return sheet.figures;
}

interface DayOptions extends Pick<Day, 'part_count' | 'athletes' | 'streams'> {
  /** A share of the size of `growth`. */
  size: string;
}

/** Fills a durable database, starts a server on it, and removes both afterwards. */
export async function withDay(
  { size, ...options }: DayOptions,
  measure: (day: Day, postmaster: number) => Promise<void>,
): Promise<void> {
  const scratch = openScratch();
  const servers: LoadedServer[] = [];
  try {
    const url = await scratch.startDatabase({ is_durable: true });
    const counts = countsOf(Number(size));
    const large = { visits: counts.activities / 100, messages: counts.messages / 100 };
    await fillGrowth(url, scratch.folder, { share: Number(size), large });
    console.log(`${size} of the full size: ${JSON.stringify(counts)}`);
    const server = await forkServer(APP, { MEASURED_DATABASE_URL: url });
    servers.push(server);
    const pid_file = join(scratch.folder, 'data', 'postgres', 'postmaster.pid');
    const postmaster = Number(readFileSync(pid_file, 'utf8').split('\n')[0]);
    await measure({ server, counts, databaseCpu: watchChildren(postmaster), parts: 0, ...options }, postmaster);
  } finally {
    await endServers(servers);
    await scratch.remove();
  }
}

/** A filled server and its people. */
export interface Day {
  server: LoadedServer;
  counts: ReturnType<typeof countsOf>;
  /** CPU time of PostgreSQL so far, µs. */
  databaseCpu: () => number;
  /** Of a part: each has its own people, because a day limits the visits and the scans of one. */
  athletes: number;
  streams: number;
  /** Parts so far, of so many. */
  parts: number;
  part_count: number;
}

const p99 = ({ times_ms }: Load, kind: Kind): number => quantile(times_ms[kind], 0.99);

async function measureDay(sheet: FigureSheet, day: Day, duration_s: number): Promise<void> {
  const closed: Load[] = [];
  for (const callers of CALLERS) closed.push(await loadParts(day, { what: 'closed', callers, duration_s: CLOSED_S }));
  const capacity = Math.max(...closed.map(({ per_s }) => per_s));
  console.log(`  ${closed.map(({ per_s }, nth) => `${CALLERS[nth]} callers ${per_s.toFixed(0)}/s`).join(', ')}`);
  sheet.add('calls a second at most', `${capacity.toFixed(0)}/s`);
  console.log(`p99 in ms of ${KINDS.join(', ')}; CPU µs a call: server + PostgreSQL (+ the load); resident MB`);
  const loads: Load[] = [];
  for (const share of LOADS) {
    const load = await loadParts(day, { what: 'paced', per_s: capacity * share, duration_s });
    loads.push(load);
    const p99s = KINDS.map((kind) => p99(load, kind).toFixed(1)).join('  ');
    const [before, after] = load.rss_mib;
    console.log(
      `  ${share * 100} %: ${load.per_s.toFixed(0)}/s  ${p99s}  ${load.server_us.toFixed(0)} + ` +
        `${load.database_us.toFixed(0)} (+ ${load.cannon_us.toFixed(0)})  ${before.toFixed(0)} → ${after.toFixed(0)}`,
    );
  }
  const [, half, most] = loads;
  if (!half || !most) throw new Error('there are three loads');
  for (const kind of KINDS) sheet.add(`p99 of a ${kind} at half`, `${p99(half, kind).toFixed(1)} ms`);
  sheet.goal('p99 of a scan at half', p99(half, 'scan'), { at_most: 50 }, ' ms');
  sheet.goal('p99 of a send at half', p99(half, 'send'), { at_most: 30 }, ' ms');
  const cpu_us = half.server_us + half.database_us;
  sheet.add('CPU a call at half', `${cpu_us.toFixed(0)} µs`, ` (${half.database_us.toFixed(0)} of them PostgreSQL)`);
  sheet.goal('memory after the last load beside before it', most.rss_mib[1] / most.rss_mib[0], { at_most: 1.1 });
}

/** CPU times are those of a call, µs. */
interface Load extends Pick<DayFigure, 'per_s' | 'times_ms'> {
  server_us: number;
  database_us: number;
  cannon_us: number;
  /** Before and after. */
  rss_mib: [number, number];
}

type Part = Exclude<DayOrder, { what: 'open' }>;

/** Returns into how many parts a load is divided. */
export function countParts(duration_s: number): number {
  return Math.ceil(duration_s / PART_S);
}

/** Divides a load into parts, each with people of its own. */
export async function loadParts(day: Day, part: Part): Promise<Load> {
  const count = countParts(part.duration_s);
  const parts: Load[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    parts.push(await loadPart(day, { ...part, duration_s: part.duration_s / count }));
  }
  const mean = (of: 'per_s' | 'server_us' | 'database_us' | 'cannon_us') =>
    parts.reduce((sum, load) => sum + load[of], 0) / count;
  const times = KINDS.map((kind) => [kind, parts.flatMap(({ times_ms }) => times_ms[kind])]);
  return {
    per_s: mean('per_s'),
    times_ms: Object.fromEntries(times) as Record<Kind, number[]>,
    server_us: mean('server_us'),
    database_us: mean('database_us'),
    cannon_us: mean('cannon_us'),
    rss_mib: [parts[0]?.rss_mib[0] ?? 0, parts.at(-1)?.rss_mib[1] ?? 0],
  };
}

async function loadPart(day: Day, part: Part): Promise<Load> {
  const { server, databaseCpu } = day;
  const cannon = fork(CANNON);
  try {
    await ask(cannon, await listPeople(day));
    const rss_before = await readRss(server);
    const [server_before, database_before] = [await cpuTime(server.child), databaseCpu()];
    const { per_s, times_ms, cpu_us } = await ask<DayFigure>(cannon, part);
    const calls = Object.values(times_ms).reduce((sum, list) => sum + list.length, 0);
    return {
      ...{ per_s, times_ms, cannon_us: cpu_us / calls },
      server_us: ((await cpuTime(server.child)) - server_before) / calls,
      database_us: (databaseCpu() - database_before) / calls,
      rss_mib: [rss_before, await readRss(server)],
    };
  } finally {
    cannon.kill();
  }
}

function ask<Answer>(cannon: ChildProcess, message: DayOrder): Promise<Answer> {
  cannon.send(message);
  return nextMessage<Answer>(cannon);
}

const readRss = async (server: LoadedServer): Promise<number> =>
  toMib((await order<{ rss_bytes: number }>(server, { what: 'memory' })).rss_bytes);

/** The next athletes and centers, a part's share of all. */
async function listPeople(day: Day): Promise<Extract<DayOrder, { what: 'open' }>> {
  const { server, counts, part_count } = day;
  const athletes = Math.min(day.athletes, Math.floor((counts.athletes - 1) / part_count));
  const centers = Math.min(CENTERS, Math.floor(counts.centers / part_count));
  const [first, center] = [1 + day.parts * athletes, 1 + day.parts * centers];
  day.parts += 1;
  const numbers = Array.from({ length: athletes }, (_, nth) => first + nth);
  const referees = Array.from({ length: centers }, (_, nth) => refereeOf(center + nth, counts.athletes));
  const people = await order<GrownAthletes>(server, {
    ...{ what: 'athletes', center, centers },
    numbers: [...numbers, ...referees],
  });
  return {
    what: 'open',
    url: server.url,
    streams: day.streams,
    // Whole seconds, as in a code.
    began_at: Math.floor(Date.now() / 1000) * 1000,
    athletes: numbers.map((n, nth) => ({
      token: people.tokens[nth] ?? '',
      public_id: `grown-${n}`,
      chat_id: grownId('chat', n),
    })),
    centers: people.centers.map((each, nth) => ({
      ...each,
      referee: people.tokens[athletes + nth] ?? '',
      referee_public_id: `grown-${referees[nth]}`,
    })),
  };
}
