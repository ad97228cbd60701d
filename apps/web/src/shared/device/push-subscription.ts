import { fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';
import { isIosSafari } from './install-prompt.ts';

/** The worker comes with the first visit; where it was refused, or is lost, it never does. */
const WORKER_TIMEOUT_MS = 10_000;

/** What the server needs to reach this browser while the app is closed; keys in base64url. */
export interface DeviceSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/**
 * What this browser can do. `uninstalled`: Apple's, which notifies only from the home screen. `denied`: its user has
 * forbidden it, and only the browser's own settings change that. `ready`: it can be asked, or was and may.
 */
export type PushSupport = 'unsupported' | 'uninstalled' | 'denied' | 'ready';

export function readPushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isIosSafari() ? 'uninstalled' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** The subscription that this browser has, null for none. Rejects where the browser does not tell. */
export async function readPushSubscription(): Promise<DeviceSubscription | null> {
  const subscription = await findSubscription();
  return subscription ? present(subscription) : null;
}

/**
 * Asks whoever is here, if nobody has yet, and subscribes with the server's key (base64url). Only on a tap: browsers
 * refuse to ask otherwise. null when the answer is no. Throws where the browser reaches no push service, or has no
 * service worker after 10 s.
 */
export async function makePushSubscription(key: () => Promise<string>): Promise<DeviceSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const registration = await waitForWorker();
  const applicationServerKey = fromBase64Url(await key());
  if (!applicationServerKey) throw new Error('the key of the server is none');
  // One that was made with another key cannot be changed.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return present(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
}

async function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no service worker')), WORKER_TIMEOUT_MS);
  try {
    return await Promise.race([navigator.serviceWorker.ready, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the subscription and takes away what notifications still stand there: they name people. Never rejects. */
export async function forgetPushSubscription(): Promise<void> {
  const registration = await findRegistration().catch(() => undefined);
  const [notifications, subscription] = await Promise.all([
    registration?.getNotifications().catch(() => []),
    findSubscription().catch(() => null),
  ]);
  for (const notification of notifications ?? []) notification.close();
  await subscription?.unsubscribe().catch(() => false);
}

/** Takes away the notifications of a subject, by its tag: what they tell of has been seen. Never rejects. */
export async function closeNotifications(tag: string): Promise<void> {
  const registration = await findRegistration().catch(() => undefined);
  const standing = await registration?.getNotifications({ tag }).catch(() => []);
  for (const notification of standing ?? []) notification.close();
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await findRegistration();
  // Older Safari has workers and no pushes.
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

function present(subscription: PushSubscription): DeviceSubscription {
  const read = (name: PushEncryptionKeyName) => toBase64Url(new Uint8Array(subscription.getKey(name) ?? []));
  return { endpoint: subscription.endpoint, keys: { p256dh: read('p256dh'), auth: read('auth') } };
}
