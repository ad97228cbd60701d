import { join } from 'node:path';
import { type Operator, openOperator } from '../../apps/api/test/app/operator.ts';
import { afterDelay } from '../../apps/api/test/delays.ts';
import type { Fate, Passing } from '../server/forward-proxy.ts';
import { ROOT } from '../server/journey-environment.ts';
import type { WholeServer } from '../server/server.ts';
import { finish, remove, start, undo } from './acts.ts';
import { createCast, type Holder } from './cast.ts';
import { type ClaimCounts, checkActivityClaim, NO_CLAIMS } from './claims.ts';
import { endLife } from './ending.ts';
import { countNetwork, type Hardships, NO_HARDSHIPS } from './hardships.ts';
import {
  failUpgrade,
  fillDevice,
  freeDevice,
  lendPhone,
  openHome,
  setClock,
  setClockOffline,
  syncWithoutPage,
  updateWorker,
} from './incidents.ts';
import { writeMessage } from './messages.ts';
import { type Acknowledged, openNotebook } from './notebook.ts';
import { isSignedOut, signInByForm } from './person.ts';
import { hasCopies } from './phone-rows.ts';
import type { LifePlan, Step } from './plan.ts';
import { createRandom, type Random } from './random.ts';
import type { Actor, Scene } from './taps.ts';
import { openTrace, type Trace } from './trace.ts';
import { type DamageReport, openDamageReport } from './verdict.ts';

/** Longer than any life takes. */
const LIFE_TIMEOUT_MS = 600_000;
const SHOT_TIMEOUT_MS = 5_000;
/** Pictures of screens that did not come, and the traces of lives with damage. */
const TRACES = join(ROOT, '.cache/offline');
const KILLED_WITHIN_MS = 400;
/** How long a phone is off, by the clock of the server. */
const AWAY_MS = [0, 0, 20_000, 65_000, 660_000] as const;

export interface LifeOptions {
  server: WholeServer;
  /** Where the athletes train. */
  center_id: string;
  /** Control arms: what the phone gets instead of the server's answers. */
  serve?: (request: Passing) => Fate;
  /** Control arm: the browser cannot store a key. */
  is_keyless?: boolean;
}

export interface LifeResult {
  plan: LifePlan;
  report: DamageReport;
  /** Steps and messages that the app called saved. */
  acknowledged: Acknowledged;
  /** Activities of a second phone that the server was right to refuse, and the phone shows. */
  right_refusals: number;
  claims: ClaimCounts;
  hardships: Hardships;
}

/** A life as it is lived. */
export interface Life {
  plan: LifePlan;
  options: LifeOptions;
  random: Random;
  scene: Scene;
  /** The phones, each with the user who holds it. */
  holders: Holder[];
  user_ids: string[];
  hardships: Hardships;
}

/** Lives a plan, and judges its traces once the network is good. */
export async function live(plan: LifePlan, options: LifeOptions): Promise<LifeResult> {
  const operator = await openOperator(options.server.data_dir);
  const holders: Holder[] = [];
  const trace = openTrace();
  let is_sound = false;
  try {
    const life = await begin(plan, { ...options, operator, trace }, holders);
    const right_refusals = await Promise.race([liveThrough(life), failAfter(LIFE_TIMEOUT_MS)]);
    for (const { phone } of holders) countNetwork(life.hardships, phone.network);
    const { report, notebook, claims } = life.scene;
    const acknowledged = notebook.acknowledged();
    is_sound = report.lines.length === 0;
    return { plan, report, acknowledged, right_refusals, claims, hardships: life.hardships };
  } catch (error) {
    trace.tell(String(error instanceof Error ? error.stack : error));
    throw error;
  } finally {
    if (!is_sound) await trace.write(join(TRACES, `${plan.seed}.log`));
    for (const { phone } of holders) await phone.remove();
    await operator.close();
  }
}

async function liveThrough(life: Life): Promise<number> {
  for (const step of life.plan.steps) await takeStep(life, step);
  return endLife(life);
}

/** For an answer of the browser that never comes. */
async function failAfter(timeout_ms: number): Promise<never> {
  await afterDelay(timeout_ms, { ref: false });
  throw new Error('the life does not end');
}

async function begin(
  plan: LifePlan,
  { operator, trace, ...options }: LifeOptions & { operator: Operator; trace: Trace },
  holders: Holder[],
): Promise<Life> {
  const random = createRandom(plan.seed ^ 0x5eed);
  const { friend_name, user_ids } = await createCast(plan, { ...options, random, tell: trace.tell }, holders);
  const { server, center_id } = options;
  const [notebook, report] = [openNotebook(), openDamageReport()];
  const scene = { server, operator, center_id, friend_name, notebook, report, trace, claims: { ...NO_CLAIMS } };
  const hardships = { ...NO_HARDSHIPS, second_phones: holders.length - 1 };
  return { plan, options, random, scene, holders, user_ids, hardships };
}

async function takeStep(life: Life, step: Step): Promise<void> {
  const holder = life.holders[step.phone] ?? life.holders[0];
  if (!holder) throw new Error('the life has no phone');
  const { phone, person } = holder;
  life.scene.trace.tell(`step ${life.plan.steps.indexOf(step)}: ${JSON.stringify(step)}`);
  await meetNoMissingScreen(life, holder, step, async () => {
    if (step.network) await phone.network.set(step.network);
    await meetIncident(life, holder, step);
    if (person.lacks_copies) person.lacks_copies = !(await hasCopies(phone.page(), life.options));
    await act(life, holder, step);
    if (phone.isRunning()) await checkActivityClaim(holder, life.scene, life.holders.length);
  });
  if (!phone.isRunning()) await meetNoMissingScreen(life, holder, step, () => startAgain(life, holder));
  await noticeSignOut(life, holder);
}

/** A screen that does not come is damage, unless it is that of a sign-out: then the phone is off, and the life goes on. */
async function meetNoMissingScreen(
  life: Life,
  { phone }: Holder,
  step: Step,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    await shoot(phone, `${life.plan.seed}-${life.plan.steps.indexOf(step)}.png`);
    if (phone.isRunning() && !isSignedOut(phone.page()))
      life.scene.report.add('stuck', `${step.act} (${step.incident ?? phone.network.state()}): ${firstLines(error)}`);
    await phone.kill();
  }
}

/** Takes a picture of a screen that did not come. */
async function shoot(phone: Holder['phone'], name: string): Promise<void> {
  if (!phone.isRunning()) return;
  const picture = phone.page().screenshot({ path: join(TRACES, name), timeout: SHOT_TIMEOUT_MS });
  await picture.catch(() => {});
}

function firstLines({ message }: Error): string {
  return message.split('\n').slice(0, 3).join(' ');
}

/** What happens before the act. */
async function meetIncident(life: Life, { phone, person }: Holder, { incident }: Step): Promise<void> {
  const { scene, hardships } = life;
  const { server } = scene;
  switch (incident) {
    case 'new_version':
      hardships.versions += (await updateWorker(phone)) ? 1 : 0;
      return;
    case 'new_version_and_kill':
      void updateWorker(phone).catch(() => {});
      await killSoon(life, phone);
      return startAgain(life, { phone, person });
    case 'failing_upgrade':
      person.lacks_copies = true;
      await failUpgrade(phone, server);
      hardships.failed_upgrades += 1;
      return;
    case 'fill_storage':
      await fillDevice(phone, life.random.chance(0.5));
      hardships.full_devices += 1;
      return;
    case 'free_storage':
      return freeDevice(phone);
    case 'sync_without_page':
      await syncWithoutPage(phone, server);
      hardships.syncs += 1;
      return;
    case 'other_user':
      hardships.user_changes += (await lendPhone(life, phone, person)) ? 1 : 0;
      return;
    case 'set_clock':
      await setClock(phone, server, otherDays(life, phone));
      hardships.clock_changes += 1;
      return;
    case 'set_clock_offline':
      await setClockOffline(phone, server, otherDays(life, phone));
      hardships.offline_clock_changes += 1;
      return;
  }
}

/** Returns how far the clock is wrong once it is set. */
function otherDays({ random }: Life, phone: Holder['phone']): number {
  return random.pick(phone.clockDays() === 0 ? [3, -3] : [0]);
}

async function act(life: Life, holder: Holder, step: Step): Promise<void> {
  const { phone } = holder;
  const { incident } = step;
  const actor: Actor = { ...holder, interrupt: incident === 'kill_at_tap' ? () => killSoon(life, phone) : undefined };
  const restarted = incident === 'kill_server' ? restartServerSoon(life) : undefined;
  // Its error is thrown below, however long the act takes.
  restarted?.catch(() => {});
  try {
    await ACTS[step.act](life, actor);
  } finally {
    await restarted;
  }
  if (incident === 'kill_after') await killSoon(life, phone, 0);
}

const ACTS: Record<Step['act'], (life: Life, actor: Actor) => Promise<void>> = {
  start: ({ scene }, actor) => start(actor, scene),
  finish: ({ scene }, actor) => finish(actor, scene),
  undo_finish: ({ scene }, actor) => undo(actor, scene, 'finish', finish),
  delete: ({ scene }, actor) => remove(actor, scene),
  undo_delete: ({ scene }, actor) => undo(actor, scene, 'delete', start),
  message: ({ scene }, actor) => writeMessage(actor, scene),
  reload: (_life, { phone, interrupt }) =>
    loadUnless(interrupt, async () => {
      await phone.page().reload({ waitUntil: 'commit' });
      await phone.page().getByRole('heading', { level: 1 }).first().waitFor();
    }),
  new_page: ({ scene }, { phone, interrupt }) =>
    loadUnless(interrupt, async () => {
      await phone.openNewPage();
      await openHome(phone, scene.server);
    }),
  async cold_start(life, { phone, person, interrupt }) {
    await (interrupt ?? phone.close)();
    await startAgain(life, { phone, person });
  },
};

/** Loads; if the phone is killed during the load, the page does not come. */
async function loadUnless(interrupt: Actor['interrupt'], load: () => Promise<void>): Promise<void> {
  const loaded = load();
  if (!interrupt) return loaded;
  loaded.catch(() => {});
  await interrupt();
}

async function killSoon(life: Life, { kill }: Holder['phone'], within_ms = KILLED_WITHIN_MS): Promise<void> {
  await afterDelay(life.random.below(within_ms));
  life.hardships.browser_kills += 1;
  await kill();
}

async function restartServerSoon({ random, scene, hardships, options }: Life): Promise<void> {
  await afterDelay(random.below(KILLED_WITHIN_MS));
  hardships.server_kills += 1;
  await options.server.kill();
  await scene.server.start();
}

/** A while later, the app is opened again. */
async function startAgain({ random, scene, holders }: Life, { phone, person }: Holder): Promise<void> {
  // A phone that is on notices the time of the machine only.
  if (holders.length === 1) await scene.server.passTime(random.pick(AWAY_MS));
  await phone.start();
  await openHome(phone, scene.server);
  if (!(await hasCopies(phone.page(), scene))) person.lacks_copies = true;
}

/** No user of a life signs out here: counts the sign-out, and signs in again, so that the life goes on. */
async function noticeSignOut({ scene }: Life, { phone, person }: Holder): Promise<void> {
  await phone.start();
  if (!isSignedOut(phone.page())) return;
  scene.report.add('wrong_sign_outs', `network ${phone.network.state()}`);
  const before = phone.network.state();
  await phone.network.set('good');
  await signInByForm(phone.page(), scene.server, person);
  person.lacks_copies = true;
  await phone.network.set(before);
}
