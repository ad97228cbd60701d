import { afterEach, describe, expect, test } from 'vitest';
import { createMovedTimer } from '#test/moved-timer.ts';
import { createOutsideBrowser, EXTERNAL_CLIENT, startExternalIssuer } from '#test/servers/external-issuer.ts';
import { createExternalProvider } from './external-provider.ts';

const PUBLIC_URL = 'https://sendlap.example';
const SECRETS = {
  redirect_uri: `${PUBLIC_URL}/auth/callback`,
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
};
const SIGN_IN = { signup: false, force_login: false };
const SIGN_UP = { signup: true, force_login: false };
const UNAVAILABLE = { code: 'provider_unavailable', status: 503 };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function startIssuer(options: Parameters<typeof startExternalIssuer>[0] = {}) {
  const external = await startExternalIssuer({ redirect_uris: [SECRETS.redirect_uri], ...options });
  open.push(external);
  const create = (changes: Partial<Parameters<typeof createExternalProvider>[0]> = {}) =>
    createExternalProvider({ issuer: external.issuer, ...EXTERNAL_CLIENT, public_url: PUBLIC_URL, ...changes });
  return { external, create };
}

type Provider = ReturnType<typeof createExternalProvider>;

/** Signs a user in and returns the data that the callback page would read. */
async function walkThrough(provider: Provider, options: Parameters<Provider['beginSignIn']>[1] = SIGN_IN) {
  const start = await provider.beginSignIn(SECRETS, options);
  const { address } = await createOutsideBrowser().walk(start.href, 'grace');
  const { code = '', state, iss } = Object.fromEntries(new URL(address).searchParams);
  return { code, state, iss };
}

describe('an external provider', () => {
  test('must be https unless it is on this machine', () => {
    const create = (issuer: string) => () =>
      createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: PUBLIC_URL });
    expect(create('http://id.example')).toThrow('OIDC_ISSUER');
    expect(create('https://id.example')).not.toThrow();
  });

  test.each(['down', 'rubbish', 'slow'] as const)(
    'that is %s is unavailable, not a refusal, and is asked again',
    async (mood) => {
      const { external, create } = await startIssuer();
      // Shortens a timeout to 50 ms when the issuer is slow, and leaves it alone otherwise.
      const signalOf = (given: AbortSignal | undefined) =>
        given && external.mood === 'slow' ? AbortSignal.timeout(50) : given;
      const provider = create({
        fetch: (url, { signal, ...options }) =>
          fetch(url, { ...options, signal: signalOf(signal) ?? null } as RequestInit),
      });
      external.mood = mood;
      await expect(provider.beginSignIn(SECRETS, SIGN_IN)).rejects.toMatchObject(UNAVAILABLE);
      external.mood = 'well';
      const { code } = await walkThrough(provider);
      external.mood = mood;
      await expect(provider.beginSignIn(SECRETS, SIGN_IN)).rejects.toMatchObject(UNAVAILABLE);
      await expect(provider.signOut('a.b.c')).rejects.toMatchObject(UNAVAILABLE);
      await expect(provider.completeSignIn(SECRETS, { code })).rejects.toMatchObject(UNAVAILABLE);
      external.mood = 'well';
      await expect(provider.completeSignIn(SECRETS, { code })).resolves.toMatchObject({ subject: 'grace' });
    },
  );

  test('signs a person in by discovery, code, PKCE and a confidential client, and refuses replies of another sign-in', async () => {
    const { external, create } = await startIssuer();
    const provider = create();
    const { code, state, iss } = await walkThrough(provider, { ...SIGN_UP, ui_locales: 'es' });
    expect([state, iss]).toEqual([SECRETS.state, external.issuer]);
    const person = await provider.completeSignIn(SECRETS, { code });
    expect(person).toEqual({
      issuer: external.issuer,
      subject: 'grace',
      email: 'grace@elsewhere.example',
      name: 'Grace Hopper',
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });

    const refused = { code: 'oauth_failed', status: 400 };
    const complete = async (changes: Partial<typeof SECRETS>, by = provider, more: { iss?: string } = {}) =>
      by.completeSignIn({ ...SECRETS, ...changes }, { code: (await walkThrough(provider)).code, ...more });
    await expect(provider.completeSignIn(SECRETS, { code })).rejects.toMatchObject(refused);
    await expect(complete({ verifier: 'w'.repeat(43) })).rejects.toMatchObject(refused);
    await expect(complete({ nonce: 'm'.repeat(43) })).rejects.toMatchObject(refused);
    await expect(complete({}, create({ client_secret: 'guess' }))).rejects.toMatchObject(refused);
    await expect(complete({}, provider, { iss: 'https://evil.example' })).rejects.toMatchObject(refused);
  });

  test.each(['', '/'])(
    'keeps the identities of its users when it is configured with %j at the end of its address',
    async (end) => {
      const { external, create } = await startIssuer();
      const provider = create({ issuer: external.issuer + end });
      const { code } = await walkThrough(provider);
      const { issuer, subject } = await provider.completeSignIn(SECRETS, { code });
      expect({ issuer, subject }).toEqual({ issuer: external.issuer, subject: 'grace' });
    },
  );

  test('shows the sign-up page that it announces, and asks for the password after a sign-out', async () => {
    const promptOf = async (provider: Provider, signup: boolean, force_login: boolean) =>
      (await provider.beginSignIn(SECRETS, { signup, force_login })).searchParams.get('prompt');
    const announcing = (await startIssuer({ announces_create: true })).create();
    expect(await promptOf(announcing, true, false)).toBe('create');
    expect(await promptOf(announcing, true, true)).toBe('create');
    expect(await promptOf(announcing, false, true)).toBe('login');
    expect(await promptOf(announcing, false, false)).toBeNull();
    const plain = (await startIssuer()).create();
    expect(await promptOf(plain, true, false)).toBeNull();
    expect(await promptOf(plain, true, true)).toBe('login');
  });

  test.each([
    ['authorization_endpoint', undefined],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 7],
    ['token_endpoint', undefined],
    ['token_endpoint', '/token'],
    ['jwks_uri', undefined],
    ['jwks_uri', 'http://id.example/jwks'],
    ['end_session_endpoint', 'javascript:alert(1)'],
    ['userinfo_endpoint', 'file:///etc/passwd'],
  ])('is unavailable while its discovery has %s = %j, and works once that is corrected', async (name, value) => {
    const issuer = 'https://id.example';
    const good = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    let metadata: object = { ...good, [name]: value };
    const fetch = async () => Response.json(metadata);
    const provider = createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: PUBLIC_URL, fetch });
    await expect(provider.beginSignIn(SECRETS, SIGN_IN)).rejects.toMatchObject(UNAVAILABLE);
    metadata = good;
    await expect(provider.beginSignIn(SECRETS, SIGN_IN)).resolves.toBeInstanceOf(URL);
  });

  test('that never answers delays the answer about sign-up once, by 2 seconds; a press asks it again', async () => {
    const issuer = 'https://id.example';
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    const timer = createMovedTimer();
    const requests: PromiseWithResolvers<Response>[] = [];
    const fetch = () => {
      const request = Promise.withResolvers<Response>();
      requests.push(request);
      return request.promise;
    };
    const provider = createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: PUBLIC_URL, fetch, timer });
    const first = provider.offersSignUp();
    const pressed = provider.beginSignIn(SECRETS, SIGN_IN);
    timer.advance(2_000);
    expect(await first).toBe(true);
    requests[0]?.reject(new TypeError('fetch failed'));
    await expect(pressed).rejects.toMatchObject(UNAVAILABLE);

    // The timer does not move from here on: an answer that waited would never come.
    expect(await provider.offersSignUp()).toBe(true);
    const pressed_again = provider.beginSignIn(SECRETS, SIGN_IN);
    requests[1]?.resolve(Response.json(metadata));
    await expect(pressed_again).resolves.toBeInstanceOf(URL);
    expect([await provider.offersSignUp(), requests.length]).toEqual([false, 2]);

    timer.advance(3_600_000);
    expect([await provider.offersSignUp(), requests.length]).toEqual([false, 3]);
    requests[2]?.resolve(Response.json({ ...metadata, prompt_values_supported: ['create'] }));
    await provider.beginSignIn(SECRETS, SIGN_IN);
    expect([await provider.offersSignUp(), requests.length]).toEqual([true, 3]);
  });

  test('of Cognito takes sign-up at /signup and logs out by client id and address', async () => {
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool';
    const domain = 'https://pool.auth.eu-west-1.amazoncognito.com';
    const metadata = {
      issuer,
      authorization_endpoint: `${domain}/oauth2/authorize`,
      token_endpoint: `${domain}/oauth2/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
    };
    const fetch = async () => Response.json(metadata);
    const provider = createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: PUBLIC_URL, fetch });
    const sign_up = await provider.beginSignIn(SECRETS, SIGN_UP);
    expect(sign_up.origin + sign_up.pathname).toBe(`${domain}/signup`);
    expect(sign_up.searchParams.get('code_challenge_method')).toBe('S256');
    const sign_in = await provider.beginSignIn(SECRETS, SIGN_IN);
    expect(sign_in.pathname).toBe('/oauth2/authorize');
    const back = encodeURIComponent(`${PUBLIC_URL}/login`);
    const { client_id } = EXTERNAL_CLIENT;
    expect(await provider.signOut(undefined)).toBe(`${domain}/logout?client_id=${client_id}&logout_uri=${back}`);
  });
});
