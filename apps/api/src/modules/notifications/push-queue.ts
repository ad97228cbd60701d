import { systemTimer, type Timer } from '#api/platform/timer.ts';
import type { Push, PushOutcome } from './push-client.ts';
import { count, createPushPlaces } from './push-places.ts';
import { createRefusals } from './refusals.ts';
import type { Subscription } from './store.ts';

/** Under way, and waiting. A push that finds no room is dropped: the app itself shows everything. */
const MAX_PUSHES = 5_000;
const MAX_PUSHES_OF_USER = 50;
const RETRY_AFTER_MS = [1_000, 5_000, 25_000];
const MAX_RETRY_AFTER_MS = 60_000;
/** An origin that hangs is left alone for so long. */
const HOLD_MS = 30_000;
/** What waited longer is looked at again before it is sent. */
const FRESH_MS = 500;

export interface PushQueue {
  add(push: Push): void;
  /** Resolves when nothing is under way; those that wait for another try or for their origin are left out. */
  drain(): Promise<void>;
  /** Ends what is under way. */
  close(): void;
}

interface PushQueueOptions {
  send: (push: Push, signal: AbortSignal) => Promise<PushOutcome>;
  /** Whether a push that had to wait is still to be sent. */
  isNews: (push: Push) => Promise<boolean>;
  /** There is nobody at this subscription any more. */
  onGone: (subscription: Subscription) => Promise<void>;
  log: { warn(fields: object, text: string): void };
  retry_after_ms?: number[];
  max_pushes?: number;
  hold_ms?: number;
  timer?: Timer;
}

interface Waiting {
  push: Push;
  failures: number;
  /** By the timer. */
  since: number;
}

/** Pushes on their way, some at a time, with a few more tries where the push service has no time. */
export function createPushQueue(options: PushQueueOptions): PushQueue {
  const { log, max_pushes = MAX_PUSHES, hold_ms = HOLD_MS, timer = systemTimer } = options;
  const stop = new AbortController();
  const attempt = createAttempts(options, timer, stop.signal);
  const places = createPushPlaces(hold_ms, timer);
  const of_user = new Map<string, number>();
  let waiting: Waiting[] = [];
  let pushes = 0;
  let idle: (() => void)[] = [];

  /** Ends a push, sent or not. */
  function finish({ subscription: { user_id } }: Push): void {
    count(of_user, user_id, -1);
    pushes -= 1;
  }

  function work(): void {
    if (stop.signal.aborted) waiting = [];
    if (!places.hasRoom()) return;
    // In order, without those whose origin or user has no place.
    const left: Waiting[] = [];
    for (const each of waiting) {
      if (places.hasRoom() && places.enter(each.push)) void run(each);
      else left.push(each);
    }
    waiting = left;
    if (places.under_way > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  }

  async function run(each: Waiting): Promise<void> {
    const { push } = each;
    const { again_ms, hung } = await attempt(each).catch((error: unknown) => {
      log.warn({ err: error }, 'a push was lost');
      return DONE;
    });
    places.leave(push);
    if (again_ms === null) finish(push);
    else timer.after(again_ms, () => again(each));
    if (hung) void places.hold(push).then(work);
    work();
  }

  function again({ push, failures }: Waiting): void {
    waiting.push({ push, failures: failures + 1, since: timer.now() });
    work();
  }

  return {
    add(push) {
      const { user_id } = push.subscription;
      if (stop.signal.aborted || pushes >= max_pushes || (of_user.get(user_id) ?? 0) >= MAX_PUSHES_OF_USER) return;
      count(of_user, user_id, 1);
      pushes += 1;
      waiting.push({ push, failures: 0, since: timer.now() });
      work();
    },
    drain: () => new Promise((resolve) => (places.under_way === 0 ? resolve() : idle.push(resolve))),
    close: () => stop.abort(),
  };
}

/** In how many ms to try again, null for not; and whether the origin hung. */
interface Attempted {
  again_ms: number | null;
  hung: boolean;
}

const DONE: Attempted = { again_ms: null, hung: false };

/** Sends a push once. */
function createAttempts(
  { send, isNews, onGone, log, retry_after_ms = RETRY_AFTER_MS }: PushQueueOptions,
  timer: Timer,
  signal: AbortSignal,
): (waiting: Waiting) => Promise<Attempted> {
  const refusals = createRefusals();
  return async ({ push, failures, since }) => {
    const has_waited = failures > 0 || timer.now() - since > FRESH_MS;
    if (has_waited && !(await isNews(push))) return DONE;
    const done = await send(push, signal);
    if (done.outcome === 'sent') refusals.note(push);
    if (done.outcome === 'gone') await onGone(push.subscription);
    if (done.outcome === 'refused') {
      // Not the address: whoever knows it can send there.
      log.warn({ reason: done.reason }, 'a push service refused a push');
      if (done.for_good && refusals.isLast(push)) await onGone(push.subscription);
    }
    if (done.outcome !== 'later' && done.outcome !== 'hung') return DONE;
    const asked_ms = done.outcome === 'later' ? (done.after_ms ?? 0) : 0;
    const hung = done.outcome === 'hung';
    const usual_ms = retry_after_ms[failures];
    if (usual_ms === undefined || asked_ms > MAX_RETRY_AFTER_MS) return { again_ms: null, hung };
    return { again_ms: Math.max(asked_ms, usual_ms * (0.5 + Math.random())), hung };
  };
}
