import { type BrowserContext, type CDPSession, expect, type Page, type Worker } from '@playwright/test';
import type { PushBrowser } from '../apps/api/test/push-endpoint.ts';

declare global {
  interface Window {
    /** Whether the page is subscribed, or that it is from now on; kept out here, so that a reload forgets nothing. */
    readSubscribed(change?: boolean): Promise<boolean>;
  }
}

/** Whether the browser still has a subscription, as its own settings would say. */
export interface LocalSubscription {
  isThere(): boolean;
}

/**
 * Lets the page subscribe at a push service on this machine: a browser without a screen reaches none of its own. It asks
 * as ever, and what it is given is as real as any.
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

/** Brings pushes to the service worker, as the browser's own push service does. */
export interface PushDoor {
  deliver(payload: object): Promise<void>;
  /**
   * How many notifications the worker has shown since the door was opened. Those shown are read only then: Chromium
   * forgets one that is asked for while it is being shown.
   */
  countShown(): Promise<number>;
}

export async function openPushDoor(context: BrowserContext, origin: string): Promise<PushDoor> {
  // A page of its own, which is none of the app: nobody looks at the app through it.
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

function findRegistration(session: CDPSession, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
    session.send('ServiceWorker.enable').catch(reject);
  });
}

/** What notifications of the app stand there, whether it is open or not. */
export async function readNotifications(context: BrowserContext): Promise<{ title: string; body: string }[]> {
  return workerOf(context).evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body }) => ({ title, body }));
  });
}

/** Takes away all that stands there. */
export async function closeNotifications(context: BrowserContext): Promise<void> {
  await workerOf(context).evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    for (const notification of await registration.getNotifications()) notification.close();
  });
}

/** Until a page answers the worker: what hears it comes after the screen, in no order with what else does. */
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
    // No longer than a tap waits.
    AbortSignal.timeout(500).addEventListener('abort', () => resolve(false));
    page.postMessage({ type: 'ANYBODY_HERE' }, [port2]);
    return promise;
  });
  return (await Promise.all(answers)).includes(true);
}

/** Taps the only notification that stands there. */
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
