import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';

export interface BrowserDeps {
  /** The public address of the server. */
  url: string;
  /** The address that the phone calls from, as the proxy in front names it: limits count by address. */
  address: string;
}

export type Browser = ReturnType<typeof createBrowser>;

/** What a phone keeps while its pages come and go: databases, local storage and cookies. */
export function createBrowser({ url, address }: BrowserDeps) {
  const factory = new IDBFactory();
  const cookies = new Map<string, string>();
  const items = new Map<string, string>();
  let is_online = true;

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const is_removed = value === '' || /;\s*max-age=0\b/i.test(line);
      if (is_removed) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  return {
    cookies,
    isOnline: () => is_online,
    setOnline(next: boolean): void {
      is_online = next;
    },
    storage: {
      getItem: (key: string): string | null => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    },
    /** Runs what opens a database of this phone: the app takes the global factory when it is called. */
    withDatabases<Value>(work: () => Value): Value {
      globalThis.indexedDB = factory;
      return work();
    },
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      if (!is_online) throw new TypeError('no network');
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': address };
      const response = await fetch(url + path, { ...init, headers: cookie ? { ...headers, cookie } : headers });
      keepCookies(response);
      return response;
    },
  };
}
