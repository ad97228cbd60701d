import { syncActivities } from '@sendlap/contract/activities.ts';
import { createOutboxSender } from '#web/shared/outbox/outbox-sender.ts';
import { registerBackgroundSync, type SendOutbox } from '#web/shared/outbox/send/background-sync.ts';
import { createConnection } from './disk.ts';
import type { PageDeps } from './page.ts';
import { createPageLife } from './page-life.ts';
import { hasSessionKey, loadSessionKey, proofText } from './session-key.ts';

interface WorkerDeps
  extends Pick<
    PageDeps,
    'random' | 'moments' | 'see' | 'newId' | 'wallNow' | 'mistake' | 'disk' | 'network' | 'locks' | 'channels'
  > {
  hasPage: () => boolean;
}

/** The browser wakes the worker so soon, and so long after a failure. */
const WAKE_MS = 60_000;
const RETRY_MS = 300_000;
/** After so many failures the browser gives up. */
const MOST_TRIES = 3;
const KILL_CHANCE = 0.1;
/** Of a worker that waits for a slow network. */
const KILL_AFTER_MS = 20_000;

/** The service worker of a browser, and the Background Sync that wakes it. */
export function createWorker(deps: WorkerDeps) {
  const { random, moments, see, network } = deps;
  let life: Awaited<ReturnType<typeof startWorker>> | null = null;
  let tag: string | null = null;
  let failures = 0;
  let is_awake = false;

  function kill(is_crash = false): void {
    life?.end(is_crash);
    life = null;
  }

  function wakeWithin(limit_ms: number): void {
    moments.after(random.below(limit_ms), () => void wake());
  }

  async function wake(): Promise<void> {
    const woken_by = tag;
    if (woken_by === null) return;
    if (is_awake || !network.isOnline()) return wakeWithin(RETRY_MS);
    is_awake = true;
    // The worker of the last event may still be there.
    if (random.chance(0.5)) kill();
    life ??= await startWorker(deps);
    const { sync, ended } = life;
    if (random.chance(KILL_CHANCE)) moments.after(random.below(KILL_AFTER_MS), () => kill(true));
    tag = null;
    const is_done = await Promise.race([sync(woken_by), ended.then(() => false)]);
    is_awake = false;
    failures = is_done ? 0 : failures + 1;
    if (is_done || failures >= MOST_TRIES) return;
    tag ??= woken_by;
    see('worker wakes again');
    wakeWithin(RETRY_MS);
  }

  return {
    kill,
    /** As `SyncManager.register`. */
    async register(name: string): Promise<void> {
      if (tag !== null) return;
      tag = name;
      failures = 0;
      wakeWithin(WAKE_MS);
    },
  };
}

/** The app's own sender in one life of the worker, wired as `shared/outbox/worker-client.ts` wires it. */
async function startWorker(deps: WorkerDeps) {
  const { random, moments, see, newId, disk, network, channels } = deps;
  const { life, isUnanswered, end } = createPageLife(network);
  const opened = await disk.openDatabases();
  const { device } = opened;
  const connection = createConnection(opened.outbox, disk.isFull);
  const started_at = moments.now();
  const channel = channels.openFor<{ type: string }>('outbox', life);
  const locks = deps.locks.openFor(life);
  const sendOutbox = createOutboxSender({
    fetch: (path, init = {}) => life.fetch(String(path), init),
    base: '',
    locks,
    session_channel: channels.openFor('session', life),
    channel: {
      post(message) {
        if (message.type === 'results')
          see(deps.hasPage() ? 'worker sent beside a page' : 'worker sent without a page');
        channel.post(message);
      },
    },
    hasSessionKey: () => life.guard(() => hasSessionKey(device)),
    async createProof(_method, _path, now_ms) {
      const key = await life.guard(() => loadSessionKey(device));
      return key && proofText(key, newId(), now_ms);
    },
    isOnline: network.isOnline,
    open: () => life.guard(async () => connection.database),
    lock:
      deps.mistake === 'two runners'
        ? (work) => work()
        : (work) => locks.request('outbox', work) as ReturnType<typeof work>,
    lockChat: (_chat_id, work) => work(),
    now: deps.wallNow,
    monotonicNow: () => moments.now() - started_at,
    newId,
    random: () => random.below(1_000) / 1_000,
    wait: (delay_ms) => life.guard(() => new Promise((done) => void moments.after(delay_ms, done))),
  });
  return {
    ended: life.ended,
    sync: createSyncEvents(sendOutbox),
    end(is_crash: boolean): void {
      end();
      connection.crash();
      device.close();
      if (is_crash && isUnanswered(syncActivities.path)) see('crash between write and answer');
    },
  };
}

/** Returns what hands a `sync` event to the app's own listener. Resolves to false if the browser is to repeat it. */
function createSyncEvents(sendOutbox: SendOutbox): (tag: string) => Promise<boolean> {
  const listeners = new Map<string, (event: never) => void>();
  const scope = {
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    clients: { matchAll: async () => [] },
  };
  registerBackgroundSync(scope, sendOutbox);
  return async (tag) => {
    let work: Promise<unknown> = Promise.resolve();
    const waitUntil = (next: Promise<unknown>) => {
      work = next;
    };
    listeners.get('sync')?.({ tag, waitUntil } as never);
    return work.then(
      () => true,
      () => false,
    );
  };
}
