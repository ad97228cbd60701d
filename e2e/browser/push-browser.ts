import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test';
import type { PushBrowser } from '../../apps/api/test/push-endpoint.ts';
import { findRegistration } from './sync-trigger.ts';

declare global {
  interface Window {
    /** Returns whether the page is subscribed, or sets it; stored outside the page, so that a reload keeps it. */
    readSubscribed(change?: boolean): Promise<boolean>;
  }
}

/** Whether the browser still has a subscription, as its own settings would show. */
export interface LocalSubscription {
  isThere(): boolean;
}

/**
 * Makes the page subscribe at a push service on this machine: a headless browser reaches no push service of its own.
 * The page asks as usual, and gets a subscription as real as any.
 */
export async function subscribeLocally(page: Page, { subscription }: PushBrowser): Promise<LocalSubscription> {
  let is_there = false;
  await page.exposeFunction('readSubscribed', (change = is_there) => {
    is_there = change;
    return is_there;
  });
  await page.addInitScript((given) => {
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;
    const local = {
      endpoint: given.endpoint,
      getKey: (name: 'p256dh' | 'auth') => bytes(given.keys[name]),
      async unsubscribe() {
        await window.readSubscribed(false);
        return true;
      },
    } as PushSubscription;
    PushManager.prototype.getSubscription = async () => ((await window.readSubscribed()) ? local : null);
    PushManager.prototype.subscribe = async (options) => {
      if (!options?.userVisibleOnly || !options.applicationServerKey) throw new TypeError('browsers refuse this');
      await window.readSubscribed(true);
      return local;
    };
  }, subscription);
  return { isThere: () => is_there };
}

/** Delivers pushes to the service worker, as the browser's own push service does. */
export interface PushDriver {
  deliver(payload: object): Promise<void>;
  /**
   * Returns how many notifications the worker has shown so far. Read them only after that: Chromium forgets a
   * notification that is read while it is being shown.
   */
  countShown(): Promise<number>;
}

export async function openPushDriver(context: BrowserContext, origin: string): Promise<PushDriver> {
  // A blank page, not the app's, so that no page of the app is visible.
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const registration_id = await findRegistration(session, origin);
  const worker = workerOf(context);
  await worker.evaluate(countNotifications);
  return {
    async deliver(payload) {
      const data = JSON.stringify(payload);
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: registration_id, data });
    },
    countShown: () => worker.evaluate(() => (globalThis as unknown as { shown: number }).shown),
  };
}

function workerOf(context: BrowserContext): Worker {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('this browser has no worker');
  return worker;
}

/** Runs in the worker. */
function countNotifications(): void {
  const scope = Object.assign(globalThis, { shown: 0 });
  const { prototype } = ServiceWorkerRegistration;
  const show = prototype.showNotification;
  prototype.showNotification = async function showAndCount(...args) {
    await show.apply(this, args);
    scope.shown += 1;
  };
}

/** Returns the app's notifications that are shown, whether it is open or not. */
export async function readNotifications(context: BrowserContext): Promise<{ title: string; body: string }[]> {
  return workerOf(context).evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body }) => ({ title, body }));
  });
}

/** Closes all notifications. */
export async function closeNotifications(context: BrowserContext): Promise<void> {
  await workerOf(context).evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    for (const notification of await registration.getNotifications()) notification.close();
  });
}

/**
 * Waits until a page answers the worker: it starts to listen after the screen is drawn, in no fixed order with its
 * other work.
 */
export async function waitForAnswer(context: BrowserContext): Promise<void> {
  await expect.poll(() => workerOf(context).evaluate(isAnswered)).toBe(true);
}

/** Runs in the worker. */
async function isAnswered(): Promise<boolean> {
  const scope = globalThis as unknown as {
    clients: { matchAll(options: object): Promise<{ postMessage(word: object, ports: MessagePort[]): void }[]> };
  };
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = pages.map((page) => {
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    port1.onmessage = () => resolve(true);
    // The same timeout as a tap's.
    AbortSignal.timeout(500).addEventListener('abort', () => resolve(false));
    page.postMessage({ type: 'IS_SIGNED_IN' }, [port2]);
    return promise;
  });
  return (await Promise.all(answers)).includes(true);
}

/** Taps the only notification that is shown. */
export async function tapNotification(context: BrowserContext): Promise<void> {
  await workerOf(context).evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, options: object) => Event;
    };
    const [notification] = await scope.registration.getNotifications();
    dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  });
}
