import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterDelay } from '../apps/api/test/delays.ts';
import type { LoadFigure, LoadOrder } from '../apps/api/test/overload/open-loop.ts';
import type { Crowd, NodeMemory, OverloadOrder } from '../apps/api/test/overload/run-overloaded-node.ts';
import { nextMessage } from '../bench/load/measured-server.ts';
import { endServers, forkServer, type LoadedServer, order } from '../bench/load/path-load.ts';
import { median } from '../bench/load/print.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { MAX_RECOVERY_S, secondsUntilNormal, whyItFailed } from './overload/verdict.ts';

const PAIRS = 300;
const CALLERS = 24;
const WARM_S = sized(8, 3);
const ROUNDS = 3;
const ROUND_S = sized(4, 2);
const OVERLOAD = 2;
const USUAL = 0.25;
const USUAL_S = sized(10, 4);
const OVERLOAD_S = sized(30, 6);
const LONG_S = 600;
const CONTROL_S = sized(15, 6);
const RECOVERY_S = 15;
const MAX_P99_MS = 500;
/** The usual median may be multiplied by so much in a normal second. */
const NORMAL = 3;
const HEALTH_INTERVAL_MS = 200;
const APP = new URL('../apps/api/test/overload/run-overloaded-node.ts', import.meta.url);
const LOAD = fileURLToPath(new URL('../apps/api/test/overload/open-loop.ts', import.meta.url));

/**
 * Twice the capacity of the server, in an open loop: phones do not wait for each other. The calls are those of real use,
 * most of them reads. Every call is answered: admitted soon, or refused with 503 and Retry-After, ordinary calls sooner
 * than the first step of a sign-in, refreshes, activities and messages, each of these judged apart; health always
 * answers, memory does not grow, and all is normal soon after. The load shares the machine with the server and its
 * database, so the capacity is theirs together. Control arm: nothing is refused.
 */
export async function run({ long = false }: { long?: boolean }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const server = await forkServer(APP);
  const load = fork(LOAD);
  const send = async (what: LoadOrder) => {
    load.send(what);
    return nextMessage<LoadFigure>(load);
  };
  try {
    const crowd = await order<Crowd>(server, { what: 'crowd', pairs: PAIRS } satisfies OverloadOrder);
    await send({ what: 'open', port: Number(new URL(server.url).port), crowd });
    await send({ what: 'saturate', callers: CALLERS, duration_s: WARM_S });
    const arms = { server, send, sheet };
    const usual = await measureUsual(arms);
    await overload(arms, usual, long ? LONG_S : OVERLOAD_S);
    await order(server, { what: 'shed', sheds: false } satisfies OverloadOrder);
    const control = await runArm(arms, usual, CONTROL_S);
    const seen = `p99 ${control.loud.p99_ms.toFixed(0)} ms, ${control.loud.unanswered} unanswered, memory +${control.growth_mb.toFixed(0)} MB, normal after ${toText(control.normal_after_s)}`;
    sheet.control('nothing refused', control.loud.p99_ms > 2 * MAX_P99_MS || control.loud.unanswered > 0, seen);
    return sheet.figures;
  } finally {
    load.kill();
    await endServers([server]);
  }
}

interface Arms {
  server: LoadedServer;
  send: (what: LoadOrder) => Promise<LoadFigure>;
  sheet: FigureSheet;
}

interface Usual {
  capacity_per_s: number;
  p50_ms: number;
}

async function measureUsual({ send, sheet }: Arms): Promise<Usual> {
  const rounds: number[] = [];
  for (let nth = 0; nth < ROUNDS; nth += 1)
    rounds.push((await send({ what: 'saturate', callers: CALLERS, duration_s: ROUND_S })).admitted_per_s);
  const capacity_per_s = median(rounds);
  const quiet = await send({ what: 'pace', per_s: capacity_per_s * USUAL, duration_s: USUAL_S });
  sheet.add('capacity', `${capacity_per_s.toFixed(0)} calls/s`, `, rounds ${rounds.map(Math.round).join(', ')}`);
  sheet.add('at a quarter of it', `p50 ${quiet.p50_ms.toFixed(0)} ms, p99 ${quiet.p99_ms.toFixed(0)} ms`);
  return { capacity_per_s, p50_ms: quiet.p50_ms };
}

async function overload(arms: Arms, usual: Usual, duration_s: number): Promise<void> {
  const { sheet } = arms;
  const arm = await runArm(arms, usual, duration_s);
  const { loud, health, growth_mb, rss_mb, normal_after_s } = arm;
  const { ordinary, essential, essentials } = loud;
  sheet.add(
    `at ${OVERLOAD} × capacity for ${duration_s} s`,
    `${loud.admitted_per_s.toFixed(0)} admitted/s`,
    `; calls were sent up to ${loud.delay_p99_ms.toFixed(0)} ms late (99 %)`,
  );
  for (const [name, { sent, refused, p99_ms }] of Object.entries({ ordinary, essential }))
    sheet.add(
      `${name} calls refused`,
      `${percent(refused, sent)} of ${sent}`,
      `; p99 of the others ${p99_ms.toFixed(0)} ms`,
    );
  const shares = Object.entries(essentials).map(
    ([name, { sent, refused }]) => `${name.replace('_', ' ')} ${percent(refused, sent)} of ${sent}`,
  );
  sheet.add('refused of each essential kind', shares.join(', '));
  sheet.goal('p99 of the admitted', loud.p99_ms, { at_most: MAX_P99_MS }, ' ms');
  sheet.add('memory in use', `${growth_mb > 0 ? '+' : ''}${growth_mb.toFixed(1)} MB`, `; resident ${rss_mb}`);
  sheet.goal('normal after', normal_after_s, { at_most: MAX_RECOVERY_S }, ' s');
  const wrong = Object.entries(loud.wrong).map(([answer, count]) => `${count} × ${answer}`);
  sheet.add('unanswered or wrong', `${[`${loud.unanswered} unanswered`, ...wrong].join(', ')}`);
  sheet.add('health', `${health.answered} of ${health.asked} answered`, `, at most ${health.max_ms.toFixed(0)} ms`);
  const reason = whyItFailed(arm);
  if (reason !== null) throw new Error(reason);
}

/** Loads the server with twice its capacity, and looks at its memory before the load and at its end. */
async function runArm({ server, send }: Arms, { capacity_per_s, p50_ms }: Usual, duration_s: number) {
  const readMemory = () => order<NodeMemory>(server, { what: 'memory' } satisfies OverloadOrder);
  const stop = new AbortController();
  const health = watchHealth(server.url, stop.signal);
  const early = await readMemory();
  const loading = send({ what: 'pace', per_s: capacity_per_s * OVERLOAD, duration_s });
  await afterDelay(duration_s * 950);
  const late = await readMemory();
  const loud = await loading;
  stop.abort();
  const after = await send({ what: 'pace', per_s: capacity_per_s * USUAL, duration_s: RECOVERY_S });
  const is_abnormal = after.seconds.map(
    (second) => second.refused + second.unanswered > 0 || second.p50_ms > NORMAL * p50_ms,
  );
  return {
    loud,
    after,
    health: await health,
    growth_mb: (late.used_bytes - early.used_bytes) / 1e6,
    rss_mb: `${(early.rss_bytes / 1e6).toFixed(0)}, then ${(late.rss_bytes / 1e6).toFixed(0)} MB`,
    normal_after_s: secondsUntilNormal(is_abnormal),
  };
}

async function watchHealth(url: string, until: AbortSignal) {
  const health = { asked: 0, answered: 0, max_ms: 0 };
  while (!until.aborted) {
    const began = performance.now();
    health.asked += 1;
    const is_ok = await fetch(`${url}/healthz`).then(
      async (reply) => reply.ok && (await reply.text()) !== '',
      () => false,
    );
    if (is_ok) health.answered += 1;
    health.max_ms = Math.max(health.max_ms, performance.now() - began);
    await afterDelay(HEALTH_INTERVAL_MS);
  }
  return health;
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
const toText = (seconds: number): string => (seconds >= RECOVERY_S ? `more than ${RECOVERY_S} s` : `${seconds} s`);
