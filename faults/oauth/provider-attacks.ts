import { randomBytes } from 'node:crypto';
import { createBrowser } from './browser.ts';
import type { Attack, Group } from './group.ts';
import type { Answer } from './http.ts';
import { begin } from './own-sign-in.ts';
import { lookAlikes } from './redirect-uris.ts';

type Edit = (query: URLSearchParams) => void;

const set =
  (name: string, value: string): Edit =>
  (query) =>
    query.set(name, value);
const drop =
  (...names: string[]): Edit =>
  (query) => {
    for (const name of names) query.delete(name);
  };
const twice =
  (name: string, value: string): Edit =>
  (query) =>
    query.append(name, value);

const CHALLENGES: Record<string, Edit> = {
  'PKCE: plain': set('code_challenge_method', 'plain'),
  'PKCE: the method left out, which means plain': drop('code_challenge_method'),
  'PKCE: no challenge': drop('code_challenge', 'code_challenge_method'),
  'PKCE: a method without a challenge': drop('code_challenge'),
  'PKCE: an empty challenge': set('code_challenge', ''),
  'PKCE: a challenge of 10 characters': set('code_challenge', 'x'.repeat(10)),
  'PKCE: a challenge of 2,000 characters': set('code_challenge', 'x'.repeat(2_000)),
  'PKCE: a challenge of other characters': set('code_challenge', '<'.repeat(43)),
  'PKCE: method s256': set('code_challenge_method', 's256'),
  'PKCE: method none': set('code_challenge_method', 'none'),
  'PKCE: two challenges': twice('code_challenge', randomBytes(32).toString('base64url')),
  'PKCE: two methods': twice('code_challenge_method', 'plain'),
};

const CLIENTS: Record<string, Edit> = {
  'client: missing': drop('client_id'),
  'client: another': set('client_id', 'evil'),
  'client: __proto__': set('client_id', '__proto__'),
  'client: an address': set('client_id', 'https://evil.example/client.json'),
  'client: U+0000': set('client_id', 'sendlap\u0000'),
  'client: twice': twice('client_id', 'evil'),
};

const RESPONSES: Record<string, Edit> = Object.fromEntries([
  ...['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'code id_token token', 'none', '', 'x'].map(
    (type): [string, Edit] => [`response_type: "${type}"`, set('response_type', type)],
  ),
  ['response_type: missing', drop('response_type')],
  ['response_mode: rubbish', set('response_mode', 'evil')],
  ['response_mode: web_message', set('response_mode', 'web_message')],
  ['response_mode: jwt', set('response_mode', 'jwt')],
]);

const OTHERS: Record<string, Edit> = {
  'prompt: none': set('prompt', 'none'),
  'prompt: none login': set('prompt', 'none login'),
  'prompt: rubbish': set('prompt', 'evil'),
  'request: alg none': set('request', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`),
  'request_uri: another house': set('request_uri', 'https://evil.example/request.jwt'),
  'registration: an object': set('registration', '{"redirect_uris":["https://evil.example"]}'),
  'id_token_hint: rubbish': set('id_token_hint', 'x.y.z'),
  'max_age: below zero': set('max_age', '-1'),
  'scope: unknown only': set('scope', 'admin'),
  'state: twice': twice('state', 'x'),
};

/** The own provider's authorization endpoint, called without the app's API. */
export function authorizationEndpointAttacks(url: string): Group {
  const callback = `${url}/auth/callback`;
  const addresses = lookAlikes(callback).filter((address) => address.length < 2_000);
  const redirects = Object.fromEntries([
    ...addresses.map((address): [string, Edit] => [`redirect_uri: ${address}`, set('redirect_uri', address)]),
    ['redirect_uri: missing', drop('redirect_uri')],
    ['redirect_uri: twice', twice('redirect_uri', 'https://evil.example')],
  ]);
  const edits = { ...CHALLENGES, ...CLIENTS, ...RESPONSES, ...OTHERS, ...redirects };
  return {
    name: 'provider: /oidc/auth',
    isRefused: (answer) => isNoWayOn(answer, callback),
    attacks: Object.entries(edits).map(([name, edit]): Attack => ({ name, send: () => open(url, edit) })),
    honest: async () => {
      const { status, location } = await open(url, () => {});
      return status === 303 && location?.startsWith('/oidc/interaction/') === true;
    },
  };
}

async function open(url: string, edit: Edit): Promise<Answer> {
  const browser = createBrowser(url);
  const { origin, pathname, searchParams } = new URL((await begin(browser)).authorization_url);
  edit(searchParams);
  return browser.get(`${origin}${pathname}?${searchParams}`);
}

/**
 * A page that refuses, or the redirect to the app's callback with an error and without a code; never one to the forms.
 */
function isNoWayOn({ status, location }: Answer, callback: string): boolean {
  if (status >= 400 && status < 500) return true;
  if (status !== 303 || !location) return false;
  const { origin, pathname, search, hash } = new URL(location, callback);
  const told = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
  return origin + pathname === callback && told.has('error') && !told.has('code');
}
