import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const MINUTE_MS = 60_000;
/** Within the days in which an activity can be entered later. */
const OLDEST_MS = 6 * 1440 * MINUTE_MS;
const EDITED_LATER_MS = 10_000;
/** Past by any clock that the server has during the faults: an edit in the future is refused rightly. */
const EDITED_AGO_MS = 120 * MINUTE_MS;
const PATIENCE_MS = 120_000;

/** An activity as the server last acknowledged it. */
export interface WrittenActivity {
  client_id: string;
  status: 'active' | 'finished' | 'deleted';
  /** ISO 8601; null while it runs. */
  ended_at: string | null;
}

export interface WriterTally {
  /** By client id. */
  written: Map<string, WrittenActivity>;
  acknowledged_ops: number;
  /** Codes of valid ops that were refused, such as those that the server had carried out before. */
  wrongly_refused: string[];
  repeats: number;
}

interface Writer {
  url: string;
  /** The athlete's access token. */
  token: string;
  center: { sport_center_id: string; type: string };
  /** Without, each attempt has new ids, as of a client without an outbox. */
  keep_ids: boolean;
  running: { until: number };
}

/**
 * Writes as one athlete: one activity of a minute after another, every second one edited and every fourth deleted. Each
 * op is retried until the server answers it.
 */
export async function writeActivities({ url, token, center, keep_ids, running }: Writer): Promise<WriterTally> {
  const tally: WriterTally = { written: new Map(), acknowledged_ops: 0, wrongly_refused: [], repeats: 0 };
  const newest = Date.now();
  const send = (make: () => { kind: string }) => sendUntilAnswered({ url, token, make, keep_ids, tally });
  let moment = newest - OLDEST_MS;
  for (let nth = 0; Date.now() < running.until; nth += 1) {
    const started_at = new Date(moment).toISOString();
    const ended_at = new Date(moment + MINUTE_MS).toISOString();
    const edited = {
      edited_at: new Date(newest - EDITED_AGO_MS).toISOString(),
      ended_at: new Date(moment + MINUTE_MS + EDITED_LATER_MS).toISOString(),
    };
    moment += 2 * MINUTE_MS;
    let client_id = randomUUID();
    const start = () => {
      if (!keep_ids) client_id = randomUUID();
      return { kind: 'start', client_id, sport_center_id: center.sport_center_id, sport_type: center.type, started_at };
    };
    const note = (status: WrittenActivity['status'], end: string | null) =>
      tally.written.set(client_id, { client_id, status, ended_at: end });
    if (!(await send(start))) continue;
    note('active', null);
    if (!(await send(() => ({ kind: 'finish', client_id, ended_at })))) continue;
    note('finished', ended_at);
    if (nth % 2 === 1 && (await send(() => ({ kind: 'edit', client_id, ...edited }))))
      note('finished', edited.ended_at);
    if (nth % 4 === 3 && (await send(() => ({ kind: 'delete', client_id })))) note('deleted', null);
  }
  return tally;
}

interface SentOp {
  url: string;
  token: string;
  make: () => { kind: string };
  keep_ids: boolean;
  tally: WriterTally;
}

/** Retries an op until it is answered; returns false if it was refused. Throws if no try is answered for two minutes. */
async function sendUntilAnswered({ url, token, make, keep_ids, tally }: SentOp): Promise<boolean> {
  let op = { ...make(), op_id: randomUUID() };
  const given_up_at = performance.now() + PATIENCE_MS;
  for (let attempt = 1; performance.now() < given_up_at; attempt += 1) {
    const result = await post(url, token, op).catch(() => undefined);
    if (result?.outcome === 'accepted' || result?.outcome === 'duplicate') {
      tally.acknowledged_ops += 1;
      return true;
    }
    if (result?.outcome === 'rejected') {
      tally.wrongly_refused.push(`${op.kind}: ${result.code}`);
      return false;
    }
    tally.repeats += 1;
    if (!keep_ids) op = { ...make(), op_id: randomUUID() };
    await pause(Math.min(100 * attempt, 500));
  }
  throw new Error(`an op was not answered for ${PATIENCE_MS / 1_000} s`);
}

interface OpResult {
  outcome: string;
  code?: string;
}

async function post(url: string, token: string, op: object): Promise<OpResult | undefined> {
  const reply = await fetch(`${url}/v1/activities/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ops: [op] }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!reply.ok) return undefined;
  const body = (await reply.json()) as { data: { results: OpResult[] } };
  return body.data.results[0];
}
