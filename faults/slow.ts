import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKS_OFF } from '../apps/api/test/slow/checks-off.ts';
import { type HeldReport, hold } from '../apps/api/test/slow/hold.ts';
import { callHonestly, type HonestReport, quantile } from '../apps/api/test/slow/honest-callers.ts';
import type { NodeMemory } from '../apps/api/test/slow/run-node-for-slow-clients.ts';
import { SLOW_KINDS, type SlowKind, UNREAD_STREAMS } from '../apps/api/test/slow/slow-kinds.ts';
import { type SlowNode, startSlowNode } from '../apps/api/test/slow/slow-node.ts';
import { EVENTS_PATH } from '../packages/contract/src/events.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';

/** Connections of each kind at once. */
const EACH = sized(100, 15);
const EACH_IN_CONTROL_ARMS = 6;
const KINDS = [...SLOW_KINDS, UNREAD_STREAMS];
const IDLE_STREAMS = sized(2_000, 100);
const STREAMS_A_USER = 20;
const LASTS_MS = sized(45_000, 5_000);
const WARM_UP_MS = 3_000;
const QUIET_MS = sized(15_000, 3_000);
/** Longer than every limit of the server: Node notices a stream that stalls for 60 s after at most twice that time. */
const PATIENCE_MS = 150_000;
const HONEST = { callers: 4, pause_ms: 40 };
const HONEST_PATHS = ['/v1/auth/me', '/v1/friends', '/healthz'];
const USERS = 110;
/** Far more than the buffers of both systems. */
const WAITING = 10_000;
const MAX_KEPT_MB = 20;
const MAX_PEAK_MB = 600;

/**
 * Callers that send or read as slowly as they can: headers, bodies, replies, event streams, handshakes, and too much of
 * headers and bodies, each kind on many connections at once, opened again whenever the server ends one. The server ends
 * all of them with the right answer, keeps nothing of them, and answers every honest call and keeps every honest stream
 * all the while. Control arms: one limit each taken out of the code of a node of its own, so that no arm helps another.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const node = await startSlowNode({ users: USERS, waiting: WAITING });
  try {
    await attack(node, sheet);
  } finally {
    await node.close();
  }
  for (const [name, { opened, wrong, still_open }] of await holdWithoutEach()) {
    const answer = CHECKS_OFF[name]?.answer;
    const found = answer === 'wrong' ? wrong : still_open;
    sheet.control(`without ${name}`, found > 0, `${found} of ${opened} ${answer}`);
  }
  return sheet.figures;
}

/** Starts a node without each limit, one after the other, and holds connections at all of them at the same time. */
async function holdWithoutEach(): Promise<[string, HeldReport][]> {
  const nodes: SlowNode[] = [];
  const arms: Promise<[string, HeldReport]>[] = [];
  try {
    for (const [without, check] of Object.entries(CHECKS_OFF)) {
      const kind = KINDS.find(({ name }) => name === check.kind);
      if (!kind) throw new Error(`there is no kind: ${check.kind}`);
      const node = await startSlowNode({ without, users: 1, waiting: kind === UNREAD_STREAMS ? WAITING : 0 });
      nodes.push(node);
      const held = holdKind(node, kind, { each: EACH_IN_CONTROL_ARMS, lasts_ms: 0 });
      const arm = held.then((report): [string, HeldReport] => [without, report]);
      arm.catch(() => {});
      arms.push(arm);
    }
    return await Promise.all(arms);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
}

async function attack(node: SlowNode, sheet: ReturnType<typeof openFigureSheet>): Promise<void> {
  await during(node, () => pause(WARM_UP_MS));
  const quiet = await during(node, () => pause(QUIET_MS));
  const streams = await openStreams(node);
  const before = await node.measureMemory();
  let reports: HeldReport[] = [];
  const loud = await during(node, async () => {
    reports = await Promise.all(KINDS.map((kind) => holdKind(node, kind, { each: EACH, lasts_ms: LASTS_MS })));
  });
  const after = await node.measureMemory();
  for (const { kind, opened, answers, longest_ms, still_open, wrong, not_accepted } of reports)
    console.log(
      `   ${kind}: ${opened} opened, ${JSON.stringify(answers)} within ${(longest_ms / 1000).toFixed(1)} s, ${still_open} still open, ${wrong} wrong, ${not_accepted} not accepted`,
    );
  const sum = (of: (report: HeldReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const not_ended = sum(({ still_open, wrong }) => still_open + wrong);
  sheet.add('slow connections not ended as they should', `${not_ended} of ${sum(({ opened }) => opened)}`);
  sheet.add('slow connections that the system never handed over', `${sum(({ not_accepted }) => not_accepted)}`);
  const untested = reports.find(({ not_accepted, opened }) => not_accepted === opened);
  if (untested) throw new Error(`no connection was accepted of: ${untested.kind}`);
  const unanswered = [...quiet.unanswered, ...loud.unanswered];
  for (const line of unanswered) console.log(`   ! ${line}`);
  sheet.add('honest calls without their answer', `${unanswered.length} of ${loud.sent + quiet.sent}`);
  const lost_streams = streams.countEnded();
  sheet.add('honest streams ended', `${lost_streams} of ${IDLE_STREAMS}, beats ${streams.countBeats()}`);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [slow, fast] = [quantile(loud.times_ms, share), quantile(quiet.times_ms, share)];
    sheet.add(`honest calls, ${name}`, `${(slow / fast).toFixed(1)} × the quiet ones`, `: ${slow.toFixed(1)} ms`);
  }
  const kept_mb = (after.used_bytes - before.used_bytes) / 1e6;
  const peak_mb = peakSince(before, after);
  sheet.add('memory kept after it', `${kept_mb.toFixed(1)} MB`, `, and ${peak_mb.toFixed(0)} MB more at the peak`);
  streams.close();
  if (not_ended + unanswered.length + lost_streams > 0)
    throw new Error('slow callers held the server, or honest ones waited');
  if (kept_mb > MAX_KEPT_MB || peak_mb > MAX_PEAK_MB)
    throw new Error('the server took too much memory for slow callers');
}

function peakSince(before: NodeMemory, after: NodeMemory): number {
  return (after.peak_rss_bytes - before.rss_bytes) / 1e6;
}

/** The answers to honest callers in this time. */
async function during({ target, tokens }: SlowNode, work: () => Promise<unknown>): Promise<HonestReport> {
  const stop = new AbortController();
  const plan = { port: target.port, paths: HONEST_PATHS, tokens: tokens.slice(1) };
  const callers = Array.from({ length: HONEST.callers }, () => callHonestly(plan, HONEST.pause_ms, stop.signal));
  await work();
  stop.abort();
  const reports = await Promise.all(callers);
  return {
    sent: reports.reduce((total, { sent }) => total + sent, 0),
    unanswered: reports.flatMap(({ unanswered }) => unanswered),
    times_ms: reports.flatMap(({ times_ms }) => times_ms),
  };
}

function holdKind(
  { target }: SlowNode,
  kind: SlowKind,
  { each, lasts_ms }: { each: number; lasts_ms: number },
): Promise<HeldReport> {
  const count = Math.min(each, kind.at_most ?? each);
  return hold(kind, target, { count, lasts_ms, patience_ms: PATIENCE_MS, drip_ms: 1_000 });
}

/** Streams on which nothing happens but heartbeats. */
async function openStreams({ target, tokens }: SlowNode) {
  let ended = 0;
  let beats = 0;
  let is_closing = false;
  const requests = Array.from({ length: IDLE_STREAMS }, (_, nth) => {
    const token = tokens[1 + Math.floor(nth / STREAMS_A_USER)];
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    const request = get({ port: target.port, host: '127.0.0.1', path: EVENTS_PATH, headers, agent: false });
    const opened = new Promise<void>((resolve) =>
      request.once('response', () => resolve()).once('error', () => resolve()),
    );
    request.on('error', () => {});
    request.on('close', () => {
      if (!is_closing) ended += 1;
    });
    request.on('response', (reply: IncomingMessage) =>
      reply
        .on('error', () => {})
        .on('data', () => {
          beats += 1;
        }),
    );
    return { request, opened };
  });
  await Promise.all(requests.map(({ opened }) => opened));
  return {
    countEnded: () => ended,
    countBeats: () => beats,
    close() {
      is_closing = true;
      for (const { request } of requests) request.destroy();
    },
  };
}
