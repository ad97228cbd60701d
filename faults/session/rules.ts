/** A request that passes the proxy, from which a rule decides its fate (see e2e/server/forward-proxy.ts). */
interface Passing {
  path: string;
  cookie: string;
}

const REFRESH_PATH = '/v1/auth/refresh';
const REFRESH_COOKIE = /__Host-sendlap_refresh=([^;]+)/;
const MISFORTUNES = ['lost', 'unanswered', 'cut'] as const;

export function isRefresh({ path }: Passing): boolean {
  return path === REFRESH_PATH;
}

/**
 * Drops streams: without locks every tab holds a stream of its own, and six are all the connections that a browser
 * opens to one address, so no other request would get through. That is not a fault of the session.
 */
export function withoutStreams<Request extends Passing, Fate>(rule: (request: Request) => Fate) {
  return (request: Request) => (request.path.startsWith('/v1/events') ? 'lost' : rule(request));
}

/** Breaks this share of the refreshes, in one of three ways. */
export function breakRefreshes(share: number) {
  return (request: Passing) => {
    if (!isRefresh(request) || Math.random() >= share) return 'pass';
    return MISFORTUNES[Math.floor(Math.random() * MISFORTUNES.length)] ?? 'lost';
  };
}

/** As a server with strict rotation and no grace period: refuses the second use of a refresh token. */
export function rotateStrictly() {
  const seen = new Set<string>();
  return (request: Passing) => {
    const token = isRefresh(request) ? REFRESH_COOKIE.exec(request.cookie)?.[1] : undefined;
    if (token === undefined) return 'pass';
    if (!seen.has(token)) {
      seen.add(token);
      return 'pass';
    }
    return { status: 401, body: { success: false, message: 'Please sign in again', code: 'refresh_invalid' } };
  };
}

/** Counts the refreshes, and those that did not pass. */
export function countRefreshes<Request extends Passing, Fate>(rule: (request: Request) => Fate) {
  let refreshes = 0;
  let misfortunes = 0;
  return {
    refreshes: () => refreshes,
    misfortunes: () => misfortunes,
    rule(request: Request): Fate {
      const fate = rule(request);
      if (!isRefresh(request)) return fate;
      refreshes += 1;
      if (fate !== 'pass') misfortunes += 1;
      return fate;
    },
  };
}
