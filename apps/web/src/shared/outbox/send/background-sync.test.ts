import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  canSendWhenClosed,
  registerBackgroundSync,
  requestBackgroundSync,
  type SendOutbox,
  type SyncScope,
  stopBackgroundSync,
  watchBackgroundSync,
} from './background-sync.ts';

/** A page as the worker and the page's own code see it; returns what it shows of the worker's sending. */
function openPage(visibilityState: 'visible' | 'hidden' = 'hidden') {
  const told: unknown[] = [];
  const shown: string[] = [];
  const listeners: ((event: MessageEvent) => void)[] = [];
  watchBackgroundSync(
    { addEventListener: (_, listener) => listeners.push(listener) },
    (status) => void shown.push(status),
  );
  return {
    told,
    shown,
    visibilityState,
    postMessage(data: unknown) {
      told.push(data);
      for (const listener of listeners) listener({ data } as MessageEvent);
    },
  };
}

/** A worker with these pages. `fire` returns the work that the browser waits for; null: the event is not handled. */
function startWorker(sendOutbox: SendOutbox, pages: ReturnType<typeof openPage>[] = []) {
  const worker = new EventTarget();
  const scope: SyncScope = {
    addEventListener: (type, listener) => worker.addEventListener(type, listener as unknown as EventListener),
    clients: { matchAll: async () => pages },
  };
  registerBackgroundSync(scope, sendOutbox);
  return {
    fire(type: 'sync' | 'push', tag = 'sync-offline-data'): Promise<unknown> | null {
      const work: Promise<unknown>[] = [];
      const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
      worker.dispatchEvent(Object.assign(new Event(type), { tag, waitUntil }));
      return work[0] ?? null;
    },
    postMessage: (data: unknown) => void worker.dispatchEvent(new MessageEvent('message', { data })),
  };
}

/** Finds something that waits, and sends it with this outcome. */
const sends =
  (outcome: Awaited<ReturnType<SendOutbox>>): SendOutbox =>
  async (onBegin) => {
    onBegin();
    return outcome;
  };

describe('the browser tries again later', () => {
  test('when something could not be sent, and the pages get a message [spec 7.worker.sync-error]', async () => {
    const page = openPage();
    await expect(startWorker(sends('failed'), [page]).fire('sync')).rejects.toThrow('not everything was sent');
    expect(page.told).toEqual([{ type: 'SYNC_START' }, { type: 'SYNC_ERROR' }]);
    expect(page.shown).toEqual(['syncing', 'error']);
  });

  test("when the outbox's database fails", async () => {
    const page = openPage();
    const worker = startWorker(
      async (onBegin) => {
        onBegin();
        throw new Error('the disk is gone');
      },
      [page],
    );
    await expect(worker.fire('sync')).rejects.toThrow('the disk is gone');
    expect(page.shown).toEqual(['syncing', 'error']);
  });

  test('when a new version is to follow the worker, which would wait for a network that hangs', async () => {
    const worker = startWorker(() => new Promise(() => {}));
    const woken = worker.fire('sync');
    worker.postMessage({ type: 'SOMETHING_ELSE' });
    stopBackgroundSync(worker);
    await expect(woken).rejects.toThrow('the worker is to end');
    await expect(worker.fire('sync')).rejects.toThrow('the worker is to end');
  });
});

test('another tag is ignored', () => {
  const sendOutbox = vi.fn(sends('done'));
  expect(startWorker(sendOutbox).fire('sync', 'periodic-news')).toBeNull();
  expect(sendOutbox).not.toHaveBeenCalled();
});

test('the worker sends without a page, and the event ends [spec 7.worker.sync-tag]', async () => {
  const sendOutbox = vi.fn(sends('done'));
  await expect(startWorker(sendOutbox).fire('sync')).resolves.toBeUndefined();
  expect(sendOutbox).toHaveBeenCalledOnce();
});

test('the pages get a message at the begin and at the end of the sending [spec 7.worker.sync-start, 7.worker.sync-success]', async () => {
  const pages = [openPage('hidden'), openPage('visible')];
  await startWorker(sends('done'), pages).fire('sync');
  for (const page of pages) {
    expect(page.told).toEqual([{ type: 'SYNC_START' }, { type: 'SYNC_SUCCESS' }]);
    expect(page.shown).toEqual(['syncing', 'success']);
  }
});

test('a page gets no message while nothing waits', async () => {
  const page = openPage();
  await startWorker(async () => 'done', [page]).fire('sync');
  page.postMessage({ type: 'SOMETHING_ELSE' });
  expect(page.shown).toEqual([]);
});

test('signed out, the event ends: the next sign-in sends the waiting work', async () => {
  const page = openPage();
  await expect(startWorker(sends('signed_out'), [page]).fire('sync')).resolves.toBeUndefined();
  expect(page.shown).toEqual(['syncing', 'error']);
});

test('a push sends, too, unless a page is visible: not every browser has Background Sync', async () => {
  const sendOutbox = vi.fn(sends('failed'));
  await startWorker(sendOutbox, [openPage('hidden'), openPage('visible')]).fire('push');
  expect(sendOutbox).not.toHaveBeenCalled();
  // Its notification must not depend on the sending.
  await expect(startWorker(sendOutbox, [openPage('hidden')]).fire('push')).resolves.toBeUndefined();
  await expect(startWorker(sendOutbox).fire('push')).resolves.toBeUndefined();
  expect(sendOutbox).toHaveBeenCalledTimes(2);
});

test('the wake-up is registered under the tag of the spec, and a browser that refuses is no failure [spec 7.worker.sync-tag]', async () => {
  const tags: string[] = [];
  const container = (register: (tag: string) => Promise<void>) => ({
    ready: Promise.resolve({ sync: { register } }),
  });
  await requestBackgroundSync(container(async (tag) => void tags.push(tag)));
  expect(tags).toEqual(['sync-offline-data']);
  await requestBackgroundSync(container(() => Promise.reject(new Error('not allowed'))));
  await requestBackgroundSync({ ready: Promise.resolve({}) });
});

describe('a browser without Background Sync', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test('sends only while the app is open', () => {
    expect(canSendWhenClosed()).toBe(false);
    vi.stubGlobal('SyncManager', class {});
    expect(canSendWhenClosed()).toBe(true);
  });
});
