import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, createCall, type OpenActivity, opsOf, scanOf } from '../apps/api/test/measured/load/visits.ts';
import type { BenchReferee, ValidationOrder } from '../apps/api/test/measured/validation.ts';
import { syncActivities, validateActivity } from '../packages/contract/src/activities.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { cpuTime, forkAsInProduction, nextMessage } from './load/measured-server.ts';
import { median, quantile } from './load/print.ts';

const CONCURRENT_REFEREES = 20;
/** Below a referee's limits of 60 an hour and 40 a day. */
const ACTIVITIES_A_REFEREE = 38;
const REFEREES_A_ROUND = 40;
const ROUNDS = sized(3, 1);
const BARE_S = 1;
const SYNCS = 9;
const SYNC_ITEMS = 50;
const HOUR_MS = 3_600_000;

/**
 * Validations over HTTP by 20 concurrent referees: verify, checks, ledger, boards and events, one durable transaction
 * each. Alternating with bare transactions on the same PostgreSQL; then one hot center; then at half the highest rate, in
 * an open loop; then queues of 50 ops.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const child = forkAsInProduction(new URL('../apps/api/test/measured/validation.ts', import.meta.url));
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_REFEREES });
  try {
    const { url } = await nextMessage<{ url: string }>(child);
    const post = createCall(url, agent);
    await validateAll(child, post, { spread: true, referees: 10 });
    const spread: Round[] = [];
    const hot: Round[] = [];
    const shares: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare_per_s = await measureBare(child);
      spread.push(await validateAll(child, post, { spread: true, referees: REFEREES_A_ROUND }));
      shares.push((spread.at(-1)?.per_s ?? 0) / bare_per_s);
      hot.push(await validateAll(child, post, { spread: false, referees: REFEREES_A_ROUND }));
      printRound(round, bare_per_s, spread.at(-1), hot.at(-1));
    }
    const per_s = median(spread.map((one) => one.per_s));
    sheet.goal('validations, spread over centers', per_s, { at_least: 400 }, '/s');
    sheet.add(`  p99, ${CONCURRENT_REFEREES} at a time`, `${median(spread.map((one) => one.p99_ms)).toFixed(0)} ms`);
    sheet.goal('  beside bare transactions', median(shares), { at_least: 0.25 });
    sheet.goal('one hot center beside spread', median(hot.map((one) => one.per_s)) / per_s, { at_least: 0.4 });
    await measureHalf(sheet, child, url, per_s / 2);
    await measureSync(sheet, child, post);
    return sheet.figures;
  } finally {
    agent.destroy();
    child.kill();
  }
}

interface Round {
  per_s: number;
  p99_ms: number;
  /** Validations that the server had already: their calls were repeated. */
  duplicates: number;
  /** The server's own CPU time, without PostgreSQL's. */
  cpu_ms: number;
}

function order<Reply>(child: ChildProcess, what: ValidationOrder): Promise<Reply> {
  child.send(what);
  return nextMessage<Reply>(child);
}

async function measureBare(child: ChildProcess): Promise<number> {
  const { transactions } = await order<{ transactions: number }>(child, {
    what: 'bare',
    concurrency: CONCURRENT_REFEREES,
    duration_s: BARE_S,
  });
  return transactions / BARE_S;
}

async function prepare(child: ChildProcess, spread: boolean, referees: number): Promise<BenchReferee[]> {
  const what = { what: 'prepare', spread, referees, activities: ACTIVITIES_A_REFEREE } as const;
  return (await order<{ referees: BenchReferee[] }>(child, what)).referees;
}

/** Returns the outcome; throws unless it is accepted, or a duplicate: a call on a connection that closed is repeated. */
async function validate(post: Call, { token, sport_center_id }: BenchReferee, activity: OpenActivity): Promise<string> {
  const answer = await post(validateActivity.path, token, scanOf(sport_center_id, activity));
  const { outcome = '' } = (answer.body.data ?? {}) as { outcome?: string };
  if (!['accepted', 'duplicate'].includes(outcome)) throw new Error(`a validation gave ${JSON.stringify(answer)}`);
  return outcome;
}

/** Throws unless every single one is accepted or a duplicate. */
async function validateAll(
  child: ChildProcess,
  post: Call,
  { spread, referees: count }: { spread: boolean; referees: number },
): Promise<Round> {
  const referees = await prepare(child, spread, count);
  const before = await cpuTime(child);
  const times: number[] = [];
  let duplicates = 0;
  const began_at = performance.now();
  // Each referee works through their own queue, as real ones do; 20 of them concurrently.
  const waiting = [...referees];
  const worker = async () => {
    for (let referee = waiting.pop(); referee; referee = waiting.pop()) {
      for (const activity of referee.activities) {
        const sent_at = performance.now();
        if ((await validate(post, referee, activity)) === 'duplicate') duplicates += 1;
        times.push(performance.now() - sent_at);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REFEREES }, worker));
  const per_s = times.length / ((performance.now() - began_at) / 1000);
  const cpu_ms = ((await cpuTime(child)) - before) / times.length / 1000;
  return { per_s, p99_ms: quantile(times, 0.99), duplicates, cpu_ms };
}

/**
 * Sends each validation at its time, whether earlier ones are answered or not, and counts from that time: in a closed
 * loop a pause of the server is waited out by 20 callers alone. The referees take turns.
 */
async function measureHalf(sheet: FigureSheet, child: ChildProcess, url: string, per_s: number): Promise<void> {
  const referees = await prepare(child, true, REFEREES_A_ROUND);
  const turns = Array.from({ length: ACTIVITIES_A_REFEREE }, (_, nth) =>
    referees.flatMap((referee) => referee.activities.slice(nth, nth + 1).map((activity) => ({ referee, activity }))),
  ).flat();
  const agent = new Agent({ keepAlive: true });
  const post = createCall(url, agent);
  const began_at = performance.now();
  let duplicates = 0;
  try {
    const times = await Promise.all(
      turns.map(async ({ referee, activity }, nth) => {
        const due_at = began_at + (nth * 1000) / per_s;
        await pause(Math.max(0, due_at - performance.now()));
        if ((await validate(post, referee, activity)) === 'duplicate') duplicates += 1;
        return performance.now() - due_at;
      }),
    );
    const name = `validations at half that rate, ${per_s.toFixed(0)}/s in an open loop, p50 ${median(times).toFixed(1)} ms`;
    sheet.goal(`${name}, p99`, quantile(times, 0.99), { at_most: 50 }, ' ms');
    console.log(`       at half that rate: ${duplicates} duplicates`);
  } finally {
    agent.destroy();
  }
}

/** A phone that comes back online with 25 activities: a start and a finish each. */
async function measureSync(sheet: FigureSheet, child: ChildProcess, post: Call): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < SYNCS; round += 1) {
    const { token, sport_center_id } = await order<{ token: string; sport_center_id: string }>(child, {
      what: 'athlete',
    });
    const ops = Array.from({ length: SYNC_ITEMS / 2 }, (_, nth) => {
      const ended_at = Date.now() - nth * 2 * HOUR_MS;
      return opsOf(sport_center_id, { activity_id: randomUUID(), started_at: ended_at - HOUR_MS, ended_at });
    }).flat();
    const sent_at = performance.now();
    const { body } = await post(syncActivities.path, token, { ops });
    times.push(performance.now() - sent_at);
    const results = (body.data as { results: { outcome: string }[] } | undefined)?.results ?? [];
    const refused = results.filter(({ outcome }) => outcome !== 'accepted');
    if (refused.length > 0 || results.length === 0)
      throw new Error(`a queue gave ${JSON.stringify(refused[0] ?? body)}`);
  }
  sheet.goal(`sync of ${SYNC_ITEMS} steps`, median(times), { at_most: 150 }, ' ms');
}

function printRound(nth: number, bare_per_s: number, spread: Round | undefined, hot: Round | undefined): void {
  if (!spread || !hot) return;
  const share = (spread.per_s / bare_per_s).toFixed(2);
  console.log(
    `round ${nth + 1}: bare transactions ${bare_per_s.toFixed(0)}/s; validations ${spread.per_s.toFixed(0)}/s (${share} of bare), p99 ${spread.p99_ms.toFixed(0)} ms, ${spread.cpu_ms.toFixed(2)} ms of the server's CPU each; hot ${hot.per_s.toFixed(0)}/s, p99 ${hot.p99_ms.toFixed(0)} ms; ${spread.duplicates + hot.duplicates} duplicates`,
  );
}
