import { fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';
import { isIosSafari } from './install-prompt.ts';

/** The service worker is installed at the first visit; if it was refused, or lost, it never becomes ready. */
const WORKER_TIMEOUT_MS = 10_000;

/** The data with which the server reaches this browser while the app is closed; keys in base64url. */
export interface DeviceSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/**
 * This browser's push support. `uninstalled`: Apple's browser, which notifies only from the home screen. `denied`: the
 * user forbade it, and only the browser's own settings change that. `ready`: permission is granted or can be requested.
 */
export type PushSupport = 'unsupported' | 'uninstalled' | 'denied' | 'ready';

export function readPushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isIosSafari() ? 'uninstalled' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** Returns this browser's subscription, null without one. Rejects if the browser does not say. */
export async function readPushSubscription(): Promise<DeviceSubscription | null> {
  const subscription = await findSubscription();
  return subscription ? toDeviceSubscription(subscription) : null;
}

/**
 * Asks for permission if it is undecided, and subscribes with the server's key (base64url). Only on a tap: otherwise
 * browsers refuse to ask. Returns null if the user declines. Throws if the browser reaches no push service, or has no
 * service worker after 10 s.
 */
export async function subscribeToPush(key: () => Promise<string>): Promise<DeviceSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const registration = await waitForWorker();
  const applicationServerKey = fromBase64Url(await key());
  if (!applicationServerKey) throw new Error('the push key of the server is missing');
  // A subscription with another key cannot be changed, only replaced.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return toDeviceSubscription(
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
  );
}

async function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('no service worker')), WORKER_TIMEOUT_MS);
  try {
    return await Promise.race([navigator.serviceWorker.ready, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Unsubscribes, and closes the notifications that are still shown: they name users. Never rejects. */
export async function unsubscribeFromPush(): Promise<void> {
  const registration = await findRegistration().catch(() => undefined);
  const [notifications, subscription] = await Promise.all([
    registration?.getNotifications().catch(() => []),
    findSubscription().catch(() => null),
  ]);
  for (const notification of notifications ?? []) notification.close();
  await subscription?.unsubscribe().catch(() => false);
}

/** Closes the notifications with this tag: the user has seen their subject. Never rejects. */
export async function closeNotifications(tag: string): Promise<void> {
  const registration = await findRegistration().catch(() => undefined);
  const shown = await registration?.getNotifications({ tag }).catch(() => []);
  for (const notification of shown ?? []) notification.close();
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await findRegistration();
  // Older Safari has service workers but no push.
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

function toDeviceSubscription(subscription: PushSubscription): DeviceSubscription {
  const read = (name: PushEncryptionKeyName) => toBase64Url(new Uint8Array(subscription.getKey(name) ?? []));
  return { endpoint: subscription.endpoint, keys: { p256dh: read('p256dh'), auth: read('auth') } };
}
