import { clientsClaim, registerQuotaErrorCallback } from 'workbox-core';
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { installTrustedTypesPolicy } from '#web/shared/device/trusted-types.ts';
import { NO_ROOM } from '#web/shared/local-db/no-room.ts';
import { registerBackgroundSync, type SendOutbox } from '#web/shared/outbox/send/background-sync.ts';
import { canReadCodes } from './code-detector.ts';
import { answerNavigation } from './navigation.ts';
import { registerPush } from './push.ts';

declare const self: ServiceWorkerGlobalScope & { sendOutbox?: SendOutbox };
/** The files to precache, inserted by the build. */
declare const PRECACHE: (PrecacheEntry | string)[];
/** The same, but only where the browser cannot read QR codes by itself. */
declare const CODE_READER: string[];
/** The script that sends the outbox, `shared/outbox/worker-client.ts`. */
declare const SENDER: string;
/** Differs between builds that differ in any file. */
declare const VERSION: string;

installTrustedTypesPolicy();

// Only the app's own files are cached here, never API replies: they belong to a user.
const files = new PrecacheController();
files.addToCacheList([...PRECACHE, ...CODE_READER]);
registerRoute(new PrecacheRoute(files));
self.addEventListener('install', (event: ExtendableEvent) => event.waitUntil(precache(event)));
self.addEventListener('activate', files.activate);
cleanupOutdatedCaches();
clientsClaim();

async function precache(event: ExtendableEvent): Promise<void> {
  // The browser keeps a script that is imported now with this worker, and refuses to import a new one later.
  loadSender();
  const needed = new PrecacheController();
  needed.addToCacheList((await canReadCodes(self)) ? PRECACHE : [...PRECACHE, ...CODE_READER]);
  await needed.install(event);
}

const shell = files.createHandlerBoundToURL('/index.html');
registerRoute(new NavigationRoute((context) => answerNavigation(context, shell)));

/** Not at the worker's start, which every request of the app would wait for. */
function loadSender(): SendOutbox {
  if (!self.sendOutbox) self.importScripts(SENDER);
  if (!self.sendOutbox) throw new Error('the sender is missing');
  return self.sendOutbox;
}

const addEventListener = (type: string, listener: unknown) => self.addEventListener(type, listener as EventListener);

registerBackgroundSync(
  {
    addEventListener,
    clients: { matchAll: (options) => self.clients.matchAll(options) },
  },
  async (onBegin) => loadSender()(onBegin),
);

registerPush({
  addEventListener,
  clients: {
    matchAll: (options) => self.clients.matchAll(options),
    openWindow: (path) => self.clients.openWindow(path),
  },
  registration: self.registration,
  navigator: self.navigator,
});

// This cache only holds the app itself: without storage for it, this worker is never installed.
registerQuotaErrorCallback(async () => {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: NO_ROOM, is_first: self.registration.active === null });
});

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
  if (event.data?.type === 'GET_VERSION') event.ports[0]?.postMessage(VERSION);
  // Sent by a page that loaded after this worker had claimed its clients.
  if (event.data?.type === 'CLAIM') event.waitUntil(self.clients.claim());
});
