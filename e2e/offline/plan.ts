import { createRandom, type Random } from './random.ts';

/**
 * The state of a phone's network. `no_network`: the phone knows that it has none. `unreachable`: connections break.
 * `hang`: nothing is answered until the network gets better. `latency`: 30 s, longer than the app waits. `cut`: half of
 * the replies are lost after the work was done. `portal`: a page of the network answers. `redirect`: to that page's own
 * address. `loss`: 3 % of the requests. `flips`: good and bad by turns, several times a second.
 */
export type NetworkState =
  | 'good'
  | 'no_network'
  | 'unreachable'
  | 'hang'
  | 'latency'
  | 'cut'
  | 'portal'
  | 'redirect'
  | 'loss'
  | 'flips';

export type Act =
  | 'start'
  | 'finish'
  | 'undo_finish'
  | 'delete'
  | 'undo_delete'
  | 'message'
  | 'reload'
  | 'new_page'
  | 'cold_start';

/** What happens to the phone or the server during or after an act. */
export type Incident =
  | 'kill_at_tap'
  | 'kill_after'
  | 'kill_server'
  | 'new_version'
  | 'new_version_and_kill'
  | 'failing_upgrade'
  | 'fill_storage'
  | 'free_storage'
  | 'sync_without_page'
  | 'other_user'
  | 'set_clock'
  | 'set_clock_offline';

/** The trouble that a life is about; all lives get random networks besides. */
export const TROUBLES = [
  'flips',
  'browser killed',
  'server killed',
  'replies cut',
  'worker updated',
  'upgrade of the cache fails',
  'device full',
  'another user signs in',
  'portal',
  'redirect',
  'hang',
  'latency',
  'loss',
  'clock',
  'two phones',
  'sync without a page',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/**
 * How the trouble is over. `cold_start`: the app is opened again. `online`: the phone notices the network. `front`: the
 * athlete comes back to the app. `wait`: the app lies open. `no_page`: all pages are closed, and the browser wakes the
 * worker.
 */
export type Ending = 'cold_start' | 'online' | 'front' | 'wait' | 'no_page';

export interface Step {
  /** 0, or 1 for the athlete's second phone. */
  phone: 0 | 1;
  /** The network from now on; undefined: as before. */
  network?: NetworkState;
  act: Act;
  incident?: Incident;
}

export interface LifePlan {
  seed: number;
  trouble: Trouble;
  phones: 1 | 2;
  steps: Step[];
  ending: Ending;
  /** Which phone gets its network back first. */
  first_back: 0 | 1;
  /** Of the pages that a portal answers. */
  portal_status: number;
  /** How far the phone's clock is from the right time, days. */
  clock_days: 0 | 3 | -3;
}

const DAYS = [0, 3, -3] as const;
export const PORTAL_STATUSES = [200, 401, 403, 404, 502, 503] as const;
const STEPS = 7;
const ENDINGS = ['cold_start', 'online', 'front', 'wait', 'no_page'] as const;
const NETWORKS: readonly [NetworkState, ...NetworkState[]] = [
  'good',
  'good',
  'no_network',
  'unreachable',
  'hang',
  'latency',
  'cut',
  'portal',
  'redirect',
  'loss',
  'flips',
];
const OWN_NETWORK: Partial<Record<Trouble, NetworkState>> = {
  flips: 'flips',
  'replies cut': 'cut',
  portal: 'portal',
  redirect: 'redirect',
  hang: 'hang',
  latency: 'latency',
  loss: 'loss',
};

/** Plans the life of a seed: neighbouring seeds have different troubles, each of them in turn. */
export function planLife(seed: number): LifePlan {
  const random = createRandom(seed);
  const trouble = TROUBLES[seed % TROUBLES.length] ?? 'flips';
  const phones = trouble === 'two phones' ? 2 : 1;
  const steps = planActs(random, phones);
  planNetworks(random, steps, trouble);
  planIncidents(random, steps, { trouble, turn: Math.floor(seed / TROUBLES.length) });
  return {
    seed,
    trouble,
    phones,
    steps,
    ending: trouble === 'sync without a page' ? 'no_page' : random.pick(ENDINGS),
    first_back: phones === 2 ? firstBackOf(seed, steps) : random.pick([0, 1]),
    // A portal that answers 200 tells least: the others have their turns, too.
    portal_status: PORTAL_STATUSES[Math.floor(seed / TROUBLES.length) % PORTAL_STATUSES.length] ?? 401,
    clock_days: trouble === 'clock' ? random.pick(DAYS) : random.chance(0.1) ? random.pick(DAYS) : 0,
  };
}

/** Of neighbouring lives with two phones, the phone that began first comes back first in one, and the other in the next. */
function firstBackOf(seed: number, [first]: Step[]): 0 | 1 {
  const is_in_order = Math.floor(seed / TROUBLES.length) % 2 === 0;
  return (first?.phone === 0) === is_in_order ? 0 : 1;
}

/** Acts in an order that makes sense; one that is not possible when its time comes is replaced by a possible one. */
function planActs(random: Random, phones: 1 | 2): Step[] {
  const acts: Act[] = ['start'];
  while (acts.length < STEPS) {
    const previous = acts.at(-1);
    if (previous === 'finish' && random.chance(0.3)) acts.push('undo_finish');
    else if (previous === 'delete' && random.chance(0.4)) acts.push('undo_delete');
    else
      acts.push(
        random.pick([
          'start',
          'start',
          'finish',
          'finish',
          'delete',
          'message',
          'message',
          'reload',
          'new_page',
          'cold_start',
        ]),
      );
  }
  return acts.map((act) => ({ act, phone: phones === 2 ? random.pick([0, 1]) : 0 }));
}

function planNetworks(random: Random, steps: Step[], trouble: Trouble): void {
  const own = OWN_NETWORK[trouble];
  steps.forEach((step, index) => {
    // The trouble's network from the first act on; sometimes another one, so that it also ends and begins.
    if (index === 0) step.network = own ?? random.pick(NETWORKS);
    else if (random.chance(0.35)) step.network = own && random.chance(0.6) ? own : random.pick(NETWORKS);
  });
}

type Change = (index: number, changes: Partial<Step>) => void;

interface Turn {
  trouble: Trouble;
  /** Counts the lives with this trouble. */
  turn: number;
}

function planIncidents(random: Random, steps: Step[], { trouble, turn }: Turn): void {
  const at: Change = (index, changes) => void Object.assign(steps[index] ?? {}, changes);
  for (const step of steps) if (random.chance(0.08)) step.incident = random.pick(['kill_at_tap', 'kill_after']);
  switch (trouble) {
    case 'browser killed':
      for (let index = 1; index < STEPS; index += 2)
        at(index, { incident: random.pick(['kill_at_tap', 'kill_after']) });
      return;
    case 'server killed':
      at(1, { incident: 'kill_server', network: 'good' });
      at(4, { incident: 'kill_server', network: random.pick(['good', 'cut']) });
      return;
    case 'worker updated':
      // No update is offered while an activity runs.
      at(1, { act: 'finish' });
      at(2, { incident: 'new_version', act: 'message', network: 'good' });
      at(3, { incident: 'new_version_and_kill', act: 'start' });
      at(4, { act: 'finish' });
      at(5, { incident: 'new_version', network: 'good' });
      return;
    case 'upgrade of the cache fails':
      at(2, { incident: 'failing_upgrade' });
      at(5, { incident: 'failing_upgrade', network: random.pick(['no_network', 'unreachable']) });
      return;
    case 'device full':
      at(1, { incident: 'fill_storage', network: 'no_network' });
      at(STEPS - 1, { incident: 'free_storage' });
      return;
    case 'another user signs in':
      // Something is left for the owner.
      at(1, { act: 'message', network: 'no_network' });
      at(2, { incident: 'other_user', network: random.pick(['no_network', 'unreachable', 'hang']) });
      return;
    case 'clock':
      planClock(at, turn);
      return;
    case 'two phones':
      planTwoPhones(at, random.pick([0, 1] as const), random);
      return;
    case 'sync without a page':
      at(2, { incident: 'sync_without_page', network: random.pick(['no_network', 'cut', 'portal', 'hang']) });
      at(4, { incident: 'sync_without_page', network: 'good' });
      // Something is left for the worker at the end.
      at(STEPS - 1, { act: 'message', network: 'no_network' });
      return;
  }
}

/** By turns, the clock is set with a network, which the app notices at once, and before a finish or a start without one. */
function planClock(at: Change, turn: number): void {
  const offline = { incident: 'set_clock_offline', network: 'no_network' } as const;
  if (turn % 2 === 0) at(3, { incident: 'set_clock' });
  else if (turn % 4 === 1) at(1, { act: 'finish', ...offline });
  else {
    at(1, { act: 'finish' });
    at(2, { act: 'start', ...offline });
    at(3, { act: 'finish' });
  }
}

/** Both begin without knowing of each other, in either order. */
function planTwoPhones(at: Change, first: 0 | 1, random: Random): void {
  at(0, { act: 'start', phone: first, network: random.pick(['no_network', 'unreachable', 'hang']) });
  at(1, { act: 'start', phone: first === 0 ? 1 : 0, network: random.pick(['good', 'no_network', 'unreachable']) });
}
