import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { LoadTime, Memory, Watched } from '../apps/api/test/measured/centers.ts';
import { copyCenters, writeCenterFiles } from '../apps/api/test/measured/fill-centers.ts';
import { fetchPostgis, type PostgisCluster, startPostgis } from '../apps/api/test/measured/postgis-cluster.ts';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import {
  drawPosition,
  generateCenters,
  type RealCenter,
  readRealCenters,
  seedRandom,
} from '../apps/api/test/measured/synthetic-centers.ts';
import { createCenterIndexBuilder } from '../packages/center-index/src/center-index.ts';
import { findNearestSportCenters, searchSportCenters } from '../packages/contract/src/sport-centers.ts';
import type { Position } from '../packages/domain/src/geo.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { compareStores, type StoreFigure } from './load/compare-stores.ts';
import {
  endServers,
  forkServer,
  type LoadedServer,
  loadPaths,
  measurePaths,
  order,
  type PathLoad,
} from './load/path-load.ts';
import { median, quantile, toMib } from './load/print.ts';
import { timeCalls } from './load/time-calls.ts';

/**
 * The goals are for 300,000, more than the public pools and climbing halls of the world; a million shows the headroom.
 */
const SIZES = process.env.BENCH_CENTERS?.split(',').map(Number) ?? sized([300_000, 1_000_000], [20_000]);
const SEED = 20_261_121;
const RADIUS_KM = 5;
const FIND_PATH = findNearestSportCenters.path.replace(':sport', 'climbing');
const LIMIT = 20;
const CALLERS = 50;
const ROUNDS = sized(5, 1);
const ROUND_S = 3;
/** More than a caller completes in a round, so that no position is queried twice. */
const PATHS_EACH = 2000;
const WATCH_S = 8;
const STORE_QUERIES = 10_000;
const WORD_CALLS = 100;
const WORDS = ['boulder', 'piscina', 'london', 'klatring'];
const CROWDED = 'CENTERS_DATA_DIR is not set: around so few a search matches 40 times as many, and misses its goals';

/**
 * The nearest centers among 300,000 and a million, drawn around real ones (CENTERS_DATA_DIR names the folder with
 * sport-centers.geojson, which the goals are for; without it, around the starter set): the whole call next to a bare
 * Fastify route and next to PostGIS behind a bare Fastify; the index next to bare geokdbush; and the cost of a refresh.
 * Without PostGIS, its part is skipped.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const real = readRealCenters();
  if (process.env.CENTERS_DATA_DIR === undefined) console.log(CROWDED);
  for (const count of SIZES) {
    console.log(`${count.toLocaleString('en')} centers around ${real.length} real ones, seed ${SEED}`);
    await measureSize(nameFigures(sheet, `${count.toLocaleString('en')} centers: `), real, count);
  }
  return sheet.figures;
}

function nameFigures(sheet: FigureSheet, prefix: string): FigureSheet {
  return {
    ...sheet,
    add: (name, text, detail) => sheet.add(prefix + name, text, detail),
    goal: (name, value, goal, unit) => sheet.goal(prefix + name, value, goal, unit),
  };
}

async function measureSize(sheet: FigureSheet, real: RealCenter[], count: number): Promise<void> {
  measureStore(sheet, real, count);
  const scratch = openScratch();
  let postgis: PostgisCluster | undefined;
  const servers: LoadedServer[] = [];
  const start = async (script: string, url = '') => {
    const server = await forkServer(new URL(`../apps/api/test/measured/${script}.ts`, import.meta.url), {
      MEASURED_DATABASE_URL: url,
    });
    servers.push(server);
    return server;
  };
  try {
    const files = await timed('rows written', () => writeCenterFiles(scratch.folder, real, count, SEED));
    const url = await scratch.startDatabase();
    const found = await fetchPostgis();
    if ('missing' in found) sheet.skipPeer('PostGIS', found.missing);
    const loads = await Promise.allSettled([
      timed('rows in the database of the app', () => copyCenters(url, files)),
      'bin_dir' in found && timed('rows in PostGIS', () => startPostgis(found, scratch.folder, files)),
    ]);
    if (loads[1].status === 'fulfilled') postgis = loads[1].value || undefined;
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
    const hello = await start('hello');
    const peer = postgis && (await start('postgis', postgis.url));
    const app = await timed('app started', () => start('centers', url));
    await measureCalls(sheet, real, { hello, app, peer, postgis });
    await endServers(peer ? [peer] : []);
    await postgis?.stop();
    await measureRefresh(sheet, real, app);
  } finally {
    await endServers(servers);
    await postgis?.stop();
    await scratch.remove();
  }
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const started_at = performance.now();
  const result = await work();
  console.log(`  ${what} in ${((performance.now() - started_at) / 1000).toFixed(1)} s`);
  return result;
}

/**
 * Compares the index with bare geokdbush in this process: time per query, matches per query, and the pause of the server while the tree is sorted.
 */
function measureStore(sheet: FigureSheet, real: readonly RealCenter[], count: number): void {
  const builder = createCenterIndexBuilder(count);
  const peer_tree = new KDBush(count);
  for (const center of generateCenters(real, count, SEED)) {
    builder.add({ ...center, is_closed: false });
    peer_tree.add(center.longitude, center.latitude);
  }
  const before = process.threadCpuUsage();
  const started_at = performance.now();
  const index = builder.finish();
  const pause_ms = performance.now() - started_at;
  const { user, system } = process.threadCpuUsage(before);
  peer_tree.finish();
  const random = seedRandom(SEED + 2);
  const queries = Array.from({ length: STORE_QUERIES }, () => drawPosition(random, real));
  const geokdbush = (at: Position) => around(peer_tree, at.longitude, at.latitude, LIMIT, RADIUS_KM);
  const search = (at: Position) => index.search({ ...at, radius_km: RADIUS_KM }, undefined, { limit: LIMIT });
  const find = (at: Position) =>
    index.search({ ...at, radius_km: RADIUS_KM, sport: 'climbing' }, undefined, { limit: LIMIT, count_limit: 0 });
  const totals = queries.map((at) => search(at).total);
  console.log(`a search matches ${median(totals)} centers, one of ten ${quantile(totals, 0.9)} or more`);
  const { own, peer } = compareStores(queries, search, geokdbush);
  const nearest = compareStores(queries, find, geokdbush).own;
  const describe = ({ cpu_us, p50_us, p99_us }: StoreFigure) =>
    `${cpu_us.toFixed(0)} µs of CPU a query (p50 ${p50_us.toFixed(0)}, p99 ${p99_us.toFixed(0)} µs)`;
  console.log(`index alone, which also counts up to 1,000: ${describe(own)}`);
  console.log(`the nearest of a sport, without a count: ${describe(nearest)}; bare geokdbush: ${describe(peer)}`);
  const cpu_ms = (user + system) / 1000;
  sheet.add(
    'pause of the server while the tree is sorted',
    `${pause_ms.toFixed(0)} ms`,
    ` (${cpu_ms.toFixed(0)} ms of CPU)`,
  );
}

/** Paths of one round, all different, a list for each caller. */
function drawPaths(real: readonly RealCenter[], seed: number, path: string = searchSportCenters.path): string[][] {
  const random = seedRandom(seed);
  const drawPath = () => {
    const { latitude, longitude } = drawPosition(random, real);
    const place = `latitude=${latitude.toFixed(6)}&longitude=${longitude.toFixed(6)}`;
    return `${path}?${place}&radius_km=${RADIUS_KM}&limit=${LIMIT}`;
  };
  return Array.from({ length: CALLERS }, () => Array.from({ length: PATHS_EACH }, drawPath));
}

interface Arms {
  hello: LoadedServer;
  app: LoadedServer;
  peer: LoadedServer | undefined;
  postgis: PostgisCluster | undefined;
}

interface Round {
  hello: PathLoad;
  /** The bare server with ready-made bytes, as many as a search reply has. */
  bytes: PathLoad;
  /** Searches, which also count all matches. */
  app: PathLoad;
  /** The nearest centers of a sport, without a count. */
  find: PathLoad;
  /** `database_us`: the CPU time of PostgreSQL's processes for a call. */
  peer: (PathLoad & { database_us: number }) | undefined;
}

async function measureCalls(sheet: FigureSheet, real: RealCenter[], arms: Arms): Promise<void> {
  const { postgis } = arms;
  const askAll = (path: string) => Array.from({ length: CALLERS }, () => [path]);
  const measureRound = async (seed: number, duration_s: number): Promise<Round> => {
    const paths = drawPaths(real, seed);
    const hello = await measurePaths(arms.hello, { paths: askAll('/'), duration_s });
    const app = await measurePaths(arms.app, { paths, duration_s });
    const find = await measurePaths(arms.app, { paths: drawPaths(real, seed, FIND_PATH), duration_s });
    const reply_bytes = Math.round(app.bytes / app.calls);
    const bytes = await measurePaths(arms.hello, {
      paths: askAll(`/bytes?bytes=${reply_bytes}`),
      duration_s: duration_s / 2,
    });
    if (!arms.peer || !postgis) return { hello, bytes, app, find, peer: undefined };
    const before_us = postgis.cpuTime();
    const peer = await measurePaths(arms.peer, { paths, duration_s });
    return { hello, bytes, app, find, peer: { ...peer, database_us: (postgis.cpuTime() - before_us) / peer.calls } };
  };
  await printMemory(sheet, arms.app, 'resident when started');
  await measureRound(SEED + 10, 2);
  console.log(`\n${CALLERS} callers; CPU µs a call of the server, for PostGIS + its PostgreSQL; p50/p99 in ms`);
  console.log(
    'round  hello/s  µs  p50/p99    search/s  µs  p50/p99    find/s  µs  p50/p99    PostGIS/s  µs + µs  p50/p99',
  );
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const figures = await measureRound(SEED + 10 + round, ROUND_S);
    rounds.push(figures);
    const { hello, app, find, peer } = figures;
    const database = peer ? ` + ${peer.database_us.toFixed(0)}` : '';
    console.log(
      `${round}      ${toCells(hello)}    ${toCells(app)}    ${toCells(find)}    ${peer ? toCells(peer, database) : '–'}`,
    );
  }
  printCalls(sheet, rounds);
  await printMemory(sheet, arms.app, 'resident after it');
}

async function printMemory(sheet: FigureSheet, app: LoadedServer, when: string): Promise<void> {
  const { rss_bytes, peak_bytes } = await order<Memory>(app, 'memory');
  sheet.goal(
    `${when}, at most ${toMib(peak_bytes).toFixed(0)} MB until then`,
    toMib(rss_bytes),
    { at_most: 200 },
    ' MB',
  );
}

function toCells({ calls_per_s, cpu_us_per_call, p50_ms, p99_ms }: PathLoad, database = ''): string {
  return `${calls_per_s.toFixed(0)}  ${cpu_us_per_call.toFixed(0)}${database}  ${p50_ms}/${p99_ms}`;
}

function printCalls(sheet: FigureSheet, rounds: readonly Round[]): void {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
  const search_cpu = middle(({ hello, app }) => hello.cpu_us_per_call / app.cpu_us_per_call);
  sheet.goal('search beside hello, CPU', search_cpu, { at_least: 0.25 });
  const search_calls = middle(({ hello, app }) => app.calls_per_s / hello.calls_per_s);
  sheet.goal('search beside hello, calls/s', search_calls, { at_least: 0.25 });
  const find_cpu = middle(({ hello, find }) => hello.cpu_us_per_call / find.cpu_us_per_call);
  const nearest = `the ${LIMIT} nearest of a sport within ${RADIUS_KM} km (find, without a total)`;
  sheet.goal(`${nearest} beside hello, CPU`, find_cpu, { at_least: 0.25 });
  const bytes_us = middle(({ bytes }) => bytes.cpu_us_per_call);
  const size_kb = middle(({ app }) => app.bytes / app.calls) / 1000;
  console.log(`     (a bare route that sends ready-made ${size_kb.toFixed(1)} KB: ${bytes_us.toFixed(0)} µs)`);
  if (rounds.every(({ peer }) => peer)) {
    const calls = middle(({ app, peer }) => app.calls_per_s / (peer?.calls_per_s ?? 1));
    const cpu = middle(({ app, peer }) => {
      return ((peer?.cpu_us_per_call ?? 0) + (peer?.database_us ?? 0)) / app.cpu_us_per_call;
    });
    sheet.goal('search beside PostGIS, calls/s', calls, { at_least: 6 }, ' ×');
    sheet.goal('search beside PostGIS, CPU of all processes', cpu, { at_least: 6 }, ' ×');
  }
  sheet.goal(
    `p99 of searches, ${CALLERS} callers`,
    middle(({ app }) => app.p99_ms),
    { at_most: 15 },
    ' ms',
  );
}

/** Searches while nothing changes, then while a center is added: the longest pause of the event loop. */
async function measureRefresh(sheet: FigureSheet, real: RealCenter[], app: LoadedServer): Promise<void> {
  const watchUnderLoad = async (change: boolean, seed: number) => {
    let isWatching = true;
    const watched = order<Watched>(app, { watch_s: WATCH_S, change }).finally(() => {
      isWatching = false;
    });
    const p99s: number[] = [];
    for (let block = 0; isWatching; block += 1) {
      const paths = drawPaths(real, seed + block);
      p99s.push((await loadPaths(app.url, { paths, duration_s: WATCH_S })).p99_ms);
    }
    return { ...(await watched), p99_ms: Math.max(...p99s) };
  };
  console.log('');
  const before = await watchUnderLoad(false, SEED + 30);
  const during = await watchUnderLoad(true, SEED + 40);
  console.log(
    `longest pause of the event loop under load: ${before.longest_pause_ms.toFixed(0)} ms without a change, ` +
      `${during.longest_pause_ms.toFixed(0)} ms with a refresh; p99 ${before.p99_ms} and ${during.p99_ms} ms; ` +
      `the change was seen after ${during.seen_after_s.toFixed(1)} s, the wait for the next look (5 s) included`,
  );
  sheet.goal(
    `p99 of searches while a snapshot is refreshed, ${CALLERS} callers`,
    during.p99_ms,
    { at_most: 15 },
    ' ms',
  );
  await printMemory(sheet, app, 'resident after the refresh');
  await measureWords(app);
  const { load_s } = await order<LoadTime>(app, 'load');
  console.log(`all centers read and indexed, as a refresh does, with nothing else to do: ${load_s.toFixed(1)} s`);
}

/** The database answers searches by words: one caller. */
async function measureWords({ url }: LoadedServer): Promise<void> {
  const ask = (q: string) => `${url}${searchSportCenters.path}?${new URLSearchParams({ q, limit: String(LIMIT) })}`;
  const queries = Array.from({ length: WORD_CALLS }, (_, call) => WORDS[call % 5] ?? `sport ${call}`);
  const times = await timeCalls(queries.map(ask));
  const [p50, p99] = [median(times), quantile(times, 0.99)];
  console.log(`words among all, one caller: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}
