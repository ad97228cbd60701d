/** What is known of a request on its way, and what may become of it (see e2e/forward-proxy.ts). */
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
 * Without locks every tab holds a stream of its own, and six of them are all the connections that a browser opens to
 * one address: nothing else would get through. That is another matter than the session.
 */
export function withoutStreams<Fate>(rule: (request: Passing) => Fate) {
  return (request: Passing) => (request.path.startsWith('/v1/events') ? 'lost' : rule(request));
}

/** Breaks this share of the refreshes, in one of three ways. */
export function breakRefreshes(share: number) {
  return (request: Passing) => {
    if (!isRefresh(request) || Math.random() >= share) return 'pass';
    return MISFORTUNES[Math.floor(Math.random() * MISFORTUNES.length)] ?? 'lost';
  };
}

/** What a server with strict rotation and no grace does: whoever comes second with a refresh token is refused. */
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

/** Counts the refreshes that come by, and those that did not pass. */
export function countRefreshes<Fate>(rule: (request: Passing) => Fate) {
  let refreshes = 0;
  let misfortunes = 0;
  return {
    refreshes: () => refreshes,
    misfortunes: () => misfortunes,
    rule(request: Passing): Fate {
      const fate = rule(request);
      if (!isRefresh(request)) return fate;
      refreshes += 1;
      if (fate !== 'pass') misfortunes += 1;
      return fate;
    },
  };
}
