import { vi } from 'vitest';

/** Navigations beyond the app's own history: another page, or a reload. */
export interface Departures {
  /** Addresses passed to `assign` and `replace`; `reload` for a reload. */
  list: string[];
}

/** jsdom cannot leave its page: records the addresses instead. The rest is the real location. */
export function noteDepartures(): Departures {
  const departures: Departures = { list: [] };
  // Not `window.location`, which may still be an earlier test's proxy.
  const real = document.location;
  const leave = (address: string | URL) => void departures.list.push(String(address));
  const replaced: Record<string | symbol, unknown> = {
    assign: leave,
    replace: leave,
    reload: () => leave('reload'),
  };
  // A proxy around a new object: the real one's methods cannot be replaced.
  const location = new Proxy({} as Location, {
    get(_, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name];
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
    set: (_, name, value) => Reflect.set(real, name, value, real),
  });
  vi.stubGlobal('location', location);
  return departures;
}

/** The network of the device, as the browser reports it. */
export function setOnline(online: boolean): void {
  Object.defineProperty(navigator, 'onLine', { value: online, configurable: true });
  window.dispatchEvent(new Event(online ? 'online' : 'offline'));
}

export function setLanguages(...languages: string[]): void {
  Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
}

/** Puts another app in front, or brings this one back. */
export function setVisible(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', { value: visible ? 'visible' : 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Removes all data of the app from the device. */
export async function clearDevice(): Promise<void> {
  setSessionFlag(false);
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) if (name) await deleteDatabase(name);
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** The cookie that the server sets next to the refresh token, which scripts cannot read. */
export function setSessionFlag(is_set: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookieStore.
  document.cookie = `sendlap_session=1; path=/; max-age=${is_set ? 3_600 : 0}`;
}
