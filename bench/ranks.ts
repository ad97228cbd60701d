import { fillBoard } from '../apps/api/test/measured/fill-ranks.ts';
import type { Athletes, Pauses } from '../apps/api/test/measured/ranks.ts';
import type { WriteTimes } from '../apps/api/test/measured/ranks-work.ts';
import { openScratch, type Scratch } from '../apps/api/test/measured/scratch.ts';
import { findOrInstallRedis, startRedis } from '../apps/api/test/servers/redis-server.ts';
import { getDashboard } from '../packages/contract/src/dashboard.ts';
import { getLeaderboard, getSurrounding } from '../packages/contract/src/leaderboards.ts';
import { addDays, isoWeekKey, localDate } from '../packages/domain/src/dates.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { endServers, forkServer, type LoadedServer, measurePaths, order, type PathLoad } from './load/path-load.ts';
import { median, quantile, toMib } from './load/print.ts';
import { timeCall, timeCalls } from './load/time-calls.ts';

/** Fewer for a trial run; the goals are for a million. */
const ATHLETES = Number(process.env.BENCH_ATHLETES ?? sized(1_000_000, 20_000));
const FEW = 1_000;
const CALLERS = 50;
const ROUNDS = sized(5, 1);
const ROUND_S = 3;
const SINGLE_CALLS = 300;
const WRITES = 300;
const HISTORY = 2_000;
const SEED = 0.61;

/**
 * My rank with three above and below on a board of a million, the whole call: next to Redis behind a bare Fastify, next
 * to count(*), and next to itself on a board of a thousand; the top page; the cost of building a board that is not in
 * memory, and whether other calls are served during the build.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const scratch = openScratch();
  const found = await findOrInstallRedis();
  if ('missing' in found) throw new Error(found.missing);
  const redis = await startRedis(found.path);
  const servers: LoadedServer[] = [];
  const start = async (script: string, env: Record<string, string>) => {
    const server = await forkServer(new URL(`../apps/api/test/measured/${script}.ts`, import.meta.url), env);
    servers.push(server);
    return server;
  };
  try {
    const urls = await fillDatabases(scratch);
    const many = await start('ranks', { MEASURED_DATABASE_URL: urls.many });
    const few = await start('ranks', { MEASURED_DATABASE_URL: urls.few });
    await measureBuild(sheet, many);
    const peer = await start('ranks-peer', { MEASURED_DATABASE_URL: urls.many, MEASURED_REDIS_URL: redis.url });
    await order(peer, 'fill');
    await measureCalls(sheet, { many, few, peer });
    await measureTop(sheet, many);
    await measureWrites(sheet, few, 'newcomers');
    await measureDashboard(sheet, few);
    await measureWrites(sheet, few, 'veteran');
    await endServers([few]);
    return sheet.figures;
  } finally {
    await endServers(servers);
    await redis.stop();
    await scratch.remove();
  }
}

const THIS_WEEK = isoWeekKey(localDate(Date.now(), 'UTC'));
const LAST_WEEK = isoWeekKey(addDays(localDate(Date.now(), 'UTC'), -7));

async function fillDatabases(scratch: Scratch): Promise<{ many: string; few: string }> {
  const started_at = performance.now();
  const many = await scratch.startDatabase();
  const few = await scratch.addDatabase('few');
  await fillBoard(many, { periods: [THIS_WEEK, LAST_WEEK], athletes: ATHLETES, seed: SEED });
  await fillBoard(few, { periods: [THIS_WEEK], athletes: FEW, seed: SEED });
  const seconds = ((performance.now() - started_at) / 1000).toFixed(0);
  console.log(`${ATHLETES.toLocaleString('en')} athletes on a board, ${FEW} on another, in ${seconds} s`);
  return { many, few };
}

async function signIn(server: LoadedServer, count: number): Promise<Athletes['athletes']> {
  return (await order<Athletes>(server, { what: 'athletes', count })).athletes;
}

const repeated = (url: string) => Array.from({ length: SINGLE_CALLS }, () => url);
const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
/** The current week on both sides of a Sunday's midnight. */
const SURROUNDING = `${getSurrounding.path}?key=${THIS_WEEK}`;

interface Arms {
  many: LoadedServer;
  few: LoadedServer;
  peer: LoadedServer;
}

async function measureCalls(sheet: FigureSheet, arms: Arms): Promise<void> {
  const athletes = await signIn(arms.many, CALLERS);
  const others = await signIn(arms.few, CALLERS);
  const ask = (duration_s: number) => ({
    many: () =>
      measurePaths(arms.many, { paths: athletes.map(() => [SURROUNDING]), headers: athletes.map(bearer), duration_s }),
    few: () =>
      measurePaths(arms.few, { paths: others.map(() => [SURROUNDING]), headers: others.map(bearer), duration_s }),
    redis: () => measurePaths(arms.peer, { paths: athletes.map(({ user_id }) => [`/redis/${user_id}`]), duration_s }),
    count: () => measurePaths(arms.peer, { paths: athletes.map(({ user_id }) => [`/count/${user_id}`]), duration_s }),
  });
  const rounds: Record<keyof ReturnType<typeof ask>, PathLoad>[] = [];
  console.log(`\n${CALLERS} callers, each for the own place; calls/s, CPU µs a call of the server, p50/p99 in ms`);
  console.log('round  app, a million    app, a thousand    Redis + Fastify    count(*) + Fastify');
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { many, few, redis, count } = ask(round === 0 ? 1 : ROUND_S);
    const figures = { many: await many(), few: await few(), redis: await redis(), count: await count() };
    // The first round warms up.
    if (round === 0) continue;
    rounds.push(figures);
    console.log(`${round}      ${[figures.many, figures.few, figures.redis, figures.count].map(toCells).join('    ')}`);
  }
  const middle = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure));
  sheet.goal(
    'my place among a million beside Redis, calls/s',
    middle(({ many, redis }) => many.calls_per_s / redis.calls_per_s),
    { at_least: 1 },
  );
  console.log(
    `     (beside count(*): ${middle(({ many, count }) => many.calls_per_s / count.calls_per_s).toFixed(0)} ×)`,
  );
  sheet.goal(
    'a million beside a thousand, CPU a call',
    middle(({ many, few }) => many.cpu_us_per_call / few.cpu_us_per_call),
    { at_most: 1.5 },
  );
}

function toCells({ calls_per_s, cpu_us_per_call, p50_ms, p99_ms }: PathLoad): string {
  return `${calls_per_s.toFixed(0)}  ${cpu_us_per_call.toFixed(0)}  ${p50_ms}/${p99_ms}`;
}

async function measureTop(sheet: FigureSheet, server: LoadedServer): Promise<void> {
  const [athlete] = await signIn(server, 1);
  if (!athlete) throw new Error('the board is empty');
  const url = `${server.url}${getLeaderboard.path}?key=${THIS_WEEK}&limit=50`;
  await timeCalls(repeated(url), bearer(athlete));
  const times = await timeCalls(repeated(url), bearer(athlete));
  console.log('');
  sheet.goal(
    `top 50, one caller, p99 ${quantile(times, 0.99).toFixed(2)} ms, p50`,
    median(times),
    { at_most: 3 },
    ' ms',
  );
}

/** On a board of a thousand: the time of a transaction itself does not depend on the size of a board. */
async function measureWrites(sheet: FigureSheet, server: LoadedServer, who: 'newcomers' | 'veteran'): Promise<void> {
  const { with_ms, without_ms, rows } = await order<WriteTimes>(server, { what: 'writes', count: WRITES, who });
  const added = median(with_ms) - median(without_ms);
  const whose = who === 'veteran' ? `an athlete with ${HISTORY} activities` : 'a newcomer';
  sheet.goal(`boards that one validation of ${whose} touches`, rows, { at_most: 12 });
  sheet.goal(
    `  added to its transaction (${median(without_ms).toFixed(2)} → ${median(with_ms).toFixed(2)} ms)`,
    added,
    { at_most: 2 },
    ' ms',
  );
}

async function measureDashboard(sheet: FigureSheet, server: LoadedServer): Promise<void> {
  await order(server, { what: 'history', activities: HISTORY });
  const [athlete] = await signIn(server, 1);
  if (!athlete) throw new Error('there is no athlete');
  const url = server.url + getDashboard.path;
  await timeCalls(repeated(url), bearer(athlete));
  const times = await timeCalls(repeated(url), bearer(athlete));
  const middle = median(times).toFixed(1);
  sheet.goal(
    `dashboard after ${HISTORY} activities, one caller, p50 ${middle} ms, p99`,
    quantile(times, 0.99),
    { at_most: 25 },
    ' ms',
  );
}

/** Last week's board is built at the first request for it. */
async function measureBuild(sheet: FigureSheet, server: LoadedServer): Promise<void> {
  const [athlete] = await signIn(server, 1);
  if (!athlete) throw new Error('the board is empty');
  const headers = bearer(athlete);
  await timeCall(server.url + SURROUNDING, headers);
  const { rss_bytes: before } = await order<{ rss_bytes: number }>(server, { what: 'memory' });
  await order(server, { what: 'pauses', watch: true });
  let building = true;
  const build = timeCall(`${server.url}${getSurrounding.path}?key=${LAST_WEEK}`, headers).finally(() => {
    building = false;
  });
  const during: number[] = [];
  while (building) during.push(await timeCall(server.url + SURROUNDING, headers));
  const build_s = (await build) / 1000;
  const { longest_pause_ms } = await order<Pauses>(server, { what: 'pauses', watch: false });
  const { rss_bytes: after } = await order<{ rss_bytes: number }>(server, { what: 'memory' });
  sheet.goal('a board of a million built, by the first who asks for it', build_s, { at_most: 3 }, ' s');
  sheet.goal('  longest pause of the server during the build', longest_pause_ms, { at_most: 20 }, ' ms');
  console.log(
    `     (${during.length} other calls at the same time, p99 ${quantile(during, 0.99).toFixed(1)} ms; ` +
      `resident ${toMib(before).toFixed(0)} → ${toMib(after).toFixed(0)} MB)`,
  );
}
