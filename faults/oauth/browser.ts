import { randomInt } from 'node:crypto';
import { type Answer, ask } from './http.ts';

interface Request {
  json?: unknown;
  form?: Record<string, string>;
  /** Overrides the browser's own header of that name; null omits it. */
  headers?: Record<string, string | null>;
}

export interface Browser {
  url: string;
  /** Name → value and path. */
  cookies: Map<string, { value: string; path: string }>;
  /** `target`: a path, or an address of the server. */
  get(target: string, request?: Request): Promise<Answer>;
  post(target: string, request?: Request): Promise<Answer>;
}

/**
 * Returns a header with an address of its own: the rate limits of sign-in count by address, and this program calls often.
 * The server takes the address from a proxy, which this program plays.
 */
export function ownAddress(): [name: string, value: string] {
  return ['x-forwarded-for', `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`];
}

/** As much of a browser as a sign-in needs, with an address of its own. */
export function createBrowser(url: string): Browser {
  const cookies: Browser['cookies'] = new Map();
  const [forwarded_for, address] = ownAddress();

  async function send(method: string, target: string, { json, form, headers = {} }: Request): Promise<Answer> {
    const full = target.startsWith('/') ? url + target : target;
    const path = new URL(full).pathname;
    const cookie = [...cookies].filter(([, { path: scope }]) => path.startsWith(scope));
    const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
    const own: Record<string, string | null> = {
      [forwarded_for]: address,
      ...(cookie.length > 0 ? { cookie: cookie.map(([name, { value }]) => `${name}=${value}`).join('; ') } : {}),
      ...(method === 'POST' ? { origin: url, 'sec-fetch-site': 'same-origin' } : {}),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const list = Object.entries(own).filter((pair): pair is [string, string] => pair[1] !== null);
    const answer = await ask(full, { method, headers: list, body });
    for (const line of answer.set_cookies) keepCookie(cookies, line);
    return answer;
  }

  return {
    url,
    cookies,
    get: (target, request = {}) => send('GET', target, request),
    post: (target, request = {}) => send('POST', target, request),
  };
}

function keepCookie(cookies: Browser['cookies'], line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const [, path = '/'] = /;\s*path=([^;]*)/i.exec(line) ?? [];
  const expires = /;\s*expires=([^;]*)/i.exec(line)?.[1];
  const is_removed = value === '' || /;\s*max-age=0\b/i.test(line) || (expires && Date.parse(expires) < Date.now());
  if (is_removed) cookies.delete(name);
  else cookies.set(name, { value, path });
}
