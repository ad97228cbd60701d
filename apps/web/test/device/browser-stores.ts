import { whenDone } from './when-done.ts';

/** One entry in a store of the device: the store, and the whole entry as text. */
export interface StoredThing {
  place: string;
  text: string;
}

/** Reads every store of the device that jsdom has: databases, both storages, cookies, address and history state. */
export async function readStores(): Promise<StoredThing[]> {
  return [...(await readDatabases()), ...readSmallStores()];
}

/** Returns which of the named texts are in which store, ignoring case. */
export function findTraces(stores: StoredThing[], canaries: Record<string, string>): string[] {
  const found = stores.flatMap(({ place, text }) => {
    const lower = text.toLowerCase();
    return Object.entries(canaries)
      .filter(([, canary]) => lower.includes(canary.toLowerCase()))
      .map(([name]) => `${name} in ${place}`);
  });
  return [...new Set(found)].sort();
}

async function readDatabases(): Promise<StoredThing[]> {
  const found: StoredThing[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await whenDone(indexedDB.open(name));
    found.push({ place: `the names in database ${name}`, text: [name, ...database.objectStoreNames].join() });
    for (const store_name of database.objectStoreNames) {
      const store = database.transaction(store_name).objectStore(store_name);
      const [keys, values] = await Promise.all([whenDone(store.getAllKeys()), whenDone(store.getAll())]);
      const place = `database ${name}, store ${store_name}`;
      for (const [row, key] of keys.entries()) found.push({ place, text: `${spell(key)} ${spell(values[row])}` });
    }
    database.close();
  }
  return found;
}

function readSmallStores(): StoredThing[] {
  const stored = Object.entries({ localStorage, sessionStorage }).flatMap(([place, storage]) =>
    Object.entries(storage).map(([key, value]) => ({ place, text: `${key}: ${value}` })),
  );
  return [
    { place: 'document.cookie', text: document.cookie },
    { place: 'history.state', text: JSON.stringify(history.state) },
    { place: 'window.name', text: window.name },
    { place: 'the address', text: window.location.href },
    ...stored,
  ];
}

/** Returns the value as JSON; bytes are read as letters, so that a text among them is found. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (part instanceof CryptoKey) return 'a key that cannot be read';
    if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) return new TextDecoder('latin1').decode(part);
    return part;
  });
}
