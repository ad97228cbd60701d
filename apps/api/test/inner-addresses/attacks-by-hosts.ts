import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExternalProvider } from '#api/accounts/provider/external-provider.ts';
import { obtainCertificate } from '#api/acme/acme-client.ts';
import { callServer } from '#api/doctor/call-server.ts';
import { fetchArea } from '#api/modules/sport-centers/import/fetch-overpass.ts';
import { parseArea } from '#api/modules/sport-centers/import/read/overpass-area.ts';
import { createByteSource } from '#api/modules/tiles/archive/byte-source.ts';
import { fetchLimited } from '#api/modules/tiles/tile-server/fetch-limited.ts';
import { systemTimer } from '#api/platform/timer.ts';
import { EXTERNAL_CLIENT } from '../servers/external-issuer.ts';
import { type Attack, type Attacks, redirectTo } from './attack.ts';
import { type FakeInternet, OUTSIDE, OUTSIDE_V6 } from './fake-internet.ts';
import { DNS_ANSWERS, PRIVATE_ADDRESSES, PRIVATE_HOSTS } from './private-addresses.ts';

/** Ways of writing the addresses of a host outside, each of which some check may take for one inside. */
const FORMS_OF_OUTSIDE = [OUTSIDE, OUTSIDE_V6, `::ffff:${OUTSIDE}`, '64:ff9b::5db8:d70e'];

interface Setting {
  way: string;
  scheme: 'http' | 'https';
  /** Uses the setting; returns 'used', or the refusal. */
  use(address: string): Promise<string>;
  expected: RegExp;
  /** A useful answer. */
  answer: RequestListener;
  /** Its name may lead anywhere at any time. */
  is_own?: boolean;
  /** Answers that name this address in a document. */
  naming?: Record<string, (host: string, address: string) => RequestListener>;
}

/** Hosts of settings that lead the server inside: by a redirect, in a document, or by a name that changes. */
export function attackSetting(internet: FakeInternet, setting: Setting): Attacks {
  const { way, scheme, use, expected, answer, is_own = false, naming = {} } = setting;
  const lead = (turns: string[][], answerOf: (host: string) => RequestListener = () => answer) => {
    const host = `${way.toLowerCase().replace(/\W/g, '-')}-${randomUUID()}.example.org`;
    internet.names.set(host, turns);
    internet.answers.set(host, answerOf(host));
    return `${scheme}://${host}/`;
  };
  const atName = (turns: string[][]) => new URL(lead(turns)).host;
  const others = [
    ...PRIVATE_HOSTS.map((host) => ({ to: host, at: () => host })),
    ...PRIVATE_ADDRESSES.flatMap((inner) =>
      Object.entries(DNS_ANSWERS).map(([kind, answersOf]) => ({
        to: `a name ${kind}: ${inner}`,
        at: () => atName(answersOf(inner, OUTSIDE)),
      })),
    ),
  ];
  const attacks: Attack[] = [
    ...others.flatMap(({ to, at }, nth) => [
      {
        name: `redirected to ${to}`,
        run: () => {
          const status = [301, 302, 303, 307, 308][nth % 5] ?? 302;
          const from = FORMS_OF_OUTSIDE[nth % FORMS_OF_OUTSIDE.length] ?? OUTSIDE;
          return use(lead([[from]], () => redirectTo(status, `${scheme}://${at()}/`)));
        },
        expected,
      },
      ...Object.entries(naming).map(([document, answerNaming]) => ({
        name: `${document} at ${to}`,
        run: () => use(lead([[OUTSIDE]], (host) => answerNaming(host, `${scheme}://${at()}/`))),
        expected,
      })),
    ]),
    ...(is_own ? [] : PRIVATE_ADDRESSES).map((inner) => ({
      name: `whose own name changes to ${inner}`,
      async run() {
        const address = lead([[OUTSIDE]]);
        const before = await use(address);
        internet.names.set(new URL(address).host, [[inner]]);
        return `${before}, ${await use(address)}`;
      },
      expected: new RegExp(`^used, ${expected.source.slice(1)}`),
    })),
  ];
  const honest = [{ name: 'at a host outside', run: () => use(lead([[OUTSIDE]])), expected: /^used$/ }];
  return { way, attacks, honest, close: () => {} };
}

const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const outcomeOf = (used: Promise<unknown>) =>
  used.then(
    () => 'used',
    (error: Error & { code?: string }) => error.code ?? error.constructor.name,
  );

/** All of them, for one run. */
export async function openSettings(): Promise<{ settings: Setting[]; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-overpass-'));
  const limits = { max_bytes: 100, timeout_ms: 10_000, timer: systemTimer };
  const settings: Setting[] = [
    {
      ...{ way: 'tiles of a server', scheme: 'http', expected: /^Source(Unusable|Unreachable)$/ },
      use: (address) => outcomeOf(fetchLimited(`${address}0/0/0.pbf`, limits)),
      answer: (_request, response) => void response.end('a tile'),
    },
    {
      ...{ way: 'archive of tiles', scheme: 'http', expected: /^Source(Unusable|Unreachable)$/ },
      use: (address) => outcomeOf(createByteSource(`${address}map.pmtiles`)(0, 5)),
      answer: (_request, response) => void response.writeHead(206, { 'content-range': 'bytes 0-4/5' }).end('a map'),
    },
    {
      ...{ way: 'Overpass', scheme: 'http', expected: /^overpass_failed$/ },
      use: (endpoint) => outcomeOf(fetchOne(folder, endpoint)),
      answer: json({ version: 0.6, elements: [] }),
    },
    issuerSetting(),
    acmeSetting(),
    {
      ...{ way: 'own public address', scheme: 'http', expected: /^not followed$/, is_own: true },
      use: async (address) => {
        const { status } = await callServer(address, {});
        return status >= 300 ? 'not followed' : 'used';
      },
      answer: json({}),
    },
  ];
  return { settings, close: () => rm(folder, { recursive: true, force: true }) };
}

function fetchOne(folder: string, endpoint: string): Promise<string[]> {
  const area = parseArea('2,41,2.1,41.1');
  return fetchArea(area, { endpoint, folder, fresh: true, on_cell() {}, wait: async () => {} });
}

/** Signs in until the code is exchanged, which needs a token that no attack has: the honest issuer refuses the code. */
function issuerSetting(): Setting {
  const documentOf = (host: string, more: object) =>
    json({
      issuer: `https://${host}/`,
      authorization_endpoint: `https://${host}/auth`,
      token_endpoint: `https://${host}/token`,
      jwks_uri: `https://${host}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
      ...more,
    });
  const answering =
    (more: object, token: RequestListener): RequestListener =>
    (request, response) => {
      const host = request.headers.host ?? '';
      if (request.url?.startsWith('/.well-known/')) documentOf(host, more)(request, response);
      else if (request.url === '/token') token(request, response);
      else json({ keys: [] })(request, response);
    };
  const refuseCode: RequestListener = (_request, response) =>
    void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  const providers = new Map<string, ReturnType<typeof createExternalProvider>>();
  return {
    ...{ way: 'issuer', scheme: 'https', expected: /^provider_unavailable$/ },
    async use(issuer) {
      const public_url = 'https://sendlap.example';
      const provider = providers.get(issuer) ?? createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url });
      providers.set(issuer, provider);
      const secrets = {
        ...{ redirect_uri: `${public_url}/auth/callback`, state: 's'.repeat(43) },
        ...{ nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) },
      };
      const outcome = await outcomeOf(provider.completeSignIn(secrets, { code: 'any' }));
      return outcome === 'oauth_failed' ? 'used' : outcome;
    },
    answer: answering({}, refuseCode),
    naming: {
      'naming its token endpoint': (_host, token_endpoint) => answering({ token_endpoint }, refuseCode),
      'naming its keys': (host, jwks_uri) => answering({ jwks_uri }, json(tokensOf(host))),
    },
  };
}

/** A token whose signature has to be checked with the keys of the issuer. */
function tokensOf(host: string) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now_s = Math.floor(Date.now() / 1000);
  const claims = { iss: `https://${host}/`, aud: EXTERNAL_CLIENT.client_id, sub: 'a', nonce: 'n'.repeat(43) };
  const id_token = [part({ alg: 'ES256', kid: 'one' }), part({ ...claims, iat: now_s, exp: now_s + 60 }), 'c2ln'].join(
    '.',
  );
  return { access_token: 'a', token_type: 'Bearer', id_token };
}

/** Goes as far as the account, which the honest authority refuses. */
function acmeSetting(): Setting {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const account_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const answering =
    (more: object): RequestListener =>
    (request, response) => {
      const at = `http://${request.headers.host}`;
      response.setHeader('replay-nonce', 'nonce');
      if (request.url === '/') {
        const directory = { newNonce: `${at}/nonce`, newAccount: `${at}/account`, newOrder: `${at}/order`, ...more };
        json(directory)(request, response);
      } else response.writeHead(request.url === '/nonce' ? 204 : 403).end();
    };
  return {
    ...{ way: 'ACME directory', scheme: 'http', expected: /^AcmeError$/ },
    async use(directory_url) {
      const options = { directory_url, email: 'a@b.example', account_key, host: 'sendlap.example' };
      const { signal } = new AbortController();
      const failure = await obtainCertificate({ ...options, answerChallenge() {}, signal }).catch((error) => error);
      return /answered with 403/.test(String(failure)) ? 'used' : failure.constructor.name;
    },
    answer: answering({}),
    naming: {
      'naming its nonces': (_host, newNonce) => answering({ newNonce }),
      'naming its accounts': (_host, newAccount) => answering({ newAccount }),
    },
  };
}
