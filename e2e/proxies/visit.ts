import { randomUUID } from 'node:crypto';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { afterDelay, pollUntil } from '../../apps/api/test/delays.ts';
import { fillChats } from '../../apps/api/test/measured/chat-people.ts';
import { ask, type OpenReply, open } from './client.ts';
import { LATEST_MS, type Observation, SPOOFED_ATTEMPTS } from './verdict.ts';

const PASSWORD = 'chalk and water 26';
/** Loopback has many addresses: a client of its own, behind the same proxy. */
const NEIGHBOUR = '127.0.0.2';
/** Too much for a proxy's first buffers. */
const OWN_MESSAGES = 1_000;
const RECONNECT_MS = 1_000;
/** Divides the number of attempts. */
const TOGETHER = 6;

interface Place {
  /** Where browsers reach the app. */
  url: string;
  /** The certificate's PEM, with https. */
  ca: string | undefined;
  operator: Operator;
  /** A time-out of the proxy for a silent connection. */
  silence_ms: number | undefined;
}

type Visit = Partial<Observation>;

/** Uses the app through the proxies as two athletes do, and then attacks the limit of sign-ins. Fills `seen`. */
export async function visit(place: Place, seen: Visit): Promise<void> {
  const { url, ca, operator } = place;
  const email = `${randomUUID()}@example.org`;
  const { user_id } = await operator.createAccount({ email, name: 'Ada', password: PASSWORD });
  const reply = await ask(url, ca, { path: '/v1/auth/login', json: { email, password: PASSWORD } });
  seen.sign_in = reply.status === 200;
  if (!seen.sign_in) return;
  const token = (JSON.parse(reply.text) as { data: { tokens: { access_token: string } } }).data.tokens.access_token;
  const friend = await befriend(operator, user_id);
  await follow(place, { token, ...friend }, seen);
  const exported = await ask(url, ca, { path: '/v1/users/me/export', headers: bearer(token) });
  seen.export = exported.status === 200 && isWhole(exported.text);
  await attack(place, seen);
}

function isWhole(exported: string): boolean {
  const own = exported.split(/"Message \d+: /).length - 1;
  return own >= OWN_MESSAGES && exported.trimEnd().endsWith('}');
}

interface Friendship {
  chat_id: string;
  friend_token: string;
}

/** Makes a friend with a chat in which much was said. */
async function befriend({ database, signIn }: Operator, user_id: string): Promise<Friendship> {
  const friend = await signIn('Bo');
  const [user_low = '', user_high = ''] = [user_id, friend.user_id].sort();
  const chat_id = randomUUID();
  await database.insertInto('friendships').values({ id: randomUUID(), user_low, user_high }).execute();
  await database.insertInto('chats').values({ id: chat_id, user_low, user_high, created_by: user_id }).execute();
  await fillChats(database, [chat_id], 2 * OWN_MESSAGES);
  return { chat_id, friend_token: friend.token };
}

/** Opens the stream, and looks how soon a step and a message arrive. */
async function follow(place: Place, friendship: Friendship & { token: string }, seen: Visit): Promise<void> {
  const { url, ca, operator, silence_ms } = place;
  const { token, chat_id, friend_token } = friendship;
  const opened_at = performance.now();
  const stream = await openStream(place, token).catch(() => undefined);
  if (!stream) return;
  try {
    seen.stream_ms = await since(opened_at, () => stream.text().length > 0);
    const stepped_at = performance.now();
    const center = await operator.database.selectFrom('sport_facilities').selectAll().executeTakeFirstOrThrow();
    const { sport_center_id, type: sport_type } = center;
    const ids = { op_id: randomUUID(), client_id: randomUUID() };
    const op = { ...ids, kind: 'start', sport_center_id, sport_type, started_at: new Date().toISOString() };
    await ask(url, ca, { path: '/v1/activities/sync', headers: bearer(token), json: { ops: [op] } });
    seen.step_ms = await since(stepped_at, () => stream.text().includes(ids.client_id));
    const say = (message: string) => {
      const json = { message, client_id: randomUUID() };
      return ask(url, ca, { path: `/v1/chats/${chat_id}/messages`, headers: bearer(friend_token), json });
    };
    const said_at = performance.now();
    await say('the blue one is open');
    seen.message_ms = await since(said_at, () => stream.text().includes('the blue one is open'));
    if (silence_ms !== undefined) seen.resumed = await outlast(place, token, stream, silence_ms, say);
  } finally {
    stream.close();
  }
}

/** Waits until the proxy has had its time-out, and looks whether a message then arrives. */
async function outlast(
  place: Place,
  token: string,
  stream: Stream,
  silence_ms: number,
  say: (text: string) => Promise<unknown>,
): Promise<Observation['resumed']> {
  await afterDelay(2 * silence_ms);
  const is_cut = stream.hasEnded();
  await say('said in the gap');
  const next = is_cut ? await afterDelay(RECONNECT_MS).then(() => openStream(place, token, stream.lastId())) : stream;
  try {
    const ms = await since(performance.now(), () => next.text().includes('said in the gap'));
    return ms === undefined ? 'lost' : is_cut ? 'cut' : 'held';
  } finally {
    next.close();
  }
}

interface Stream {
  text(): string;
  /** The number of the last event. */
  lastId(): string;
  hasEnded(): boolean;
  close(): void;
}

async function openStream({ url, ca }: Place, token: string, last_id?: string): Promise<Stream> {
  const resume: Record<string, string> = last_id === undefined ? {} : { 'last-event-id': last_id };
  const headers = { ...bearer(token), accept: 'text/event-stream', ...resume };
  const reply: OpenReply = await open(url, ca, { path: '/v1/events', headers });
  let text = '';
  let has_ended = false;
  reply.body.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  reply.body.once('close', () => {
    has_ended = true;
  });
  return {
    text: () => text,
    lastId: () => [...text.matchAll(/^id: ?(\d+)$/gm)].at(-1)?.[1] ?? '0',
    hasEnded: () => has_ended,
    close: reply.close,
  };
}

/** Tries passwords with a false address each, and then one from another client. */
async function attack({ url, ca }: Place, seen: Visit): Promise<void> {
  const guess = async (headers: Record<string, string>, from?: string) => {
    const json = { email: `${randomUUID()}@example.org`, password: 'guessed' };
    const reply = await ask(url, ca, { path: '/v1/auth/login', json, headers, ...(from ? { from } : {}) });
    return reply.status !== 429;
  };
  let passed = 0;
  // Together, because on a busy machine one after another may outlast the minute of the limit.
  for (let first = 1; first <= SPOOFED_ATTEMPTS; first += TOGETHER) {
    const addresses = Array.from({ length: TOGETHER }, (_, nth) => `198.51.100.${first + nth}`);
    const outcomes = await Promise.all(addresses.map((address) => guess({ 'x-forwarded-for': address })));
    passed += outcomes.filter(Boolean).length;
  }
  seen.passed = passed;
  seen.has_own_count = await guess({}, NEIGHBOUR);
}

/** Returns how long after `begun_at` it became true; undefined if it did not within twice the allowed time. */
async function since(begun_at: number, isTrue: () => boolean): Promise<number | undefined> {
  const is_true = await pollUntil(isTrue, { patience_ms: 2 * LATEST_MS });
  return is_true ? Math.round(performance.now() - begun_at) : undefined;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
