import { pushes as measured_pushes } from '#api/platform/measurements.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import type { Push, PushOutcome } from './push-client.ts';
import type { Subscription } from './store.ts';

const MAX_CONCURRENT = 64;
/** In flight to one user: endpoints that never answer must not hold up everyone else. */
const MAX_CONCURRENT_OF_USER = 4;
/** Like `MAX_PUSHES`, per user. */
const MAX_PUSHES_OF_USER = 50;
/** Queued, in flight, or between two tries. Further pushes are dropped: the app itself shows everything. */
const MAX_PUSHES = 5_000;
/** Back-off before the second and the third try. */
const RETRY_AFTER_MS = [2_000, 20_000];
const MAX_RETRY_AFTER_MS = 60_000;
/** A push that was queued for longer is checked again before it is sent. */
const RECHECK_AFTER_MS = 500;

interface PushQueueOptions {
  send: (push: Push, signal: AbortSignal) => Promise<PushOutcome>;
  /** Whether a push that had to wait should still be sent. */
  isStillRelevant: (push: Push) => Promise<boolean>;
  /** Called if the push service no longer knows the subscription (404, 410). */
  onSubscriptionEnded: (subscription: Subscription) => Promise<void>;
  log: { warn(fields: object, text: string): void };
  retry_after_ms?: number[];
  max_pushes?: number;
  timer?: Timer;
}

interface QueuedPush {
  push: Push;
  failures: number;
  /** In the timer's ms. */
  queued_at_ms: number;
}

/** Sends pushes with a concurrency limit, a smaller one per user, and at most three tries each. */
export function createPushQueue(options: PushQueueOptions) {
  const { log, retry_after_ms = RETRY_AFTER_MS, max_pushes = MAX_PUSHES, timer = systemTimer } = options;
  const stop = new AbortController();
  const queue: QueuedPush[] = [];
  const in_flight = new Set<Promise<void>>();
  const in_flight_of_users = new Map<string, number>();
  const pushes_of_users = new Map<string, number>();
  let pushes = 0;

  function count(push: Push, change: 1 | -1): void {
    pushes += change;
    addTo(pushes_of_users, userOf(push), change);
  }

  function enqueue(push: Push, failures: number): void {
    if (stop.signal.aborted) return;
    queue.push({ push, failures, queued_at_ms: timer.now() });
    startNext();
  }

  function startNext(): void {
    if (in_flight.size >= MAX_CONCURRENT) return;
    const at = queue.findIndex(({ push }) => (in_flight_of_users.get(userOf(push)) ?? 0) < MAX_CONCURRENT_OF_USER);
    const [next] = at === -1 ? [] : queue.splice(at, 1);
    if (!next) return;
    addTo(in_flight_of_users, userOf(next.push), 1);
    const sending = send(next).finally(() => {
      in_flight.delete(sending);
      addTo(in_flight_of_users, userOf(next.push), -1);
      startNext();
    });
    in_flight.add(sending);
  }

  async function send(queued: QueuedPush): Promise<void> {
    const retry_ms = await attempt(queued).catch((error: unknown) => {
      log.warn({ err: error }, 'a push was lost');
      measured_pushes.report({ result: 'failed' });
      return undefined;
    });
    if (retry_ms === undefined) count(queued.push, -1);
    else timer.after(retry_ms, () => enqueue(queued.push, queued.failures + 1));
  }

  /** Sends a push once. Returns after how many ms to retry; undefined for never. */
  async function attempt({ push, failures, queued_at_ms }: QueuedPush): Promise<number | undefined> {
    const has_waited = failures > 0 || timer.now() - queued_at_ms > RECHECK_AFTER_MS;
    if (has_waited && !(await options.isStillRelevant(push))) {
      measured_pushes.report({ result: 'outdated' });
      return undefined;
    }
    const result = await options.send(push, stop.signal);
    measured_pushes.report({ result: result.outcome });
    if (result.outcome === 'gone') await options.onSubscriptionEnded(push.subscription);
    // Without the endpoint: knowing it is enough to send to this browser.
    if (result.outcome === 'refused') log.warn({ reason: result.reason }, 'a push service refused a push');
    const usual_ms = retry_after_ms[failures];
    if (result.outcome !== 'later' || usual_ms === undefined || result.after_ms > MAX_RETRY_AFTER_MS) return undefined;
    return Math.max(result.after_ms, usual_ms * (0.5 + Math.random()));
  }

  return {
    add(push: Push): void {
      if (stop.signal.aborted) return;
      if (pushes >= max_pushes || (pushes_of_users.get(userOf(push)) ?? 0) >= MAX_PUSHES_OF_USER) {
        measured_pushes.report({ result: 'dropped' });
        return;
      }
      count(push, 1);
      enqueue(push, 0);
    },
    /** Resolves when nothing is queued or in flight; does not wait for retries. */
    async drain(): Promise<void> {
      while (in_flight.size > 0) await Promise.all(in_flight);
    },
    /** Aborts pushes in flight and drops the rest. */
    close(): void {
      stop.abort();
      queue.length = 0;
    },
  };
}

const userOf = ({ subscription }: Push): string => subscription.user_id;

/** Adds to a user's count; removes a count of 0. */
function addTo(counts: Map<string, number>, user_id: string, change: number): void {
  const count = (counts.get(user_id) ?? 0) + change;
  if (count === 0) counts.delete(user_id);
  else counts.set(user_id, count);
}
