import { randomBytes } from 'node:crypto';
import { type Browser, createBrowser } from './browser.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { type Answer, ask } from './http.ts';
import { type Back, begin, CALLBACK, type Person, SIGN_IN_COOKIE, walk } from './own-sign-in.ts';

/** The request of a callback that would succeed unchanged. */
interface Request {
  body: Record<string, unknown>;
  cookie: string;
  headers: Record<string, string | null>;
}

interface Context {
  url: string;
  person: Person;
  /**
   * Exchanges a code with the client's secret and verifier, without other checks; returns true if it gets an identity.
   */
  redeem: (code: string, provider_verifier: string) => Promise<boolean>;
  /** Returns the provider's verifier of a sign-in that was started. */
  readVerifier: (state: string) => Promise<string>;
}

type Spoil = (request: Request) => Partial<Request> | Promise<Partial<Request>>;

const secret = () => randomBytes(32).toString('base64url');
const set =
  (field: string, value: unknown): Spoil =>
  ({ body }) => ({ body: { ...body, [field]: value } });
const change =
  (field: string, edit: (value: string) => unknown): Spoil =>
  ({ body }) => ({ body: { ...body, [field]: edit(String(body[field])) } });
const without =
  (field: string): Spoil =>
  ({ body: { [field]: _left_out, ...body } }) => ({ body });
const flipFirst = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

const NASTY_VALUES: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['an array', ['x']],
  ['an object', { x: 1 }],
  ['true', true],
  ['nothing in it', ''],
  ['2,049 characters', 'x'.repeat(2_049)],
  ['60,000 characters', 'x'.repeat(60_000)],
  ['U+0000', 'x\u0000'],
  ['a lone surrogate', '\ud800'],
];

/** Every required field, with every value that no browser sends. */
function nastyFields(): Record<string, Spoil> {
  const fields = ['state', 'code', 'code_verifier'];
  const pairs = fields.flatMap((field) =>
    NASTY_VALUES.map(([what, value]): [string, Spoil] => [`${field}: ${what}`, set(field, value)]),
  );
  return Object.fromEntries(pairs);
}

const STATES: Record<string, Spoil> = {
  'state: missing': without('state'),
  'state: made up': set('state', secret()),
  'state: one character changed': change('state', flipFirst),
  'state: cut': change('state', (state) => state.slice(0, -1)),
  'state: other case': change('state', (state) => state.toUpperCase()),
  'state: a space after it': change('state', (state) => `${state} `),
  'state: a line end after it': change('state', (state) => `${state}\n`),
  'state: SQL': set('state', "' or '1'='1"),
};

const COOKIES: Record<string, Spoil> = {
  'cookie: missing': () => ({ cookie: '' }),
  'cookie: empty': () => ({ cookie: `${SIGN_IN_COOKIE}=` }),
  'cookie: made up': () => ({ cookie: `${SIGN_IN_COOKIE}=${secret()}` }),
  'cookie: one character changed': ({ cookie }) => ({ cookie: cookie.replace(/=(.*)$/, (_, v) => `=${flipFirst(v)}`) }),
  'cookie: cut': ({ cookie }) => ({ cookie: cookie.slice(0, -1) }),
  'cookie: without its prefix': ({ cookie }) => ({ cookie: cookie.replace('__Host-', '') }),
  'cookie: prefix in lower case': ({ cookie }) => ({ cookie: cookie.replace('__Host-', '__host-') }),
  'cookie: a made-up one before the right one': ({ cookie }) => ({
    cookie: `${SIGN_IN_COOKIE}=${secret()}; ${cookie}`,
  }),
  'cookie: 8,000 characters': () => ({ cookie: `${SIGN_IN_COOKIE}=${'x'.repeat(8_000)}` }),
  'cookie: broken percent signs': () => ({ cookie: `${SIGN_IN_COOKIE}=%E0%A4%A` }),
};

const VERIFIERS: Record<string, Spoil> = {
  'verifier: made up': set('code_verifier', secret()),
  'verifier: one character changed': change('code_verifier', flipFirst),
  'verifier: cut': change('code_verifier', (verifier) => verifier.slice(0, -1)),
  'verifier: padded': change('code_verifier', (verifier) => `${verifier}=`),
  'verifier: other case': change('code_verifier', (verifier) => verifier.toLowerCase()),
  'verifier: the state': ({ body }) => ({ body: { ...body, code_verifier: body.state } }),
};

const CODES: Record<string, Spoil> = {
  'code: missing': without('code'),
  'code: made up': set('code', secret()),
  'code: one character changed': change('code', flipFirst),
  'code: cut': change('code', (code) => code.slice(0, -1)),
  'code: parameters injected': change('code', (code) => `${code}&redirect_uri=https://evil.example`),
  'code: the state': ({ body }) => ({ body: { ...body, code: body.state } }),
};

const SHAPES: Record<string, Spoil> = {
  'iss: another house': set('iss', 'https://evil.example'),
  'iss: ours with a slash': ({ body }) => ({ body: { ...body, iss: 'http://localhost/oidc/' } }),
  'iss: nothing in it': set('iss', ''),
  'body: an unknown field': set('redirect_uri', 'https://evil.example'),
  'body: a user id': set('user_id', '00000000-0000-4000-8000-000000000000'),
  'content type: text': () => ({ headers: { 'content-type': 'text/plain' } }),
  'content type: form': () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  'content type: none': () => ({ headers: { 'content-type': null } }),
};

const CODES_OF_REFUSAL = [
  'oauth_state_invalid',
  'oauth_failed',
  'validation_failed',
  'bad_request',
  'unsupported_media_type',
];

/** The callback of the app's API with every possible fault, always with a good code. */
export function callbackAttacks(context: Context): Group {
  const single = { ...STATES, ...COOKIES, ...VERIFIERS, ...CODES, ...SHAPES, ...nastyFields(), ...foreign(context) };
  return {
    name: 'callback',
    isRefused: refusedWith(...CODES_OF_REFUSAL),
    attacks: [
      ...Object.entries(single).map(([name, spoil]) => toAttack(context, name, spoil)),
      ...RAW_BODIES.map(([name, raw]) => rawAttack(context, name, raw)),
      ...repeated(context),
    ],
    honest: async () => {
      const { browser, request } = await prepare(context);
      return (await sendRequest(browser, request)).status === 200;
    },
  };
}

/** Signs in as far as the callback page, in a browser of its own. */
async function prepare({ url, person }: Context): Promise<{ browser: Browser; request: Request }> {
  const browser = createBrowser(url);
  const back = await walk(browser, await begin(browser), person);
  const cookie = `${SIGN_IN_COOKIE}=${browser.cookies.get(SIGN_IN_COOKIE)?.value}`;
  return { browser, request: { body: { ...back }, cookie, headers: {} } };
}

function sendRequest(browser: Browser, { body, cookie, headers }: Request): Promise<Answer> {
  return browser.post(CALLBACK, { json: body, headers: { cookie: cookie || null, ...headers } });
}

/** The control arm redeems the attack's own code without checking state, cookie or the browser's verifier. */
function toAttack(context: Context, name: string, spoil: Spoil): Attack {
  let left: { code: string; verifier: string } | undefined;
  return {
    name,
    async send() {
      const { browser, request } = await prepare(context);
      left = { code: String(request.body.code), verifier: await context.readVerifier(String(request.body.state)) };
      return sendRequest(browser, { ...request, ...(await spoil(request)) });
    },
    passesWeakCheck: async () => left !== undefined && context.redeem(left.code, left.verifier),
  };
}

/** Parts of another user's sign-in, or of another one in the same browser. */
function foreign(context: Context): Record<string, Spoil> {
  const other = () => prepare(context);
  const sameBrowser = async ({ cookie }: Request) => {
    const browser = createBrowser(context.url);
    browser.cookies.set(SIGN_IN_COOKIE, { value: cookie.slice(cookie.indexOf('=') + 1), path: '/' });
    return begin(browser);
  };
  const take = (field: keyof Back): Spoil => {
    return async ({ body }) => ({ body: { ...body, [field]: (await other()).request.body[field] } });
  };
  return {
    'state: of another browser': take('state'),
    'state: of another sign-in here': async (r) => ({ body: { ...r.body, state: (await sameBrowser(r)).state } }),
    'state and verifier: of another sign-in here': async (r) => {
      const { state, code_verifier } = await sameBrowser(r);
      return { body: { ...r.body, state, code_verifier } };
    },
    'cookie: of another browser': async () => ({ cookie: (await other()).request.cookie }),
    'verifier: of another sign-in': take('code_verifier'),
    'verifier: of another sign-in here': async (r) => {
      return { body: { ...r.body, code_verifier: (await sameBrowser(r)).code_verifier } };
    },
    'code: of another person’s sign-in': take('code'),
    'code, state, verifier: all of another browser': async () => ({ body: (await other()).request.body }),
  };
}

const RAW_BODIES: [string, string | Buffer][] = [
  ['body: none', ''],
  ['body: no JSON', '{"code":'],
  ['body: an array', '[]'],
  ['body: a text', '"code"'],
  ['body: null', 'null'],
  ['body: __proto__', '{"__proto__":{"code":"x"},"code":"x","state":"y"}'],
  ['body: 30 levels deep', `${'{"code":'.repeat(30)}1${'}'.repeat(30)}`],
  ['body: no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
];

function rawAttack({ url }: Context, name: string, raw: string | Buffer): Attack {
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['origin', url],
  ];
  return { name, send: () => ask(url + CALLBACK, { method: 'POST', headers, body: raw }) };
}

/** Single-use values: the second use is the attack. */
function repeated(context: Context): Attack[] {
  const twice = (name: string, second: (used: Request, browser: Browser) => Promise<Request>): Attack => ({
    name,
    async send() {
      const { browser, request } = await prepare(context);
      const first = await sendRequest(browser, request);
      if (first.status !== 200) throw new Error(`the first use failed: ${first.body}`);
      return sendRequest(browser, await second(request, browser));
    },
  });
  return [
    {
      name: 'reused: a state that failed once, now with its good code',
      async send() {
        const { browser, request } = await prepare(context);
        await sendRequest(browser, { ...request, body: { ...request.body, code: secret() } });
        return sendRequest(browser, request);
      },
      isRefused: refusedWith('oauth_state_invalid'),
    },
    twice('reused: the same request again', async (used) => used),
    twice('reused: its code in a new sign-in', async (used, browser) => {
      const { state, code_verifier } = await begin(browser);
      return { ...used, body: { code: used.body.code, state, code_verifier } };
    }),
    twice('reused: its state with a new code', async (used) => {
      const fresh = (await prepare(context)).request;
      return { ...used, body: { ...used.body, code: fresh.body.code } };
    }),
  ];
}
