import { clientsClaim, registerQuotaErrorCallback } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NO_ROOM } from '#web/shared/local-db/no-room.ts';
import { registerBackgroundSync } from '#web/shared/outbox/send/background-sync.ts';
import { isCallback, isShellNavigation } from './navigation.ts';
import { registerPush } from './push.ts';

declare const self: ServiceWorkerGlobalScope;
/** Every file that the build lists for it, from the build. */
declare const PRECACHE: (PrecacheEntry | string)[];

// Only the app's own files are ever cached here. Replies of the API are not: they belong to a user.
precacheAndRoute(PRECACHE);
cleanupOutdatedCaches();
clientsClaim();

const shell = createHandlerBoundToURL('/index.html');

registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isCallback(url),
  // The way back from the provider asks the network first, and needs the shell only where there is none.
  async (context) => {
    try {
      return await fetch(context.request);
    } catch {
      return shell(context);
    }
  },
);
registerRoute(
  new NavigationRoute(async (context) => (isShellNavigation(context.url) ? shell(context) : fetch(context.request))),
);

registerBackgroundSync({
  addEventListener: (type, listener) => self.addEventListener(type, listener as EventListener),
  clients: { matchAll: (options) => self.clients.matchAll(options) },
});

registerPush({
  addEventListener: (type, listener) => self.addEventListener(type, listener as EventListener),
  clients: {
    matchAll: (options) => self.clients.matchAll(options),
    openWindow: (path) => self.clients.openWindow(path),
  },
  registration: self.registration,
  navigator: self.navigator,
});

// Nothing but the app itself is kept here: without room for it this worker never runs.
registerQuotaErrorCallback(async () => {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: NO_ROOM, is_first: self.registration.active === null });
});

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
  // Of a page that was not there yet when this worker took over all others.
  if (event.data?.type === 'CLAIM') event.waitUntil(self.clients.claim());
});
