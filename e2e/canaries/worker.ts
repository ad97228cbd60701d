import type { BrowserContext, Worker } from '@playwright/test';

/** Of the worker. */
interface Scope {
  opened: string[];
  clients: { openWindow(target: string): Promise<null> };
}

function workerOf(context: BrowserContext): Worker {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('this browser has no worker');
  return worker;
}

/** From now on, taps on notifications open nothing: their targets are recorded. */
export async function recordOpened(context: BrowserContext): Promise<void> {
  await workerOf(context).evaluate(() => {
    const scope = globalThis as unknown as Scope;
    scope.opened = [];
    scope.clients.openWindow = async (target) => {
      scope.opened.push(target);
      return null;
    };
  });
}

export function listOpened(context: BrowserContext): Promise<string[]> {
  return workerOf(context).evaluate(() => (globalThis as unknown as Scope).opened);
}

/** From now on, a notification leads to the `url` of its push. */
export async function acceptPushedUrl(context: BrowserContext): Promise<void> {
  await workerOf(context).evaluate(() => {
    let url = '';
    addEventListener('push', (event) => {
      url = (event as unknown as { data: { json(): { url: string } } }).data.json().url;
    });
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    prototype.showNotification = function showWithUrl(title, options) {
      return show.call(this, title, { ...options, data: { path: url, chat_id: null } });
    };
  });
}
