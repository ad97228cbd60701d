import type { BrowserContext, CDPSession } from '@playwright/test';

/** Wakes the service worker as a network that has come back does. */
export interface SyncTrigger {
  fire(): Promise<void>;
  /** Ends the worker, as the browser does after half a minute without work: the next event starts it again. */
  stopWorker(): Promise<void>;
  /** Closes its page. */
  close(): Promise<void>;
}

/** Opens a blank page, not one of the app's: all of those may be closed. */
export async function openSyncTrigger(context: BrowserContext, origin: string): Promise<SyncTrigger> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const registrationId = await findRegistration(session, origin);
  const event = { origin, registrationId, tag: 'sync-offline-data', lastChance: false };
  return {
    async fire() {
      await session.send('ServiceWorker.dispatchSyncEvent', event);
    },
    async stopWorker() {
      await session.send('ServiceWorker.stopAllWorkers');
    },
    close: () => page.close(),
  };
}

/** Returns the id of the app's worker. */
export function findRegistration(session: CDPSession, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
    session.send('ServiceWorker.enable').catch(reject);
  });
}
