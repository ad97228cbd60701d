import { randomUUID } from 'node:crypto';
import { Agent, request as sendRequest } from 'node:http';
import { afterDelay } from '../../apps/api/test/delays.ts';
import type { People } from './people.ts';

const CALLERS = 24;
const PATIENCE_MS = 15_000;
const RETRY_MS = 50;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

export interface Failure {
  /** Monotonic time of the reply, ms. */
  at_ms: number;
  /** The status, or the error of the connection. */
  kind: string;
  /** It has the header Retry-After. */
  has_retry_after: boolean;
  request: string;
}

export interface Load {
  /** Requests that were answered or failed; retries are not counted. */
  requests(): number;
  failures(): Failure[];
  /** The longest time until a reply, ms. */
  slowest_ms(): number;
  /** Acknowledged writes. */
  messages: Set<string>;
  activities: Set<string>;
  /** Lets all callers finish their round, with retries, and ends. */
  end(): Promise<void>;
}

interface Sport {
  sport_center_id: string;
  type: string;
}

interface LoadOptions {
  url: string;
  people: People;
  center: Sport;
  /** The wait of a caller before each request. */
  pace_ms: number;
}

type Call = (request: { name: string; path: string; token: string; body?: object }) => Promise<void>;

/**
 * Callers that read, write messages and record activities through the proxy, as the app does: each write has an id, and
 * is repeated with it until it is acknowledged. Every first reply that is not a success counts as a failure.
 */
export function startLoad({ url, people, center, pace_ms }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true });
  const failures: Failure[] = [];
  const state = { requests: 0, slowest_ms: 0, is_running: true };
  const messages = new Set<string>();
  const activities = new Set<string>();
  const call: Call = async ({ name, path, token, body }) => {
    if (pace_ms > 0) await afterDelay(pace_ms * (0.5 + Math.random()));
    const begun_at = performance.now();
    const first = await ask(agent, url + path, token, body);
    const at_ms = performance.now();
    state.requests += 1;
    state.slowest_ms = Math.max(state.slowest_ms, at_ms - begun_at);
    if (first.is_success) return;
    failures.push({ at_ms, kind: first.kind, has_retry_after: first.has_retry_after, request: name });
    for (let reply = first; !reply.is_success; reply = await ask(agent, url + path, token, body))
      await afterDelay(RETRY_MS);
  };
  const work = async (nth: number) => {
    const own = people.senders.filter((_sender, place) => place % CALLERS === nth);
    for (let round = 0; state.is_running; round += 1) {
      const sender = own[round % own.length];
      if (!sender) throw new Error('a caller needs a sender');
      await playRound({ call, sender, center, round: Math.floor(round / own.length), messages, activities });
    }
  };
  const working = Promise.all(Array.from({ length: CALLERS }, (_, nth) => work(nth)));
  return {
    requests: () => state.requests,
    failures: () => failures,
    slowest_ms: () => state.slowest_ms,
    messages,
    activities,
    async end() {
      state.is_running = false;
      await working;
      agent.destroy();
    },
  };
}

interface Round {
  call: Call;
  sender: People['senders'][number];
  center: Sport;
  round: number;
  messages: Set<string>;
  activities: Set<string>;
}

/** Three writes and five reads. */
async function playRound({ call, sender, center, round, messages, activities }: Round): Promise<void> {
  const { token, chat_id } = sender;
  const begun_at = Date.now() - 13 * DAY_MS + 2 * MINUTE_MS * round;
  const [started_at, ended_at] = [begun_at, begun_at + MINUTE_MS].map((ms) => new Date(ms).toISOString());
  const activity_id = randomUUID();
  const read = (path: string) => call({ name: 'read', path, token });
  const sync = (op: object) =>
    call({
      name: 'op',
      path: '/v1/activities/sync',
      token,
      body: { ops: [{ op_id: randomUUID(), client_id: activity_id, ...op }] },
    });
  await sync({ kind: 'start', sport_center_id: center.sport_center_id, sport_type: center.type, started_at });
  await read('/v1/dashboard');
  await read(`/v1/chats/${chat_id}/messages?limit=20`);
  const message_id = randomUUID();
  const body = { message: `round ${round}`, client_id: message_id };
  await call({ name: 'message', path: `/v1/chats/${chat_id}/messages`, token, body });
  messages.add(message_id);
  await read('/v1/leaderboards?limit=20');
  await read('/v1/activities?limit=20');
  await sync({ kind: 'finish', ended_at });
  activities.add(activity_id);
  await read('/v1/chats');
}

interface Answer {
  is_success: boolean;
  kind: string;
  has_retry_after: boolean;
}

function ask(agent: Agent, url: string, token: string, body: object | undefined): Promise<Answer> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    // Caddy answers 200 without a body for a host that it does not know.
    host: new URL(url).host,
    authorization: `Bearer ${token}`,
    ...(json === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }),
  };
  // The proxies listen at this address only.
  const target = new URL(url.replace('//localhost', '//127.0.0.1'));
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ is_success: false, kind: error.code ?? error.message, has_retry_after: false });
    const request = sendRequest(target, {
      agent,
      method: json === undefined ? 'GET' : 'POST',
      headers,
      timeout: PATIENCE_MS,
    });
    request.once('timeout', () => request.destroy(new Error('no reply in time')));
    request.on('error', fail);
    request.once('response', (reply) => {
      const { statusCode: status = 0 } = reply;
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      reply.on('error', fail);
      reply.once('close', () => {
        if (!reply.complete) return fail(new Error('cut'));
        resolve({
          is_success: status < 300 && text.includes('"success":true') && !text.includes('"outcome":"rejected"'),
          kind: status < 300 ? 'no success' : String(status),
          has_retry_after: reply.headers['retry-after'] !== undefined,
        });
      });
    });
    request.end(json);
  });
}
