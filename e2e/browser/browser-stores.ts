import type { Page } from '@playwright/test';

declare global {
  interface Navigator {
    /** Only in Chromium so far; see the app's copies-bucket.ts. */
    storageBuckets?: { open(name: string): Promise<{ indexedDB: IDBFactory }>; keys(): Promise<string[]> };
  }
}

/** One entry in a store of the browser: the store, and the whole entry as text. */
export interface StoredThing {
  place: string;
  text: string;
}

/**
 * Reads every store of the browser for the page's origin: databases with keys and values, both storages, caches with
 * addresses and bodies, the private file system, the page's address and history state, and all cookies, including those
 * that no script can read.
 */
export async function readBrowserStores(page: Page): Promise<StoredThing[]> {
  const cookies = await page.context().cookies();
  return [
    ...(await page.evaluate(readDatabases)),
    ...(await page.evaluate(readCaches)),
    ...(await page.evaluate(readSmallStores)),
    ...cookies.map(({ name, value }) => ({ place: `cookie ${name}`, text: `${name}=${value}` })),
  ];
}

/** Returns which of the named texts are in which store, ignoring case. */
export function findTraces(stores: StoredThing[], canaries: Record<string, string>): string[] {
  return stores.flatMap(({ place, text }) => {
    const lower = text.toLowerCase();
    return Object.entries(canaries)
      .filter(([, canary]) => lower.includes(canary.toLowerCase()))
      .map(([name]) => `${name} in ${place}`);
  });
}

/** Runs in the page. */
async function readDatabases(): Promise<{ place: string; text: string }[]> {
  const whenDone = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  // Bytes are read as letters, so that a text among them is found.
  const spell = (_key: string, value: unknown) => {
    if (value instanceof CryptoKey) return 'a non-extractable key';
    if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
    if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value);
    return value;
  };
  const found: { place: string; text: string }[] = [];
  const places = [indexedDB];
  for (const name of (await navigator.storageBuckets?.keys()) ?? []) {
    found.push({ place: 'the names of buckets', text: name });
    places.push((await navigator.storageBuckets?.open(name))?.indexedDB ?? indexedDB);
  }
  for (const databases of places) {
    for (const { name = '' } of await databases.databases()) {
      const database = await whenDone(databases.open(name));
      found.push({ place: `the names in database ${name}`, text: [name, ...database.objectStoreNames].join() });
      for (const store_name of database.objectStoreNames) {
        const store = database.transaction(store_name).objectStore(store_name);
        const [keys, values] = await Promise.all([whenDone(store.getAllKeys()), whenDone(store.getAll())]);
        const place = `database ${name}, store ${store_name}`;
        keys.forEach((key, row) => {
          found.push({ place, text: `${JSON.stringify(key, spell)} ${JSON.stringify(values[row], spell)}` });
        });
      }
      database.close();
    }
  }
  return found;
}

/** Runs in the page. */
async function readCaches(): Promise<{ place: string; text: string }[]> {
  const found: { place: string; text: string }[] = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const reply = await cache.match(request);
      const body = reply ? new TextDecoder('latin1').decode(await reply.arrayBuffer()) : '';
      found.push({ place: `cache ${name}, ${request.url}`, text: `${request.url} ${body}` });
    }
  }
  const files = await navigator.storage.getDirectory();
  for await (const name of files.keys()) found.push({ place: 'private file system', text: name });
  return found;
}

/** Runs in the page. */
function readSmallStores(): { place: string; text: string }[] {
  const found = [
    { place: 'document.cookie', text: document.cookie },
    { place: 'history.state', text: JSON.stringify(history.state) },
    { place: 'window.name', text: window.name },
    { place: 'the address', text: location.href },
  ];
  for (const [place, storage] of Object.entries({ localStorage, sessionStorage })) {
    for (const [key, value] of Object.entries(storage)) found.push({ place, text: `${key}: ${value}` });
  }
  return found;
}
