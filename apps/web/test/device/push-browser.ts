import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { onTestFinished, vi } from 'vitest';
import { registerPush } from '#web/sw/push.ts';

const CHROMIUM = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
/** Two keys of the length that browsers use. */
const KEYS = { p256dh: new Uint8Array(65).fill(4), auth: new Uint8Array(16).fill(7) };

interface Options {
  /** The user's earlier decision. */
  permission?: NotificationPermission;
  /** The user's answer to the browser's prompt; `default`: they dismiss it. */
  answer?: NotificationPermission;
}

interface Shown {
  title: string;
  body: string;
}

/** A browser with notifications, as its page and its user see it. */
export interface PushBrowser {
  isSubscribed(): boolean;
  /** Returns the notifications on the device. */
  shown(): Shown[];
  /** Resolves once the page answers its worker: it starts to listen after the screen is drawn. */
  answered(): Promise<void>;
  /** Delivers a push to the worker; resolves once a page has taken it or the device shows it. */
  push(payload: PushPayload): Promise<void>;
}

/**
 * Installs notifications, subscriptions and a worker that runs the app's own push code on the device. Call it before
 * the app opens. Only the browser's parts are faked: its prompt, its push service and the delivery in between.
 */
export function installPushBrowser({ permission = 'default', answer = 'granted' }: Options = {}): PushBrowser {
  const container = new FakeContainer();
  const notifications = createNotifications();
  const subscriptions = createSubscriptions();
  const registration = {
    pushManager: subscriptions.manager,
    showNotification: notifications.show,
    getNotifications: notifications.list,
  };
  const ready = Promise.resolve(registration);
  Object.assign(container, { controller: {}, ready, getRegistration: () => ready });
  lend(navigator, 'serviceWorker', container);
  lend(globalThis, 'PushManager', class {});
  const asked = {
    permission,
    requestPermission: async () => {
      if (asked.permission === 'default') asked.permission = answer;
      return asked.permission;
    },
  };
  lend(globalThis, 'Notification', asked);
  return {
    isSubscribed: subscriptions.isSubscribed,
    shown: () => notifications.standing().map(({ title, body }) => ({ title, body })),
    answered: () => vi.waitFor(() => container.expectAnswer()),
    push: startWorker(container, registration),
  };
}

/** Receives the worker's messages for the page. */
class FakeContainer extends EventTarget {
  tell(data: unknown, ports: MessagePort[]): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: structuredClone(data), ports }));
  }

  expectAnswer(): void {
    const answers: unknown[] = [];
    const port = { postMessage: (answer: unknown) => void answers.push(answer) } as unknown as MessagePort;
    this.tell({ type: 'IS_SIGNED_IN' }, [port]);
    if (answers.length === 0) throw new Error('no page answers its worker');
  }
}

/** The app is the worker's only page, as long as it is open. */
function startWorker(
  container: FakeContainer,
  registration: Parameters<typeof registerPush>[0]['registration'],
): PushBrowser['push'] {
  const page = {
    get visibilityState() {
      return document.visibilityState;
    },
    focus: async () => {},
    postMessage: (message: unknown, ports: MessagePort[]) => container.tell(message, ports),
  };
  const listeners = new Map<string, (event: object) => void>();
  registerPush({
    addEventListener: (type, listener) => void listeners.set(type, listener as (event: object) => void),
    clients: { matchAll: async () => [page], openWindow: async () => {} },
    registration,
    navigator: { userAgent: CHROMIUM },
  });
  return async (payload) => {
    const work: Promise<unknown>[] = [];
    const data = { json: () => structuredClone(payload) };
    listeners.get('push')?.({ data, waitUntil: (one: Promise<unknown>) => void work.push(one) });
    await Promise.all(work);
  };
}

function createNotifications() {
  let standing: (Shown & { tag: string; close(): void })[] = [];
  return {
    standing: () => standing,
    /** Replaces a notification of the same tag. */
    async show(title: string, options: object): Promise<void> {
      const { body, tag } = options as { body: string; tag: string };
      const close = () => {
        standing = standing.filter((one) => one !== notification);
      };
      const notification = { title, body, tag, close };
      standing = [...standing.filter((one) => one.tag !== tag), notification];
    },
    list: async ({ tag }: { tag?: string } = {}) => standing.filter((one) => tag === undefined || one.tag === tag),
  };
}

function createSubscriptions() {
  let current: object | null = null;
  let made = 0;
  async function subscribe({ userVisibleOnly, applicationServerKey }: PushSubscriptionOptionsInit) {
    if (!userVisibleOnly || !applicationServerKey) throw new TypeError('browsers refuse this');
    made += 1;
    current = {
      endpoint: `https://push.test/${made}`,
      getKey: (name: keyof typeof KEYS) => KEYS[name].buffer,
      async unsubscribe() {
        current = null;
        return true;
      },
    };
    return current;
  }
  return { isSubscribed: () => current !== null, manager: { getSubscription: async () => current, subscribe } };
}

/** Sets a property until the end of the test. */
function lend(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(owner, name));
}
