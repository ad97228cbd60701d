import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import {
  type DayAthlete,
  type DayCenter,
  type DayFigure,
  type DayOrder,
  KINDS,
  type Kind,
  SHARES,
} from './day-kinds.ts';
import { createCall, type OpenActivity, opsOf, scanOf } from './visits.ts';

/** The paths of reads, each as often as it is listed. `:chat` is a chat of the caller. */
const READS = [
  ...['/v1/auth/me', '/v1/dashboard', '/v1/dashboard', '/v1/dashboard', '/v1/activities', '/v1/activities'],
  ...['/v1/leaderboards', '/v1/leaderboards/surrounding', '/v1/leaderboards?scope=friends', '/v1/friends'],
  ...['/v1/chats', '/v1/chats', '/v1/chats/:chat/messages', '/v1/chats/:chat/messages', '/v1/stats/recap'],
];

const VISIT_MS = 12 * 60_000;
/** Below a referee's limit of a day. */
const SCANS_A_REFEREE = 38;
const MAX_CONNECTIONS = 500;

type Open = Extract<DayOrder, { what: 'open' }>;
type Jobs = Awaited<ReturnType<typeof openDay>>;

async function openDay({ url, athletes, centers, streams: count, began_at }: Open) {
  const call = createCall(url, new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }));
  const any = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One;
  const expectOk = async (answer: ReturnType<typeof call>): Promise<unknown> => {
    const { status, body } = await answer;
    const text = JSON.stringify(body);
    if (status >= 300 || text.includes('"outcome":"rejected"')) throw new Error(`a call gave ${status}: ${text}`);
    return body.data;
  };
  const keys = new Map<DayAthlete, Promise<{ key_id: string; key: string }>>();
  const keyOf = (athlete: DayAthlete) => {
    const made =
      keys.get(athlete) ??
      expectOk(call('/v1/devices', athlete.token, { installation_id: randomUUID(), name: 'Phone' }));
    keys.set(athlete, made as ReturnType<typeof keyOf>);
    return made as Promise<{ key_id: string; key: string }>;
  };
  await Promise.all(athletes.map(keyOf));
  let visits = 0;
  const waiting: { center: DayCenter; activity: OpenActivity }[] = [];
  const scans = new Map<DayCenter, number>();
  const streams: IncomingMessage[] = [];
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const openStream = async () => {
    const headers = { authorization: `Bearer ${any(athletes).token}`, accept: 'text/event-stream' };
    const [reply] = (await once(get(url + EVENTS_PATH, { agent, headers }), 'response')) as [IncomingMessage];
    if (reply.statusCode !== 200) throw new Error(`a stream gave ${reply.statusCode}`);
    reply.on('error', () => {}).resume();
    streams.push(reply);
    if (streams.length > count) streams.shift()?.destroy();
  };
  for (let nth = 0; nth < count; nth += 1) await openStream();
  const jobs: Record<Kind, () => Promise<unknown>> = {
    read() {
      const { token, chat_id } = any(athletes);
      return expectOk(call(any(READS).replace(':chat', chat_id), token));
    },
    search() {
      const { latitude, longitude } = any(centers);
      const at = `latitude=${latitude.toFixed(4)}&longitude=${longitude.toFixed(4)}&radius_km=5`;
      return expectOk(call(`/v1/sport-centers/search?${Math.random() < 0.8 ? at : 'q=piscina'}`, ''));
    },
    send() {
      const { token, chat_id } = any(athletes);
      const message = { message: 'The blue one by the door is open again, on Thursday?', client_id: randomUUID() };
      return expectOk(call(`/v1/chats/${chat_id}/messages`, token, message));
    },
    /** A start and a finish. Each athlete in turn, each time later and at another center. */
    async steps() {
      const [nth, earlier] = [visits % athletes.length, Math.floor(visits / athletes.length)];
      visits += 1;
      const athlete = athletes[nth] as DayAthlete;
      const center = centers[(nth + earlier) % centers.length] as DayCenter;
      const ended_at = began_at - (1 + earlier) * VISIT_MS;
      const times = { activity_id: randomUUID(), started_at: ended_at - VISIT_MS + 60_000, ended_at };
      const activity = { ...times, public_id: athlete.public_id, ...(await keyOf(athlete)) };
      await expectOk(call('/v1/activities/sync', athlete.token, { ops: opsOf(center.id, activity) }));
      // An athlete cannot confirm the own activity.
      if (center.referee_public_id === athlete.public_id) return;
      const done = scans.get(center) ?? 0;
      scans.set(center, done + 1);
      if (done < SCANS_A_REFEREE) waiting.push({ center, activity });
    },
    /** A read while no code waits. */
    scan() {
      const next = waiting.shift();
      if (!next) return jobs.read();
      return expectOk(call('/v1/activities/validate', next.center.referee, scanOf(next.center.id, next.activity)));
    },
    stream: openStream,
  };
  return jobs;
}

function drawKind(): Kind {
  let drawn = Math.random();
  for (const kind of KINDS) {
    drawn -= SHARES[kind];
    if (drawn < 0) return kind;
  }
  return 'read';
}

type Times = Record<Kind, number[]>;

/** Each caller makes its next call as soon as the last is answered. */
async function repeat(jobs: Jobs, times: Times, { callers, duration_s }: { callers: number; duration_s: number }) {
  const until = performance.now() + duration_s * 1000;
  const work = async () => {
    while (performance.now() < until) {
      const kind = drawKind();
      const began_at = performance.now();
      await jobs[kind]();
      times[kind].push(performance.now() - began_at);
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
}

/** Calls at random moments, however long others take; each is timed from the moment at which it was due. */
async function keepPace(jobs: Jobs, times: Times, { per_s, duration_s }: { per_s: number; duration_s: number }) {
  const began_at = performance.now();
  const calls = new Set<Promise<unknown>>();
  let failure: unknown;
  const fire = (kind: Kind, due_at: number) => {
    const call = jobs[kind]().then(
      () => times[kind].push(performance.now() - due_at),
      (error: unknown) => {
        failure ??= error;
      },
    );
    calls.add(call);
    void call.then(() => calls.delete(call));
  };
  for (let due_ms = 0; due_ms < duration_s * 1000 && failure === undefined; ) {
    const due_at = began_at + due_ms;
    if (due_at > performance.now()) await pause(Math.max(1, due_at - performance.now()));
    fire(drawKind(), due_at);
    due_ms += (-Math.log(1 - Math.random()) * 1000) / per_s;
  }
  await Promise.all(calls);
  if (failure !== undefined) throw failure;
}

let day: Jobs | undefined;

/** Runs in a process of its own, so that the load does not share an event loop with the server or the bench. */
async function carryOut(order: DayOrder): Promise<object> {
  if (order.what === 'open') {
    day = await openDay(order);
    return {};
  }
  if (!day) throw new Error('nothing is open');
  const times_ms = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Times;
  const [before, began_at] = [process.cpuUsage(), performance.now()];
  if (order.what === 'closed') await repeat(day, times_ms, order);
  else await keepPace(day, times_ms, order);
  const { user, system } = process.cpuUsage(before);
  const calls = Object.values(times_ms).reduce((sum, list) => sum + list.length, 0);
  const per_s = calls / ((performance.now() - began_at) / 1000);
  return { per_s, times_ms, cpu_us: user + system } satisfies DayFigure;
}

process.on('message', async (order: DayOrder) => process.send?.(await carryOut(order)));
process.on('disconnect', () => process.exit(0));
