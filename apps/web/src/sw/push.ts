import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { listPages, type PageScope } from '#web/shared/device/list-pages.ts';
import { activityPath, chatPath, PATHS } from '#web/shared/paths.ts';
import { fallbackText, notificationText } from './push-texts.ts';

/** After this time a page counts as not answering: it is frozen, or has no signed-in user. */
const ANSWER_TIMEOUT_MS = 1_000;
/** Shorter, as the user who tapped is waiting. */
const TAP_TIMEOUT_MS = 500;
const ICON = '/icons/icon-192.png';

interface PushEvent {
  data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickEvent {
  notification: { data?: unknown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

interface AppPage {
  visibilityState: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: MessagePort[]): void;
}

/** The used part of ServiceWorkerGlobalScope. */
export interface PushScope {
  addEventListener: (type: string, listener: (event: never) => void) => void;
  clients: PageScope<AppPage>['clients'] & { openWindow: (path: string) => Promise<unknown> };
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  navigator: { userAgent: string };
}

/** The target of a notification. `chat_id`: opens a chat, which has no page of its own. */
interface NotificationTarget {
  path: string;
  chat_id: string | null;
}

/** For the service worker: shows pushes while no page of the app is visible, and opens their target on a tap. */
export function registerPush(scope: PushScope): void {
  scope.addEventListener('push', (event: PushEvent) => event.waitUntil(handlePush(scope, parsePayload(event))));
  scope.addEventListener('notificationclick', (event: ClickEvent) => {
    event.notification.close();
    event.waitUntil(openTarget(scope, readTarget(event.notification.data)));
  });
  scope.addEventListener('pushsubscriptionchange', (event: ClickEvent) =>
    event.waitUntil(postToPages(scope, { type: 'PUSH_CHANGED' })),
  );
}

function parsePayload({ data }: PushEvent): PushPayload | null {
  try {
    return data?.json() as PushPayload;
  } catch {
    return null;
  }
}

async function handlePush(scope: PushScope, payload: PushPayload | null): Promise<void> {
  const pages = await listPages(scope);
  const visible_pages = pages.filter(({ visibilityState }) => visibilityState === 'visible');
  // A page must answer that it shows the push: a kiosk does not, nor a screen on which the user's hands are full.
  const answers = await Promise.all(
    visible_pages.map((page) => postAndAwaitReply(page, { type: 'PUSH', payload }, ANSWER_TIMEOUT_MS)),
  );
  const is_handled = answers.includes(true);
  // Safari revokes the permission if a push shows no notification, even while the app is open.
  const must_show = /AppleWebKit/.test(scope.navigator.userAgent) && !/Chrom/.test(scope.navigator.userAgent);
  if (is_handled && !must_show) return;
  const target = targetOf(payload);
  const { title, body } = payload === null ? fallbackText(payload) : notificationText(payload);
  await scope.registration.showNotification(title, {
    body,
    icon: ICON,
    badge: ICON,
    // A later message of the same chat replaces it and alerts again. The app removes it once the chat was read.
    tag: target.chat_id ?? target.path,
    renotify: true,
    ...(is_handled ? { silent: true, renotify: false } : {}),
    ...(typeof payload?.at === 'number' ? { timestamp: payload.at } : {}),
    data: target,
  });
}

function targetOf(payload: PushPayload | null): NotificationTarget {
  if (payload?.kind === 'message') return { path: chatPath(payload.chat_id), chat_id: payload.chat_id };
  if (payload?.kind === 'friend_request' || payload?.kind === 'friend_accepted') {
    return { path: PATHS.friends, chat_id: null };
  }
  if (payload?.kind === 'activity_validated' || payload?.kind === 'activity_rejected') {
    return { path: activityPath(payload.activity_id), chat_id: null };
  }
  return { path: PATHS.dashboard, chat_id: null };
}

function readTarget(data: unknown): NotificationTarget {
  const { path, chat_id } = (data ?? {}) as Partial<NotificationTarget>;
  return { path: path ?? PATHS.dashboard, chat_id: chat_id ?? null };
}

/** Focuses an open page with a signed-in user, a visible one first; else opens a new window. */
async function openTarget(scope: PushScope, target: NotificationTarget): Promise<void> {
  const pages = (await listPages(scope)).toSorted((a, b) => visibilityOrder(a) - visibilityOrder(b));
  // In parallel: each frozen page would add another timeout.
  const answers = await Promise.all(
    pages.map((page) => postAndAwaitReply(page, { type: 'IS_SIGNED_IN' }, TAP_TIMEOUT_MS)),
  );
  const page = pages.find((_, nth) => answers[nth]);
  if (!page) return void (await scope.clients.openWindow(target.path));
  page.postMessage({ type: 'OPEN_NEWS', ...target }, []);
  await page.focus().catch(() => {});
}

const visibilityOrder = ({ visibilityState }: AppPage) => (visibilityState === 'visible' ? 0 : 1);

function postAndAwaitReply(page: AppPage, message: object, timeout_ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const finish = (answered: boolean) => {
      clearTimeout(timer);
      port1.close();
      resolve(answered);
    };
    const timer = setTimeout(() => finish(false), timeout_ms);
    port1.onmessage = () => finish(true);
    page.postMessage(message, [port2]);
  });
}

async function postToPages(scope: PushScope, message: object): Promise<void> {
  for (const page of await listPages(scope)) page.postMessage(message, []);
}
