import { createHash, randomBytes } from 'node:crypto';
import { type Browser, createBrowser } from './browser.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { type Answer, ask } from './http.ts';
import { REFRESH_COOKIE } from './own-sign-in.ts';

const REFRESH = '/v1/auth/refresh';
const LOGOUT = '/v1/auth/logout';

interface Context {
  url: string;
  /** The browser of a live session; the attacks abuse its cookie. */
  victim: Browser;
  /** The victim's access token. */
  token: string;
  /** A refresh token of an ended session. */
  ended: string;
}

const FOREIGN: Record<string, Record<string, string | null>> = {
  'origin: neither': { origin: null, 'sec-fetch-site': null },
  'origin: another house': { origin: 'https://evil.example' },
  'origin: another house, said to be same-origin': { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  'origin: null': { origin: 'null' },
  'origin: empty': { origin: '' },
  'origin: ours, but cross-site': { 'sec-fetch-site': 'cross-site' },
  'origin: none, cross-site': { origin: null, 'sec-fetch-site': 'cross-site' },
  'origin: none, same-site': { origin: null, 'sec-fetch-site': 'same-site' },
  'origin: none, none': { origin: null, 'sec-fetch-site': 'none' },
};

/** Refresh and logout, which only the browser's cookie authenticates. The honest path is the victim's own refresh. */
export function cookieAttacks(context: Context): Group {
  const { url } = context;
  const { host, hostname, protocol } = new URL(url);
  const look_alikes = [
    `${url}.evil.example`,
    `${url}/`,
    `${protocol}//${hostname}`,
    `https://${host}`,
    `${protocol}//${host.toUpperCase()}`,
    `${url} https://evil.example`,
    `https://evil.example#${url}`,
  ].map((origin): [string, Record<string, string>] => [`origin: ${origin}`, { origin }]);
  const foreign = [...Object.entries(FOREIGN), ...look_alikes];
  return {
    name: 'refresh and logout',
    isRefused: refusedWith('origin_not_allowed', 'refresh_invalid'),
    attacks: [
      ...[REFRESH, LOGOUT].flatMap((path) =>
        foreign.map(
          ([name, headers]): Attack => ({
            name: `${path} ${name}`,
            send: () => asVictim(context, path, headers),
            // A server that checks only the cookie would have accepted it: the same cookie works from the app's own
            // page.
            passesWeakCheck: () => refresh(context),
          }),
        ),
      ),
      ...cookies(context),
      ...otherPlaces(context),
    ],
    honest: () => refresh(context),
  };
}

const tokenOf = (browser: Browser) => browser.cookies.get(REFRESH_COOKIE)?.value ?? '';
const cookieOf = (browser: Browser) => `${REFRESH_COOKIE}=${tokenOf(browser)}`;

async function asVictim({ url, victim }: Context, path: string, headers: Record<string, string | null>) {
  const answer = await createBrowser(url).post(path, { headers: { cookie: cookieOf(victim), ...headers } });
  // Deleting the cookie would be a logout caused by another origin.
  return {
    ...answer,
    status: answer.set_cookies.some((line) => line.startsWith(REFRESH_COOKIE)) ? 200 : answer.status,
  };
}

/**
 * Refreshes as the victim's own tab does; from a new address each time, since refreshes are rate-limited by address.
 */
async function refresh({ url, victim }: Context): Promise<boolean> {
  const elsewhere = createBrowser(url);
  const { status } = await elsewhere.post(REFRESH, { headers: { cookie: cookieOf(victim) } });
  for (const [name, cookie] of elsewhere.cookies) victim.cookies.set(name, cookie);
  return status === 200;
}

/** Values that are not refresh tokens. Logout with them succeeds without effect, so only refresh is tried. */
function cookies({ url, victim, token, ended }: Context): Attack[] {
  const good = tokenOf(victim);
  const named = (value: string) => `${REFRESH_COOKIE}=${value}`;
  const values: Record<string, string> = {
    none: '',
    empty: named(''),
    'made up': named(randomBytes(32).toString('base64url')),
    'one letter': named('x'),
    'of a session that was ended': named(ended),
    'one character changed': named((good.startsWith('A') ? 'B' : 'A') + good.slice(1)),
    cut: named(good.slice(0, -1)),
    'upper case': named(good.toUpperCase()),
    padded: named(`${good}=`),
    'an access token': named(token),
    'its own hash, as in a stolen database': named(createHash('sha256').update(good).digest('base64url')),
    'its own hash in hex': named(createHash('sha256').update(good).digest('hex')),
    'without its prefix': `sendlap_refresh=${good}`,
    'prefix in lower case': `${REFRESH_COOKIE.toLowerCase()}=${good}`,
    'a made-up one before the right one': `${named('x'.repeat(43))}; ${named(good)}`,
    'U+0000, encoded': named('%00'),
    'a lone surrogate, encoded': named('%ED%A0%80'),
    'broken percent signs': named('%E0%A4%A'),
    SQL: named("' or '1'='1"),
    '8,000 characters': named('x'.repeat(8_000)),
  };
  return Object.entries(values).map(
    ([name, cookie]): Attack => ({
      name: `cookie: ${name}`,
      send: () => createBrowser(url).post(REFRESH, { headers: { cookie: cookie || null } }),
    }),
  );
}

/** The right token in the wrong place, and more than a header may hold. */
function otherPlaces({ url, victim, token }: Context): Attack[] {
  const good = tokenOf(victim);
  const isNoRefresh = ({ status }: Answer) => status >= 400 && status < 500 && status !== 403 && status !== 429;
  const browser = () => createBrowser(url);
  return [
    { name: 'in the query', send: () => browser().post(`${REFRESH}?refresh_token=${good}`), isRefused: isNoRefresh },
    {
      name: 'in the body',
      send: () => browser().post(REFRESH, { json: { refresh_token: good } }),
      isRefused: isNoRefresh,
    },
    { name: 'as a bearer', send: () => browser().post(REFRESH, { headers: { authorization: `Bearer ${good}` } }) },
    {
      name: 'as a bearer of a request',
      send: () => browser().get('/v1/auth/me', { headers: { authorization: `Bearer ${good}` } }),
      isRefused: refusedWith('unauthenticated'),
    },
    {
      name: 'by GET, as an image would',
      send: () => browser().get(REFRESH, { headers: { cookie: cookieOf(victim), 'sec-fetch-site': 'cross-site' } }),
      isRefused: isNoRefresh,
    },
    {
      name: 'logout by GET, as an image would',
      send: () => browser().get(LOGOUT, { headers: { cookie: cookieOf(victim), 'sec-fetch-site': 'cross-site' } }),
      isRefused: isNoRefresh,
    },
    {
      name: 'a cookie of 20,000 characters',
      send: () => browser().post(REFRESH, { headers: { cookie: `${REFRESH_COOKIE}=${'x'.repeat(20_000)}` } }),
      isRefused: isNoRefresh,
    },
    {
      name: 'read by a page of another origin',
      send: () =>
        ask(url + REFRESH, {
          method: 'OPTIONS',
          headers: [
            ['origin', 'https://evil.example'],
            ['access-control-request-method', 'POST'],
            ['access-control-request-headers', 'authorization'],
          ],
        }),
      isRefused: ({ status, header }) => status < 500 && header('access-control-allow-origin') === undefined,
    },
    {
      name: 'logout with another’s access token and no cookie',
      send: () => browser().post(LOGOUT, { headers: { authorization: `Bearer ${token}` } }),
      // It succeeds without effect: the honest path after it proves that.
      isRefused: ({ status }) => status === 200,
    },
  ];
}
