import { describe, expect, test, vi } from 'vitest';
import {
  handleBackgroundSync,
  registerBackgroundSync,
  requestBackgroundSync,
  type SyncScope,
  stopBackgroundSync,
} from './background-sync.ts';

/** A page as the service worker and the page's own code see it: a posted message arrives as an event. */
function openPage(send: () => Promise<boolean>, heard: unknown[] = []) {
  const listeners: ((event: MessageEvent) => void)[] = [];
  handleBackgroundSync(
    { ready: Promise.resolve({}), addEventListener: (_, listener) => listeners.push(listener) },
    send,
  );
  return {
    postMessage(data: unknown, ports: MessagePort[]) {
      heard.push(data);
      for (const listener of listeners) listener({ data, ports } as unknown as MessageEvent);
    },
  };
}

/** The service worker's side: returns the promise that the browser waits for, or null for an event with another tag. */
function wake(pages: ReturnType<typeof openPage>[], tag = 'sync-offline-data', worker = new EventTarget()) {
  const work: Promise<unknown>[] = [];
  const scope: SyncScope = {
    addEventListener(type, listener) {
      worker.addEventListener(type, listener as EventListener);
      const event = { tag, waitUntil: (promise: Promise<unknown>) => void work.push(promise) };
      if (type === 'sync') listener(event as never);
    },
    clients: { matchAll: async () => pages },
  };
  registerBackgroundSync(scope);
  return work[0] ?? null;
}

describe('the browser tries again later', () => {
  test('when no page is open, for only pages can sign in', async () => {
    await expect(wake([])).rejects.toThrow('no page is open');
  });

  test('when every page says that it could not send [spec 7.worker.sync-error]', async () => {
    await expect(wake([openPage(async () => false)])).rejects.toMatchObject({
      errors: [new Error('SYNC_ERROR')],
    });
  });

  test('when a new version is to follow the worker, which would wait for a page that is still sending', async () => {
    const worker = new EventTarget();
    const woken = wake([openPage(() => new Promise(() => {}))], 'sync-offline-data', worker);
    worker.dispatchEvent(new MessageEvent('message', { data: { type: 'SOMETHING_ELSE' } }));
    stopBackgroundSync({
      postMessage: (data: unknown) => void worker.dispatchEvent(new MessageEvent('message', { data })),
    });
    await expect(woken).rejects.toThrow('the worker is to end');
    const later: Promise<unknown>[] = [];
    const event = { tag: 'sync-offline-data', waitUntil: (work: Promise<unknown>) => void later.push(work) };
    worker.dispatchEvent(Object.assign(new Event('sync'), event));
    await expect(later[0]).rejects.toThrow('the worker is to end');
  });
});

test('another tag is ignored', () => {
  expect(wake([openPage(async () => true)], 'periodic-news')).toBeNull();
});

test('a page is asked by SYNC_START and answers SYNC_SUCCESS, which ends the wake-up [spec 7.worker.sync-start, 7.worker.sync-success]', async () => {
  const heard: unknown[] = [];
  const answered: unknown[] = [];
  const page = openPage(async () => true, heard);
  const port = { postMessage: (message: unknown) => answered.push(message) } as unknown as MessagePort;
  await expect(wake([page])).resolves.toBeUndefined();
  expect(heard).toEqual([{ type: 'SYNC_START' }]);
  page.postMessage({ type: 'SYNC_START' }, [port]);
  page.postMessage({ type: 'SOMETHING_ELSE' }, [port]);
  await Promise.resolve();
  expect(answered).toEqual([{ type: 'SYNC_SUCCESS' }]);
});

test('a page that never answers does not keep the wake-up from ending when another page has sent', async () => {
  const frozen = openPage(() => new Promise(() => {}));
  const awake = openPage(async () => true);
  const onEnd = vi.fn();
  void wake([frozen, awake])?.then(onEnd);
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(1));
});

test('the wake-up is asked for under the tag of the spec, and a browser that refuses is no failure [spec 7.worker.sync-tag]', async () => {
  const tags: string[] = [];
  const container = (register: (tag: string) => Promise<void>) => ({
    ready: Promise.resolve({ sync: { register } }),
    addEventListener: () => {},
  });
  await requestBackgroundSync(container(async (tag) => void tags.push(tag)));
  expect(tags).toEqual(['sync-offline-data']);
  await requestBackgroundSync(container(() => Promise.reject(new Error('not allowed'))));
  await requestBackgroundSync({ ready: Promise.resolve({}), addEventListener: () => {} });
});
