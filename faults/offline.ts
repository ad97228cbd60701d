import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatches } from '../apps/api/test/source-patches.ts';
import { buildApp } from '../apps/web/build/app.ts';
import { type LifeOptions, type LifeResult, live } from '../e2e/offline/life.ts';
import { type LifePlan, PORTAL_STATUSES, planLife, TROUBLES, type Trouble } from '../e2e/offline/plan.ts';
import type { DamageKind } from '../e2e/offline/verdict.ts';
import { findCenterId } from '../e2e/people/athlete.ts';
import { POOL } from '../e2e/people/swimming.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { prepareBrowser } from '../tools/programs/measure-in-browser.ts';
import { sized } from '../tools/programs/program-size.ts';
import { changeSources } from '../tools/programs/web-build.ts';
import { BELIEVED_PORTAL } from './offline/believed-portal.ts';
import { damageOf, printLife, printTroubles, sumUp, whyNothingIsShown } from './offline/figures.ts';
import { serveBuild } from './offline/serve-build.ts';
import { UNCORRECTED_TIMES } from './offline/uncorrected-times.ts';

/** Each trouble twice. */
const LIVES = sized(2 * TROUBLES.length, 4);
const LONG_LIVES = 7 * TROUBLES.length;
/** Lives at a time, each beside a server of its own: a phone mostly waits. */
const LANES = 2;
const MAX_SEED = 1_000_000;
/** Lives in which a control arm must show damage; most show it in the first. */
const CONTROL_LIVES = 8;
/** What a worker without a session does with each event. */
const SENDER = '/assets/outbox-sender-';
const WITHOUT_SESSION = "\n;globalThis.sendOutbox = async () => 'signed_out';\n";

/**
 * Random lives of phones: athletes train and write to a friend while network, browser, server, storage, clock and worker
 * fail. What the app called saved must be on the server once, as its own user's, after 15 s of good network; no one may
 * be signed out. The control arms must show damage. `--seed 17,18` lives these lives alone. A life with damage leaves its
 * trace in `.cache/offline`.
 */
export async function run({ long = false }: { long?: boolean }, { seed }: { seed?: string }): Promise<Figure[]> {
  await prepareBrowser();
  const sheet = openFigureSheet();
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-offline-'));
  // Before the lives: a build takes all of the CPU.
  const credulous = seed === undefined ? await buildCredulous(folder) : '';
  const lanes = await openLanes(seed === undefined ? LANES : 1);
  try {
    const first = randomInt(MAX_SEED);
    const count = long ? LONG_LIVES : LIVES;
    const seeds = seed?.split(',').map(Number) ?? Array.from({ length: count }, (_, at) => first + at);
    const waiting = seeds.map(planLife);
    const done = { results: [] as LifeResult[], broken: [] as string[] };
    const controls = { error: null as unknown };
    await Promise.all(
      lanes.map(async (lane, index) => {
        if (seed === undefined && index === 0)
          await playControls(sheet, lane, { credulous, first }).catch((error: unknown) => {
            controls.error = error;
          });
        await liveAll(waiting, lane, done);
      }),
    );
    judge(sheet, done, { long, is_trial: seed !== undefined || count < TROUBLES.length });
    if (controls.error !== null) throw controls.error;
    return sheet.figures;
  } finally {
    for (const { server } of lanes) await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Done {
  results: LifeResult[];
  /** Lives that an error ended. */
  broken: string[];
}

/** Throws if there was damage, or if the lives show nothing; `is_trial`: too few lives for all of them. */
function judge(
  sheet: FigureSheet,
  { results, broken }: Done,
  { long, is_trial }: { long: boolean; is_trial: boolean },
): void {
  printTroubles(results);
  sumUp(sheet, results);
  if (broken.length > 0) throw new Error(`lives that could not be lived: ${broken.join('; ')}`);
  const damaged = results.filter((result) => damageOf(result) > 0).map(({ plan }) => plan.seed);
  if (damaged.length > 0) throw new Error(`damage; to see it again: npm run faults -- offline --seed ${damaged}`);
  if (is_trial) return;
  const reasons = whyNothingIsShown(results, { long, portal_statuses: PORTAL_STATUSES });
  if (reasons.length > 0) throw new Error(`the lives show nothing: ${reasons.join('; ')}`);
}

type Lane = Pick<LifeOptions, 'center_id'> & { server: WholeServer };

async function openLanes(count: number): Promise<Lane[]> {
  const lanes: Lane[] = [];
  while (lanes.length < count) {
    const server = await startServer({ is_printing: false });
    lanes.push({ server, center_id: await findCenterId(server, POOL) });
  }
  return lanes;
}

/** Lives the waiting plans, of which other lanes take some too. */
async function liveAll(waiting: LifePlan[], lane: Lane, { results, broken }: Done): Promise<void> {
  for (let plan = waiting.shift(); plan; plan = waiting.shift()) {
    try {
      const result = await live(plan, lane);
      results.push(result);
      printLife(result);
    } catch (error) {
      broken.push(`${plan.seed} (${plan.trouble}): ${messageOf(error)}`);
      console.log(`life ${broken.at(-1)}`);
    }
  }
}

/** Without the log that Playwright adds. */
function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\nCall log:')[0] ?? '';
}

/** Builds an app that believes a portal, and the clock of the phone. Returns the folder of the build. */
async function buildCredulous(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  const patches = [BELIEVED_PORTAL, UNCORRECTED_TIMES];
  const changes = patches.map((patch) => [patch.file, (source: string) => applyPatches(source, [patch])] as const);
  await buildApp(dist, [changeSources(Object.fromEntries(changes))]);
  return dist;
}

interface ControlOptions {
  /** The folder of the app that believes a portal and the clock. */
  credulous: string;
  /** The first seed of the run. */
  first: number;
}

async function playControls(sheet: FigureSheet, lane: Lane, { credulous, first }: ControlOptions): Promise<void> {
  const kills = plansOf(first, 'browser killed');
  await playControl(sheet, ['no proof at a rotation', 'wrong_sign_outs'], kills, { ...lane, is_keyless: true });
  const syncs = plansOf(first, 'sync without a page');
  await playControl(sheet, ['worker without a session', 'stuck: message'], syncs, {
    ...lane,
    serve: ({ path }) => (path.startsWith(SENDER) ? { append: WITHOUT_SESSION } : 'pass'),
  });
  const serve = serveBuild(credulous);
  const portals = plansOf(first, 'portal').map((plan, at) => ({ ...plan, portal_status: at % 2 === 0 ? 401 : 403 }));
  await playControl(sheet, ['portal believed', 'wrong_sign_outs'], portals, { ...lane, serve });
  await playControl(sheet, ['times not corrected', 'altered'], plansOf(first, 'clock'), { ...lane, serve });
}

function plansOf(first: number, trouble: Trouble): LifePlan[] {
  const length = CONTROL_LIVES * TROUBLES.length;
  const plans = Array.from({ length }, (_, at) => planLife(first + at));
  return plans.filter((plan) => plan.trouble === trouble);
}

/**
 * Lives until there is damage of the kind that the missing protection prevents: any other may be the machine's. A life
 * that an error ends shows nothing.
 */
async function playControl(
  sheet: FigureSheet,
  [name, damage]: [string, DamageKind | 'stuck: message'],
  plans: LifePlan[],
  options: LifeOptions,
): Promise<void> {
  let lived = 0;
  for (const plan of plans) {
    lived += 1;
    try {
      const { report } = await live(plan, options);
      const line = report.lines.find((text) => text.startsWith(damage));
      if (line !== undefined) return sheet.control(name, true, `${line}, in life ${lived}`);
    } catch (error) {
      console.log(`control life ${plan.seed} (${plan.trouble}): ${messageOf(error)}`);
    }
  }
  sheet.control(name, false, `no ${damage} in ${lived} lives`);
}
