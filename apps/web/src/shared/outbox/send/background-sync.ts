/** Tag of the browser's Background Sync, and the messages about it (spec, section 7). */
const SYNC_TAG = 'sync-offline-data';
const SYNC_START = 'SYNC_START';
const SYNC_SUCCESS = 'SYNC_SUCCESS';
const SYNC_ERROR = 'SYNC_ERROR';
/** Our own message: tells the service worker to stop waiting for an answer. */
const SYNC_STOP = 'SYNC_STOP';

/** A page that does not answer (frozen, crashed) must not keep the worker alive. */
const ANSWER_TIMEOUT_MS = 30_000;

interface SyncEvent {
  tag: string;
  waitUntil: (work: Promise<unknown>) => void;
}

/** The part of ServiceWorkerGlobalScope that is used here; TypeScript has no `sync` event. */
export interface SyncScope {
  addEventListener: (type: string, listener: (event: never) => void) => void;
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly SyncClient[]>;
  };
}

interface SyncClient {
  postMessage: (message: unknown, transfer: MessagePort[]) => void;
}

/**
 * For the service worker: when the browser has a network again, asks a page to send the outbox. Only pages have access
 * tokens, so without an open page the promise rejects and the browser retries later.
 */
export function registerBackgroundSync(scope: SyncScope): void {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {}); // There may be no waiting handler.
  scope.addEventListener('sync', (event: SyncEvent) => {
    if (event.tag === SYNC_TAG) event.waitUntil(Promise.race([stopped.promise, requestFlushFromPages(scope)]));
  });
  scope.addEventListener('message', ({ data }: MessageEvent) => {
    if (data?.type === SYNC_STOP) stopped.reject(new Error('the worker is to end'));
  });
}

/**
 * For the page: ends the `sync` event of a worker that a new version replaces. Otherwise the worker would wait for a
 * page that sends on an unresponsive network, and the new version for the worker; the browser repeats the event later.
 */
export function stopBackgroundSync(worker: Pick<ServiceWorker, 'postMessage'> | null): void {
  worker?.postMessage({ type: SYNC_STOP });
}

async function requestFlushFromPages({ clients }: SyncScope): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.length === 0) throw new Error('no page is open');
  await Promise.any(pages.map(requestFlushFromPage));
}

function requestFlushFromPage(page: SyncClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_TIMEOUT_MS);
    port1.onmessage = ({ data }: MessageEvent<{ type: string }>) => {
      clearTimeout(timer);
      port1.close();
      if (data.type === SYNC_SUCCESS) resolve();
      else reject(new Error(data.type));
    };
    page.postMessage({ type: SYNC_START }, [port2]);
  });
}

interface SyncContainer {
  ready: Promise<object>;
  addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
}

/** For the page: answers the worker's SYNC_START with the result of the sending. */
export function handleBackgroundSync(container: SyncContainer, send: () => Promise<boolean>): void {
  container.addEventListener('message', ({ data, ports }: MessageEvent) => {
    if (data?.type !== SYNC_START) return;
    void send().then((sent) => ports[0]?.postMessage({ type: sent ? SYNC_SUCCESS : SYNC_ERROR }));
  });
}

/** For the page: asks the browser to wake the worker when there is a network. Safari and Firefox do not support it. */
export async function requestBackgroundSync(container: SyncContainer): Promise<void> {
  const registration = (await container.ready) as { sync?: { register: (tag: string) => Promise<void> } };
  // The user's settings or a private window may refuse it: the other triggers remain.
  await registration.sync?.register(SYNC_TAG).catch(() => {});
}
