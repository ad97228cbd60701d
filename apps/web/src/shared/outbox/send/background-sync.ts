import { listPages, type PageScope } from '#web/shared/device/list-pages.ts';

/** Tag of the browser's Background Sync, and the messages about it (spec, section 7). */
const SYNC_TAG = 'sync-offline-data';
const SYNC_START = 'SYNC_START';
const SYNC_SUCCESS = 'SYNC_SUCCESS';
const SYNC_ERROR = 'SYNC_ERROR';
/** Our own message: tells the service worker to end its `sync` event. */
const SYNC_STOP = 'SYNC_STOP';

/** `signed_out`: the rows wait for the next sign-in. `failed`: something could not be sent now. */
export type SendOutcome = 'done' | 'signed_out' | 'failed';

/** Sends the outbox without a page. Calls `onBegin` only if something waits. */
export type SendOutbox = (onBegin: () => void) => Promise<SendOutcome>;

interface SyncEvent {
  tag: string;
  waitUntil: (work: Promise<unknown>) => void;
}

/** The part of ServiceWorkerGlobalScope that is used here; TypeScript has no `sync` event. */
export interface SyncScope extends PageScope<SyncClient> {
  addEventListener: (type: string, listener: (event: never) => void) => void;
}

interface SyncClient {
  visibilityState: string;
  postMessage: (message: unknown) => void;
}

/**
 * For the service worker: sends the outbox when the browser has a network again, and with each push that finds no page
 * visible, as not all browsers have Background Sync. The pages are told. A `sync` event rejects if something could not be
 * sent: the browser repeats it later.
 */
export function registerBackgroundSync(scope: SyncScope, sendOutbox: SendOutbox): void {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {}); // There may be no waiting handler.
  scope.addEventListener('sync', (event: SyncEvent) => {
    if (event.tag === SYNC_TAG) event.waitUntil(Promise.race([stopped.promise, sendAndTellPages(scope, sendOutbox)]));
  });
  scope.addEventListener('push', (event: Pick<SyncEvent, 'waitUntil'>) => {
    event.waitUntil(Promise.race([stopped.promise, sendIfUnattended(scope, sendOutbox)]).catch(() => {}));
  });
  scope.addEventListener('message', ({ data }: MessageEvent) => {
    if (data?.type === SYNC_STOP) stopped.reject(new Error('the worker is to end'));
  });
}

/**
 * For the page: ends the `sync` event of a worker that a new version replaces. Otherwise the worker would wait for an
 * unresponsive network, and the new version for the worker; the browser repeats the event later.
 */
export function stopBackgroundSync(worker: Pick<ServiceWorker, 'postMessage'> | null): void {
  worker?.postMessage({ type: SYNC_STOP });
}

async function sendIfUnattended(scope: SyncScope, sendOutbox: SendOutbox): Promise<void> {
  const pages = await listPages(scope);
  if (pages.every(({ visibilityState }) => visibilityState !== 'visible')) await sendAndTellPages(scope, sendOutbox);
}

async function sendAndTellPages(scope: SyncScope, sendOutbox: SendOutbox): Promise<void> {
  let has_begun = false;
  let outcome: SendOutcome = 'failed';
  try {
    outcome = await sendOutbox(() => {
      has_begun = true;
      void tellPages(scope, SYNC_START);
    });
  } finally {
    if (has_begun) await tellPages(scope, outcome === 'done' ? SYNC_SUCCESS : SYNC_ERROR);
  }
  if (outcome === 'failed') throw new Error('not everything was sent');
}

async function tellPages(scope: SyncScope, type: string): Promise<void> {
  for (const page of await listPages(scope)) page.postMessage({ type });
}

interface SyncContainer {
  addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
}

/** For the page: reports what the worker says of its sending. */
export function watchBackgroundSync(
  container: SyncContainer,
  onStatus: (status: 'syncing' | 'success' | 'error') => void,
): void {
  container.addEventListener('message', ({ data }: MessageEvent) => {
    if (data?.type === SYNC_START) onStatus('syncing');
    else if (data?.type === SYNC_SUCCESS) onStatus('success');
    else if (data?.type === SYNC_ERROR) onStatus('error');
  });
}

/** Returns whether the browser wakes the worker when there is a network. Safari and Firefox do not. */
export function canSendWhenClosed(): boolean {
  return 'SyncManager' in globalThis;
}

/** For the page: asks the browser to wake the worker when there is a network. */
export async function requestBackgroundSync({ ready }: { ready: Promise<object> }): Promise<void> {
  const registration = (await ready) as { sync?: { register: (tag: string) => Promise<void> } };
  // The user's settings or a private window may refuse it: the other triggers remain.
  await registration.sync?.register(SYNC_TAG).catch(() => {});
}
