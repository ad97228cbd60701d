import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

const ORIGIN = 'http://localhost:8000';
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36';

interface Cookie {
  value: string;
  path: string;
}

interface Request {
  method?: 'GET' | 'POST';
  form?: Record<string, string>;
  json?: object;
  headers?: Record<string, string>;
}

export interface TestBrowser {
  cookies: Map<string, Cookie>;
  /** `url`: a path, or an address of the app. Sends and stores cookies, follows no redirect. */
  request(url: string, request?: Request): Promise<LightMyRequestResponse>;
}

/**
 * As much of a browser as a sign-in needs: cookies by path, Origin on posts, forms and JSON. `cookies`: those of a
 * browser that continues with another app, e.g. after a restart.
 */
export function createBrowser(app: FastifyInstance, cookies: TestBrowser['cookies'] = new Map()): TestBrowser {
  function keep(reply: LightMyRequestResponse): void {
    for (const { name, value, path = '/', maxAge, expires } of reply.cookies) {
      const is_removed = maxAge === 0 || value === '' || (expires !== undefined && expires.getTime() < Date.now());
      if (is_removed) cookies.delete(name);
      else cookies.set(name, { value, path });
    }
  }

  return {
    cookies,
    async request(url, { method = 'GET', form, json, headers } = {}) {
      const { pathname, search } = new URL(url, ORIGIN);
      const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
      const payload = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json);
      const reply = await app.inject({
        method,
        url: pathname + search,
        headers: {
          'user-agent': USER_AGENT,
          cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
          ...(method === 'POST' ? { origin: ORIGIN, 'sec-fetch-site': 'same-origin' } : {}),
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(payload ? { payload } : {}),
      });
      keep(reply);
      return reply;
    },
  };
}
