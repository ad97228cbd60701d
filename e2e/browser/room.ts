import type { Page } from '@playwright/test';
import type { Server } from '../server/server.ts';

/**
 * More than any room that a journey gives. Chromium's databases use the room that they were last told for half a minute,
 * unless a write is larger, which makes them ask again.
 */
export const TOO_MANY_BYTES = 64 * 1024 * 1024;

/**
 * Sets the quota; undefined: what the disk has. Call it before the first page load: later, the browser's databases would
 * use the old one for a while.
 */
export function giveRoom(server: Server, quotaSize: number | undefined): (page: Page) => Promise<void> {
  return async (page) => {
    const devtools = await page.context().newCDPSession(page);
    const override = { origin: server.url, ...(quotaSize === undefined ? {} : { quotaSize }) };
    await devtools.send('Storage.overrideQuotaForOrigin', override);
  };
}

/** Returns how many bytes this site takes. */
export async function readUsage(page: Page, server: Server): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const { usage } = await devtools.send('Storage.getUsageAndQuota', { origin: server.url });
  await devtools.detach();
  return usage;
}

/** The app itself takes about 6 MB once a center and the map have been opened: that leaves 5 MB for its copies. */
export const ROOM_BYTES = 11 * 1024 * 1024;

/**
 * Fills the quota left for copies: by a database foreign to the app, or by map tiles that the app once stored, which no
 * saved city needs (loose) or one does (pinned). Runs in the page.
 */
export async function fillStorage(kind: 'foreign' | 'loose' | 'pinned'): Promise<void> {
  const [name, store] = kind === 'foreign' ? ['filler', 'bytes'] : ['sendlap-cache', 'map_tiles'];
  const copies = await navigator.storageBuckets?.open('copies');
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = (copies?.indexedDB ?? indexedDB).open(name);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
  });
  const pinned = kind === 'pinned' ? ['full'] : [];
  const times = { cached_at: Date.now(), expires_at: Date.now() };
  const old = { zoom: 30, y: 0, url: '', ...times, pinned, pin_count: pinned.length };
  let x = 0;
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = database.transaction(store, 'readwrite');
      const block = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(block.subarray(at, at + 65_536));
      x += 1;
      transaction.objectStore(store).add({ ...old, id: `30-${x}-0`, x, data: new Blob([block]), bytes });
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
  for (const bytes of [32_768, 8_192, 2_048]) while (await put(bytes));
  database.close();
}

/**
 * Runs in the page: whether there is no room for 2 KB beyond the outbox. Chromium's databases use the last room they
 * were told for half a minute, unless a write is larger: `too_many_bytes` make them ask again.
 */
export async function isRefused(too_many_bytes: number): Promise<boolean> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('sendlap-outbox');
    request.onsuccess = () => resolve(request.result);
  });
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = database.transaction('ballast', 'readwrite');
      transaction.objectStore('ballast').put(new Blob([new Uint8Array(bytes)]), 'try');
      transaction.oncomplete = () => resolve(false);
      transaction.onabort = () => resolve(true);
    });
  const is_refused = (await put(too_many_bytes)) && (await put(2_048));
  database.close();
  return is_refused;
}
