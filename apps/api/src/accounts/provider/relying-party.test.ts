import { generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CrookedIssuer, json, startCrookedIssuer } from '#test/servers/crooked-issuer.ts';
import { createOutsideBrowser, EXTERNAL_CLIENT, startExternalIssuer } from '#test/servers/external-issuer.ts';
import { createExternalProvider } from './external-provider.ts';

const CALLBACK = 'https://sendlap.example/auth/callback';
const NONCE = 'n'.repeat(43);
const SECRETS = { redirect_uri: CALLBACK, state: 's'.repeat(43), nonce: NONCE, verifier: 'v'.repeat(43) };
const REFUSED = { code: 'oauth_failed', status: 400 };
const UNAVAILABLE = { code: 'provider_unavailable', status: 503 };

let crooked: CrookedIssuer;
beforeAll(async () => {
  crooked = await startCrookedIssuer(EXTERNAL_CLIENT.client_id, NONCE);
});
afterAll(() => crooked.close());
beforeEach(() => {
  crooked.answers = Object.assign(crooked.answers, {
    discovery: undefined,
    jwks: undefined,
    token: undefined,
    userinfo: undefined,
  });
});

/** A new server that knows nothing about the issuer yet. */
function exchange() {
  const { issuer } = crooked;
  const provider = createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: 'https://sendlap.example' });
  return provider.completeSignIn(SECRETS, { code: 'any' });
}

function exchangeFor(id_token: string) {
  crooked.giveIdToken(id_token);
  return exchange();
}

const seconds = () => Math.floor(Date.now() / 1000);

describe('an ID token is refused that', () => {
  test('has no signature', async () => {
    const none = new UnsecuredJWT({ ...crooked.claims, iat: seconds(), exp: seconds() + 60 })
      .setIssuer(crooked.issuer)
      .encode();
    await expect(exchangeFor(none)).rejects.toMatchObject(REFUSED);
    const signature = (await crooked.sign(crooked.claims)).split('.')[2];
    await expect(exchangeFor(`${none}${signature}`)).rejects.toMatchObject(REFUSED);
    await expect(exchangeFor((await crooked.sign(crooked.claims)).replace(/[^.]+$/, ''))).rejects.toMatchObject(
      REFUSED,
    );
  });

  test('is signed by HMAC, with the secret of the client or with the published key', async () => {
    for (const secret of [EXTERNAL_CLIENT.client_secret.repeat(2), crooked.public_key]) {
      const token = await crooked.sign(crooked.claims, { alg: 'HS256' }, new TextEncoder().encode(secret));
      await expect(exchangeFor(token)).rejects.toMatchObject(REFUSED);
    }
  });

  test('is signed by a key that the issuer does not publish, also under a published id or with itself in the header', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    await expect(exchangeFor(await crooked.sign(crooked.claims, {}, privateKey))).rejects.toMatchObject(REFUSED);
    await expect(exchangeFor(await crooked.sign(crooked.claims, { kid: 'another' }, privateKey))).rejects.toMatchObject(
      REFUSED,
    );
    const jku = `${crooked.issuer}/elsewhere`;
    await expect(exchangeFor(await crooked.sign(crooked.claims, { jku }, privateKey))).rejects.toMatchObject(REFUSED);
  });

  test.each<[string, () => JWTPayload]>([
    ['is for another app', () => ({ aud: 'another-app' })],
    ['is for several apps and does not say for whom it was made', () => ({ aud: ['sendlap-test', 'another-app'] })],
    ['was made for another app', () => ({ azp: 'another-app' })],
    ['is of another issuer', () => ({ iss: 'https://evil.example' })],
    ['has another nonce', () => ({ nonce: 'm'.repeat(43) })],
    ['has no nonce', () => ({ nonce: undefined })],
    ['is over', () => ({ exp: seconds() - 120 })],
    ['does not end', () => ({ exp: undefined })],
    ['was made in the future', () => ({ iat: seconds() + 600 })],
    ['names no subject', () => ({ sub: undefined })],
    ['names an empty subject', () => ({ sub: '' })],
    ['names a subject that could not be stored', () => ({ sub: 'gra\u0000ce' })],
    ['names a subject with half a character', () => ({ sub: 'grace\ud800' })],
    ['names a subject that is too long', () => ({ sub: 'g'.repeat(256) })],
  ])('%s', async (_why, changes) => {
    const token = await crooked.sign({ ...crooked.claims, ...changes() });
    await expect(exchangeFor(token)).rejects.toMatchObject(REFUSED);
  });

  test('is not a token', async () => {
    for (const text of ['', 'x', 'a.b.c', '..', '{}', `${await crooked.sign(crooked.claims)}.x`]) {
      await expect(exchangeFor(text)).rejects.toMatchObject(REFUSED);
    }
  });
});

describe('an issuer that answers', () => {
  const html = (status: number) => (response: import('node:http').ServerResponse) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Proxy</title>');
  const truncated = (response: import('node:http').ServerResponse) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': '900' })
      .write('{"keys"', () => response.destroy());
  };
  const endless = (response: import('node:http').ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };

  test.each(['discovery', 'jwks', 'token'] as const)(
    'rubbish, errors, half or endless replies at %s is unavailable, and nothing worse',
    async (endpoint) => {
      const id_token = await crooked.sign(crooked.claims);
      for (const answer of [html(200), html(404), html(502), json({}, 500), json([], 503), truncated, endless]) {
        crooked.giveIdToken(id_token);
        crooked.answers[endpoint] = answer;
        await expect(exchange()).rejects.toMatchObject(UNAVAILABLE);
      }
    },
  );

  test('nonsense in good JSON at the token endpoint refuses the sign-in, or is unavailable', async () => {
    for (const body of [null, [], 1, 'x', {}, { access_token: 1 }, { access_token: 'a', token_type: 'Bearer' }]) {
      crooked.answers.token = json(body);
      const error: unknown = await exchange().catch((thrown: unknown) => thrown);
      expect([REFUSED.code, UNAVAILABLE.code]).toContain((error as { code: string }).code);
    }
  });

  test('about another person at userinfo, or not at all, still lets the person in', async () => {
    const { email: _email, name: _name, ...bare } = crooked.claims;
    for (const answer of [json({ sub: 'eve', email: 'eve@elsewhere.example', name: 'Eve' }), html(500), truncated]) {
      crooked.answers.userinfo = answer;
      expect(await exchangeFor(await crooked.sign(bare))).toEqual({
        issuer: crooked.issuer,
        subject: 'grace',
        email: '',
        name: undefined,
      });
    }
  });

  test('claims of other types, or too long ones, is not believed', async () => {
    for (const claims of [
      { email: 12, name: ['Grace'] },
      { email: `${'g'.repeat(300)}@elsewhere.example`, name: 'G'.repeat(201) },
      { email: 'half\ud800@elsewhere.example', name: '\u0000' },
      { email: null, name: { first: 'Grace' } },
    ]) {
      const token = await crooked.sign({ ...crooked.claims, ...claims });
      expect(await exchangeFor(token)).toEqual({
        issuer: crooked.issuer,
        subject: 'grace',
        email: '',
        name: undefined,
      });
    }
  });

  test('as it should signs in, with an e-mail and a name from both sources', async () => {
    expect(await exchangeFor(await crooked.sign(crooked.claims))).toEqual({
      issuer: crooked.issuer,
      subject: 'grace',
      email: 'grace@elsewhere.example',
      name: 'Grace',
    });
    crooked.answers.userinfo = json({ sub: 'grace', name: 'Grace H.' });
    const { name: _name, ...nameless } = crooked.claims;
    expect(await exchangeFor(await crooked.sign(nameless))).toMatchObject({
      email: 'grace@elsewhere.example',
      name: 'Grace H.',
    });
  });
});

test.each(['RS256', 'ES256', 'EdDSA'] as const)('ID tokens signed by %s are taken', async (id_token_alg) => {
  const external = await startExternalIssuer({ redirect_uris: [CALLBACK], id_token_alg });
  const { issuer } = external;
  const provider = createExternalProvider({ issuer, ...EXTERNAL_CLIENT, public_url: 'https://sendlap.example' });
  const start = await provider.beginSignIn(SECRETS, { signup: false, force_login: false });
  const { address } = await createOutsideBrowser().walk(start.href, 'grace');
  const code = new URL(address).searchParams.get('code') ?? '';
  expect(await provider.completeSignIn(SECRETS, { code })).toMatchObject({ subject: 'grace' });
  await external.close();
});
