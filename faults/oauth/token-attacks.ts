import { createBrowser, ownAddress } from './browser.ts';
import type { Attack, Group } from './group.ts';
import { type Answer, type Ask, ask } from './http.ts';
import { begin, type Person, walk } from './own-sign-in.ts';

export interface ProviderClient {
  client_secret: string;
  /** Returns the provider's verifier of a sign-in that was started. */
  readVerifier: (state: string) => Promise<string>;
}

type Fields = Record<string, string>;
/** The fields that the attack changes; `null` omits one. */
type Edit = (fields: Fields, more: { browser_verifier: string }) => Record<string, string | null>;

const CLIENTS: Record<string, Edit> = {
  'client: wrong secret': () => ({ client_secret: 'x'.repeat(43) }),
  'client: secret cut': ({ client_secret = '' }) => ({ client_secret: client_secret.slice(0, -1) }),
  'client: empty secret': () => ({ client_secret: '' }),
  'client: no secret': () => ({ client_secret: null }),
  'client: not said': () => ({ client_id: null, client_secret: null }),
  'client: another': () => ({ client_id: 'evil' }),
  'client: an assertion with alg none': () => ({
    client_secret: null,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"sendlap","iss":"sendlap"}').toString('base64url')}.`,
  }),
};

const VERIFIERS: Record<string, Edit> = {
  'verifier: none': () => ({ code_verifier: null }),
  'verifier: empty': () => ({ code_verifier: '' }),
  'verifier: wrong': () => ({ code_verifier: 'w'.repeat(43) }),
  'verifier: too short': () => ({ code_verifier: 'w' }),
  'verifier: the browser’s proof of our own API': (_, { browser_verifier }) => ({ code_verifier: browser_verifier }),
  'verifier: cut': ({ code_verifier = '' }) => ({ code_verifier: code_verifier.slice(0, -1) }),
  'verifier: 5,000 characters': () => ({ code_verifier: 'w'.repeat(5_000) }),
};

const GRANTS: Record<string, Edit> = {
  'redirect_uri: none': () => ({ redirect_uri: null }),
  'redirect_uri: another house': () => ({ redirect_uri: 'https://evil.example/auth/callback' }),
  'redirect_uri: a slash more': ({ redirect_uri }) => ({ redirect_uri: `${redirect_uri}/` }),
  'code: none': () => ({ code: null }),
  'code: made up': () => ({ code: 'x'.repeat(43) }),
  'code: U+0000': () => ({ code: '\u0000' }),
  'code: 10,000 characters': () => ({ code: 'x'.repeat(10_000) }),
  ...Object.fromEntries(
    [
      '',
      'password',
      'implicit',
      'client_credentials',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'constructor',
    ].map((grant_type): [string, Edit] => [
      `grant_type: "${grant_type}"`,
      () => ({ grant_type, username: 'a', password: 'b', refresh_token: 'x' }),
    ]),
  ),
};

/** The own provider's token endpoint, called without the app's API, with a good code. */
export function tokenEndpointAttacks(url: string, person: Person, client: ProviderClient): Group {
  const good = new Map<Attack, Fields>();
  const edits = Object.entries({ ...CLIENTS, ...VERIFIERS, ...GRANTS });
  const attacks = edits.map(([name, edit]): Attack => {
    const attack: Attack = {
      name,
      async send() {
        const { fields, browser_verifier } = await obtain(url, person, client);
        good.set(attack, fields);
        return post(url, { ...fields, ...edit(fields, { browser_verifier }) });
      },
    };
    return attack;
  });
  return {
    name: 'provider: /oidc/token',
    isRefused: ({ status }) => status === 400 || status === 401,
    attacks: [...attacks, ...otherWays(url, person, client)],
    // The attack's own code, now with everything that belongs to it.
    honest: async (attack) => {
      const answer = await post(url, good.get(attack) ?? (await obtain(url, person, client)).fields);
      return answer.status === 200 && answer.body.includes('"id_token"');
    },
  };
}

/** Exchanges a code as a naive relying party does: with the client's secret and the verifier, without other checks. */
export async function redeem(url: string, client_secret: string, code: string, verifier: string): Promise<boolean> {
  return (await post(url, fieldsOf({ url, client_secret, code, verifier }))).status === 200;
}

function fieldsOf(from: { url: string; client_secret: string; code: string; verifier: string }): Fields {
  const { url, client_secret, code, verifier: code_verifier } = from;
  const redirect_uri = `${url}/auth/callback`;
  return { grant_type: 'authorization_code', client_id: 'sendlap', client_secret, redirect_uri, code, code_verifier };
}

async function obtain(url: string, person: Person, { client_secret, readVerifier }: ProviderClient) {
  const browser = createBrowser(url);
  const begun = await begin(browser);
  const { code } = await walk(browser, begun, person);
  const verifier = await readVerifier(begun.state);
  return { fields: fieldsOf({ url, client_secret, code, verifier }), browser_verifier: begun.code_verifier };
}

const FORM: [string, string] = ['content-type', 'application/x-www-form-urlencoded'];

function post(url: string, fields: Record<string, string | null>, headers: [string, string][] = []): Promise<Answer> {
  const present = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== null);
  const body = new URLSearchParams(present).toString();
  return call(`${url}/oidc/token`, { method: 'POST', headers: [FORM, ...headers], body });
}

function call(address: string, { headers = [], ...request }: Ask = {}): Promise<Answer> {
  return ask(address, { ...request, headers: [ownAddress(), ...headers] });
}

/** Disabled endpoints, other methods and types, a code used a second time, a reader from another origin. */
function otherWays(url: string, person: Person, client: ProviderClient): Attack[] {
  const fresh = async () => (await obtain(url, person, client)).fields;
  const isGone = ({ status }: Answer) => [400, 401, 404, 405].includes(status);
  const off = ['reg', 'me', 'userinfo', 'session/end', 'token/introspection', 'token/revocation', 'device', 'request'];
  return [
    {
      name: 'code: for the second time',
      send: async () => {
        const fields = await fresh();
        await post(url, fields);
        return post(url, fields);
      },
    },
    {
      name: 'JSON',
      send: async () => {
        const body = JSON.stringify(await fresh());
        return call(`${url}/oidc/token`, { method: 'POST', headers: [['content-type', 'application/json']], body });
      },
    },
    {
      name: 'GET',
      send: async () => call(`${url}/oidc/token?${new URLSearchParams(await fresh())}`),
      isRefused: isGone,
    },
    {
      name: 'a page of another origin reads the reply',
      send: async () => hideTokens(await post(url, await fresh(), [['origin', 'https://evil.example']])),
      isRefused: ({ header }) => header('access-control-allow-origin') === undefined,
    },
    ...off.map(
      (path): Attack => ({
        name: `endpoint /oidc/${path}`,
        send: () => call(`${url}/oidc/${path}`, { method: 'POST', headers: [FORM], body: 'token=x&client_id=sendlap' }),
        isRefused: isGone,
      }),
    ),
    {
      name: 'private keys in /oidc/jwks',
      send: () => call(`${url}/oidc/jwks`),
      isRefused: ({ status, body }) => status === 200 && body.includes('"kty"') && !/"(d|p|q|k)":/.test(body),
    },
  ];
}

/** With the secret, any caller may exchange the code; only whether a page could read the reply counts. */
function hideTokens(answer: Answer): Answer {
  return { ...answer, body: '' };
}
