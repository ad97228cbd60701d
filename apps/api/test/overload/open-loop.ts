import { afterDelay } from '../delays.ts';
import { quantile } from '../slow/honest-callers.ts';
import { type AppCall, createCalls, type EssentialKind } from './app-calls.ts';
import { type HttpLines, type LineReply, openHttpLines } from './http-lines.ts';
import type { Crowd } from './run-overloaded-node.ts';

/** First an order that opens, then any number of loads, one at a time. */
export type LoadOrder =
  | { what: 'open'; port: number; crowd: Crowd }
  /** So many callers, each of whom sends the next call as soon as the last is answered. */
  | { what: 'saturate'; callers: number; duration_s: number }
  /** So many calls a second, however long the others take. */
  | { what: 'pace'; per_s: number; duration_s: number };

export interface KindFigure {
  sent: number;
  admitted: number;
  /** With 503, Retry-After and the envelope. */
  refused: number;
  p50_ms: number;
  p99_ms: number;
}

export interface LoadFigure {
  ordinary: KindFigure;
  essential: KindFigure;
  /** Each kind of the essential ones apart. */
  essentials: Record<EssentialKind, KindFigure>;
  /** Of all admitted calls, from sending to the whole answer. */
  p50_ms: number;
  p99_ms: number;
  admitted_per_s: number;
  /** How much later than planned this process sent its calls, as it shares the machine's cores: 99 % no later. */
  delay_p99_ms: number;
  /** Calls without an answer within ten seconds. */
  unanswered: number;
  /** Other answers, by their status and code. */
  wrong: Record<string, number>;
  /** By the second in which the calls were due. */
  seconds: { refused: number; unanswered: number; p50_ms: number }[];
}

const MAX_LINES = 4_000;
const LAST_ANSWER_MS = 15_000;

interface Answered {
  kind: AppCall['kind'];
  second: number;
  time_ms: number;
  answer: 'admitted' | 'refused' | 'unanswered' | 'wrong';
}

/** Runs in a process of its own, so that the load does not share an event loop with the server. */
let lines: HttpLines | undefined;
let nextCall: (() => AppCall) | undefined;

async function carryOut(order: LoadOrder): Promise<object> {
  if (order.what === 'open') {
    lines = openHttpLines(order.port, MAX_LINES);
    nextCall = createCalls(order.crowd, order.port, Math.random);
    return {};
  }
  if (!lines || !nextCall) throw new Error('nothing is open');
  const run = createRun(lines, nextCall);
  if (order.what === 'saturate') await saturate(run, order.callers, order.duration_s);
  else await keepPace(run, order.per_s, order.duration_s);
  const until = performance.now() + LAST_ANSWER_MS;
  while (lines.countOpen() > 0 && performance.now() < until) await afterDelay(20);
  return run.summarize(order.duration_s);
}

type Run = ReturnType<typeof createRun>;

function createRun({ send }: HttpLines, makeCall: () => AppCall) {
  const began_at = performance.now();
  const records: Answered[] = [];
  const delays: number[] = [];
  const wrong: Record<string, number> = {};
  let answered_in_time = 0;
  return {
    elapsedS: () => (performance.now() - began_at) / 1000,
    /** `due_s`: since the begin. */
    fire(due_s: number, done: () => void = () => {}) {
      const { kind, request, onSuccess, onEnd } = makeCall();
      const sent_at = performance.now();
      delays.push(sent_at - began_at - due_s * 1000);
      send(request, (reply) => {
        const time_ms = performance.now() - sent_at;
        const answer = judge(reply);
        if (answer === 'admitted') onSuccess?.(reply.head);
        if (answer === 'wrong') {
          const name = `${reply.status} ${/"code":"(\w+)"/.exec(reply.body)?.[1] ?? ''}`;
          wrong[name] = (wrong[name] ?? 0) + 1;
        }
        onEnd?.();
        records.push({ kind, second: Math.floor(due_s), time_ms, answer });
        done();
      });
    },
    countInTime() {
      answered_in_time = records.filter(({ answer }) => answer === 'admitted').length;
    },
    summarize(duration_s: number): LoadFigure {
      const admitted = records.filter(({ answer }) => answer === 'admitted').map(({ time_ms }) => time_ms);
      const figureOfKind = (wanted: AppCall['kind']) => figureOf(records.filter(({ kind }) => kind === wanted));
      return {
        ordinary: figureOfKind('ordinary'),
        essential: figureOf(records.filter(({ kind }) => kind !== 'ordinary')),
        essentials: {
          sign_in: figureOfKind('sign_in'),
          refresh: figureOfKind('refresh'),
          own_user: figureOfKind('own_user'),
          steps: figureOfKind('steps'),
          messages: figureOfKind('messages'),
        },
        p50_ms: quantile(admitted, 0.5),
        p99_ms: quantile(admitted, 0.99),
        admitted_per_s: answered_in_time / duration_s,
        delay_p99_ms: quantile(delays, 0.99),
        unanswered: records.filter(({ answer }) => answer === 'unanswered').length,
        wrong,
        seconds: bySecond(records, duration_s).map((some) => {
          const { refused, unanswered, p50_ms } = figureOf(some);
          return { refused, unanswered, p50_ms };
        }),
      };
    },
  };
}

function bySecond(records: Answered[], duration_s: number): Answered[][] {
  const seconds = Array.from({ length: Math.ceil(duration_s) }, (): Answered[] => []);
  for (const record of records) seconds[record.second]?.push(record);
  return seconds;
}

function judge({ status, head, body }: LineReply): Answered['answer'] {
  if (status === 0) return 'unanswered';
  if (status < 300) return 'admitted';
  const is_refusal = status === 503 && /^retry-after: \d+/im.test(head) && /"success":false.*"unavailable"/.test(body);
  return is_refusal ? 'refused' : 'wrong';
}

function figureOf(records: Answered[]): KindFigure & { unanswered: number } {
  const count = (wanted: Answered['answer']) => records.filter(({ answer }) => answer === wanted).length;
  const times = records.filter(({ answer }) => answer === 'admitted').map(({ time_ms }) => time_ms);
  return {
    sent: records.length,
    admitted: times.length,
    refused: count('refused'),
    unanswered: count('unanswered'),
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
  };
}

async function saturate(run: Run, callers: number, duration_s: number): Promise<void> {
  const call = async () => {
    while (run.elapsedS() < duration_s) await new Promise<void>((resolve) => run.fire(run.elapsedS(), resolve));
  };
  const all = Array.from({ length: callers }, call);
  while (run.elapsedS() < duration_s) await afterDelay(5);
  run.countInTime();
  await Promise.all(all);
}

async function keepPace(run: Run, per_s: number, duration_s: number): Promise<void> {
  for (let made = 0; made < duration_s * per_s; ) {
    const due = Math.min(duration_s, run.elapsedS()) * per_s;
    for (; made < due; made += 1) run.fire(made / per_s);
    await afterDelay(1);
  }
  run.countInTime();
}

process.on('message', async (order: LoadOrder) => process.send?.(await carryOut(order)));
process.on('disconnect', () => process.exit(0));
