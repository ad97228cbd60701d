import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { startCuttingProxy } from './load/cutting-proxy.ts';

const WRITERS = 8;
const CUT_SHARE = 0.1;
const KILLS = sized(4, 1);
const ROUND_MS = 2_500;
const LONG_KILLS = 40;
const MINUTE_MS = 60_000;

interface Tally {
  acknowledged: string[];
  /** Ops that the server had carried out and then reported as refused. */
  wrongly_refused: number;
  repeats: number;
}

/**
 * Athletes start and finish activities through a proxy that cuts every tenth reply, while the server is repeatedly
 * killed. With op ids, no acknowledged op may be missing, doubled or wrongly refused. The control arm makes new ids for
 * every attempt, as a client without an outbox does, and must show wrong refusals.
 */
export async function run({ long = false }: { long?: boolean }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const kills = long ? LONG_KILLS : KILLS;
  const with_ids = await runArm(kills, true);
  const control = await runArm(kills, false);
  console.log('arm              acknowledged   cut   repeats   lost   doubled   wrongly refused');
  for (const [name, arm] of Object.entries({ 'with op ids': with_ids, 'without (control)': control })) {
    const cells = [arm.acknowledged, arm.cuts, arm.repeats, arm.lost, arm.doubled, arm.wrongly_refused];
    console.log(
      name.padEnd(17) + cells.map((cell, index) => String(cell).padStart([12, 6, 10, 7, 10, 18][index] ?? 8)).join(''),
    );
  }
  if (with_ids.lost + with_ids.doubled + with_ids.wrongly_refused > 0)
    throw new Error('a step was lost, doubled or refused');
  const { acknowledged, cuts, lost, doubled, wrongly_refused } = with_ids;
  sheet.add('acknowledged', `${acknowledged}, ${cuts} replies cut, ${kills} kills`);
  sheet.add('lost, doubled, wrongly refused', [lost, doubled, wrongly_refused].join(', '));
  const seen = `${control.doubled} doubled, ${control.wrongly_refused} wrongly refused`;
  sheet.control('new ids for every attempt', control.doubled + control.wrongly_refused > 0, seen);
  return sheet.figures;
}

async function runArm(kills: number, keep_ids: boolean) {
  const server = await startServer();
  const proxy = await startCuttingProxy(Number(new URL(server.url).port), CUT_SHARE);
  const operator = await openOperator(server.data_dir);
  try {
    const center = await operator.database.selectFrom('sport_facilities').selectAll().executeTakeFirstOrThrow();
    const url = `http://127.0.0.1:${proxy.port}`;
    const running = { until: Number.POSITIVE_INFINITY };
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      write({ operator, url, center, keep_ids, running, name: `Athlete ${index}` }),
    );
    await killRepeatedly(server, kills);
    running.until = Date.now();
    const tallies = await Promise.all(writers);
    const acknowledged = tallies.flatMap((tally) => tally.acknowledged);
    return {
      acknowledged: acknowledged.length,
      cuts: proxy.cuts(),
      repeats: sum(tallies, (tally) => tally.repeats),
      wrongly_refused: sum(tallies, (tally) => tally.wrongly_refused),
      ...(await recount(operator, acknowledged)),
    };
  } finally {
    await proxy.close();
    await operator.close();
    await server.remove();
  }
}

async function killRepeatedly(server: WholeServer, kills: number): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(ROUND_MS);
    await server.kill();
    await server.start();
  }
  await pause(ROUND_MS);
}

interface Writer {
  operator: Operator;
  url: string;
  center: { sport_center_id: string; type: string };
  keep_ids: boolean;
  running: { until: number };
  name: string;
}

/** Writes as one athlete: one activity of a minute after another, each op retried until the server answers it. */
async function write({ operator, url, center, keep_ids, running, name }: Writer): Promise<Tally> {
  const { token } = await operator.signIn(name);
  const tally: Tally = { acknowledged: [], wrongly_refused: 0, repeats: 0 };
  let moment = Date.now() - 13 * 1440 * MINUTE_MS;
  while (Date.now() < running.until) {
    const started_at = new Date(moment).toISOString();
    const ended_at = new Date(moment + MINUTE_MS).toISOString();
    moment += 2 * MINUTE_MS;
    let client_id = randomUUID();
    const start = () => {
      if (!keep_ids) client_id = randomUUID();
      return { kind: 'start', client_id, sport_center_id: center.sport_center_id, sport_type: center.type, started_at };
    };
    if (!(await send(url, token, start, keep_ids, tally))) continue;
    if (await send(url, token, () => ({ kind: 'finish', client_id, ended_at }), keep_ids, tally))
      tally.acknowledged.push(client_id);
  }
  return tally;
}

/** Retries an op until it is answered; returns false if it was refused. */
async function send(url: string, token: string, make: () => object, keep_ids: boolean, tally: Tally): Promise<boolean> {
  let op = { ...make(), op_id: randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await post(url, token, op).catch(() => undefined);
    if (outcome === 'accepted' || outcome === 'duplicate') return true;
    if (outcome === 'rejected') {
      tally.wrongly_refused += 1;
      return false;
    }
    tally.repeats += 1;
    if (!keep_ids) op = { ...make(), op_id: randomUUID() };
    await pause(Math.min(100 * attempt, 500));
  }
}

async function post(url: string, token: string, op: object): Promise<string | undefined> {
  const reply = await fetch(`${url}/v1/activities/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ops: [op] }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!reply.ok) return undefined;
  const body = (await reply.json()) as { data: { results: { outcome: string }[] } };
  return body.data.results[0]?.outcome;
}

async function recount(operator: Operator, acknowledged: string[]): Promise<{ lost: number; doubled: number }> {
  const rows = await operator.database
    .selectFrom('activities')
    .select(['id', 'user_id', 'started_at', 'status'])
    .execute();
  const finished = new Set(rows.filter((row) => row.status === 'finished').map((row) => row.id));
  const distinct = new Set(rows.map((row) => `${row.user_id} ${row.started_at.toISOString()}`));
  return { lost: acknowledged.filter((id) => !finished.has(id)).length, doubled: rows.length - distinct.size };
}

function sum(tallies: Tally[], of: (tally: Tally) => number): number {
  return tallies.reduce((total, tally) => total + of(tally), 0);
}
