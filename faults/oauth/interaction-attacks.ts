import { randomBytes } from 'node:crypto';
import { type Browser, createBrowser } from './browser.ts';
import type { Attack, Group } from './group.ts';
import type { Answer } from './http.ts';
import { type Begun, begin, openForm, type Person, submit } from './own-sign-in.ts';

interface Opened {
  browser: Browser;
  begun: Begun;
  path: string;
}

interface Context {
  url: string;
  person: Person;
}

async function open(url: string): Promise<Opened> {
  const browser = createBrowser(url);
  const begun = await begin(browser);
  return { browser, begun, path: await openForm(browser, begun) };
}

/** Abuse of the own provider's forms: in another browser, from another origin, with forged cookies. */
export function interactionAttacks(context: Context): Group {
  const { url, person } = context;
  return {
    name: 'provider: forms',
    // A redirect to the next step, or a page that still accepts the right password, does not count as refused.
    isRefused: ({ status }) => status >= 400 && status < 500 && ![403, 422, 429].includes(status),
    attacks: [...cookieAttacks(context), ...otherBrowsers(context), ...originAttacks(context), ...bodies(context)],
    honest: async () => {
      const { browser, path } = await open(url);
      const { status, location } = await submit(browser, path, person);
      if (status !== 303 || !location) return false;
      return /[?&]code=/.test((await browser.get(location)).location ?? '');
    },
  };
}

type Cookies = Browser['cookies'];
const INTERACTION = /interaction$/;

/** Changes every cookie of the provider's form, or its signature. */
function editing(pattern: RegExp, edit: (value: string) => string): (cookies: Cookies) => void {
  return (cookies) => {
    for (const [name, cookie] of cookies)
      if (pattern.test(name)) cookies.set(name, { ...cookie, value: edit(cookie.value) });
  };
}

const COOKIES: Record<string, (cookies: Cookies) => void> = {
  'cookies: none': (cookies) => cookies.clear(),
  'cookies: all but the provider’s': (cookies) => {
    for (const name of [...cookies.keys()]) if (name.includes('provider')) cookies.delete(name);
  },
  'cookies: the interaction made up': editing(INTERACTION, () => randomBytes(16).toString('base64url')),
  'cookies: the interaction empty': editing(INTERACTION, () => ''),
  'cookies: the interaction of 6,000 characters': editing(INTERACTION, () => 'x'.repeat(6_000)),
  'cookies: broken percent signs': editing(INTERACTION, () => '%E0%A4%A'),
  'cookies: the signature made up': editing(/interaction\.sig$/, () => randomBytes(20).toString('base64url')),
  'cookies: the signature empty': editing(/interaction\.sig$/, () => ''),
  'cookies: the signature cut': editing(/interaction\.sig$/, (value) => value.slice(0, -2)),
  'cookies: no signature': (cookies) => {
    for (const name of [...cookies.keys()]) if (name.endsWith('.sig')) cookies.delete(name);
  },
};

function cookieAttacks({ url, person }: Context): Attack[] {
  return Object.entries(COOKIES).map(
    ([name, edit]): Attack => ({
      name,
      async send() {
        const { browser, path } = await open(url);
        edit(browser.cookies);
        return submit(browser, path, person);
      },
    }),
  );
}

/** An attacker gets the address of a victim's form, or of the step after it. */
function otherBrowsers({ url, person }: Context): Attack[] {
  const between = (name: string, use: (mine: Opened, other: Opened) => Promise<Answer>): Attack => ({
    name,
    send: async () => use(await open(url), await open(url)),
  });
  const take = (from: Browser, to: Browser, pattern: RegExp) => {
    for (const [name, cookie] of from.cookies) if (pattern.test(name)) to.cookies.set(name, cookie);
  };
  return [
    between('another browser’s form, read', (mine, other) => mine.browser.get(other.path)),
    between('another browser’s form, sent', (mine, other) => submit(mine.browser, other.path, person)),
    between('another browser’s form, sent with the own cookies', (mine, other) => {
      for (const cookie of mine.browser.cookies.values()) cookie.path = '/';
      return submit(mine.browser, other.path, person);
    }),
    between('own form with another browser’s cookie', (mine, other) => {
      take(other.browser, mine.browser, INTERACTION);
      return submit(mine.browser, mine.path, person);
    }),
    between('own form with another browser’s signature', (mine, other) => {
      take(other.browser, mine.browser, /interaction\.sig$/);
      return submit(mine.browser, mine.path, person);
    }),
    between('the step after another browser’s password', async (mine, other) => {
      const { location = '' } = await submit(other.browser, other.path, person);
      return mine.browser.get(location);
    }),
    between('the step after it, without cookies', async (_, other) => {
      const { location = '' } = await submit(other.browser, other.path, person);
      return createBrowser(url).get(location);
    }),
    between('a form that was never opened', async (mine) => submit(mine.browser, '/oidc/interaction/made-up', person)),
    between('a form whose name climbs', async (mine) =>
      submit(mine.browser, '/oidc/interaction/..%2f..%2fauth', person),
    ),
    between('a form with a name of 1,000 characters', async (mine) =>
      submit(mine.browser, `/oidc/interaction/${'x'.repeat(1_000)}`, person),
    ),
    between('own form after it was sent', async (mine) => {
      const { location = '' } = await submit(mine.browser, mine.path, person);
      await mine.browser.get(location);
      return submit(mine.browser, mine.path, person);
    }),
  ];
}

const ORIGINS: Record<string, Record<string, string | null>> = {
  'origin: another house': { origin: 'https://evil.example' },
  'origin: another house, same site': { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
  'origin: null': { origin: 'null' },
  'origin: ours, but cross-site': { 'sec-fetch-site': 'cross-site' },
  'origin: none, cross-site': { origin: null, 'sec-fetch-site': 'cross-site' },
  'origin: none, same-site': { origin: null, 'sec-fetch-site': 'same-site' },
  'origin: neither': { origin: null, 'sec-fetch-site': null },
  'origin: empty': { origin: '' },
};

function originAttacks({ url, person }: Context): Attack[] {
  const attacks = { ...ORIGINS, 'origin: another port': { origin: url.replace(/\d+$/, '1') } };
  return Object.entries(attacks).map(
    ([name, headers]): Attack => ({
      name,
      async send() {
        const { browser, path } = await open(url);
        const { email, password } = person;
        return browser.post(`${path}/sign-in`, { form: { email, password }, headers });
      },
    }),
  );
}

function bodies({ url, person }: Context): Attack[] {
  const { email, password } = person;
  const sent: Record<string, Parameters<Browser['post']>[1]> = {
    'body: JSON': { json: { email, password } },
    'body: multipart': { form: { email, password }, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    'body: text, as a foreign form can send': { form: { email, password }, headers: { 'content-type': 'text/plain' } },
    'body: 100,000 characters': { form: { email, password: 'x'.repeat(100_000) } },
  };
  return Object.entries(sent).map(
    ([name, request]): Attack => ({
      name,
      async send() {
        const { browser, path } = await open(url);
        return browser.post(`${path}/sign-in`, request);
      },
    }),
  );
}
