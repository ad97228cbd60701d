import { type Browser, createBrowser } from './browser.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { AUTHORIZE } from './own-sign-in.ts';
import { lookAlikes, passesSloppyCheck } from './redirect-uris.ts';

/** The app's own authorize call with foreign return addresses and other garbage. */
export function authorizeAttacks(url: string): Group[] {
  const callback = `${url}/auth/callback`;
  const honest = async () => (await ask(url, `redirect_uri=${encodeURIComponent(callback)}`)).status === 200;
  return [
    {
      name: 'authorize: redirect_uri',
      isRefused: refusedWith('redirect_uri_not_allowed', 'validation_failed', 'bad_request'),
      attacks: [
        ...lookAlikes(callback).map(
          (address): Attack => ({
            name: address,
            send: () => ask(url, new URLSearchParams({ redirect_uri: address, use_pkce: 'true' }).toString()),
            passesWeakCheck: () => passesSloppyCheck(address, callback),
          }),
        ),
        ...repeatedParameters(callback).map((query): Attack => ({ name: query, send: () => ask(url, query) })),
      ],
      honest,
    },
    {
      name: 'authorize: the rest',
      isRefused: refusedWith('validation_failed', 'bad_request', 'not_found', 'method_not_allowed'),
      attacks: [...rubbish(callback).map((query) => ({ name: query, send: () => ask(url, query) })), ...elsewhere(url)],
      honest,
    },
  ];
}

function ask(url: string, query: string, browser: Browser = createBrowser(url)) {
  return browser.get(`${AUTHORIZE}?${query}`);
}

function repeatedParameters(callback: string): string[] {
  const good = `redirect_uri=${encodeURIComponent(callback)}`;
  const evil = `redirect_uri=${encodeURIComponent('https://evil.example')}`;
  return [
    '',
    `${good}&${evil}`,
    `${evil}&${good}`,
    `${good}&${good}`,
    `redirect_uri[]=${encodeURIComponent(callback)}`,
    `redirect_uri[x]=${encodeURIComponent(callback)}`,
    `Redirect_Uri=${encodeURIComponent(callback)}`,
    'redirect_uri=%ED%A0%80',
    'redirect_uri=%',
    'redirect_uri=%00',
  ];
}

function rubbish(callback: string): string[] {
  const values = {
    use_pkce: ['', '1', 'TRUE', 'yes', 'plain', 'S256', 'null', 'true,false', 'true&use_pkce=false'],
    signup: ['', '1', 'maybe', 'true&signup=true'],
    ui_locales: ['', 'fr', 'EN', 'en%20es', '../../etc/passwd', 'en%00', '%ED%A0%80'],
    code_challenge_method: ['plain', 'S256'],
    code_challenge: ['x'.repeat(43)],
    state: ['chosen-by-the-attacker'],
    nonce: ['chosen-by-the-attacker'],
    client_id: ['sendlap'],
    response_type: ['token'],
    prompt: ['none'],
    constructor: ['x'],
  };
  return Object.entries(values).flatMap(([name, list]) =>
    list.map((value) => `redirect_uri=${encodeURIComponent(callback)}&${name}=${value}`),
  );
}

/** Other providers, other methods, and callers that claim another public address for the app. */
function elsewhere(url: string): Attack[] {
  const query = `?redirect_uri=${encodeURIComponent(`${url}/auth/callback`)}`;
  const browser = createBrowser(url);
  const paths = ['google', 'cognito%2F..%2Fgoogle', 'Cognito', '..', '', 'cognito/x', '__proto__'];
  const spoofed = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  return [
    ...paths.map((name) => ({
      name: `provider "${name}"`,
      send: () => browser.get(`/v1/auth/oauth/authorize/${name}${query}`),
    })),
    { name: 'POST', send: () => browser.post(AUTHORIZE + query, { json: {} }) },
    {
      name: 'another Host',
      send: () => browser.get(AUTHORIZE + query, { headers: spoofed }),
      isRefused: ({ status, data }) => status === 200 && String(data.authorization_url).startsWith(`${url}/oidc/auth?`),
    },
  ];
}
