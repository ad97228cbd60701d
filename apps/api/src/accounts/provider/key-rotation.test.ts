import { afterEach, expect, test } from 'vitest';
import { createMovedTimer } from '#test/moved-timer.ts';
import { type StrictProvider, startStrictProvider } from '#test/servers/strict-provider.ts';
import { createExternalProvider } from './external-provider.ts';

const SECRETS = {
  redirect_uri: 'https://sendlap.example/auth/callback',
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
};

let strict: StrictProvider;
afterEach(() => strict.close());

test('keys that rotate again and again within a minute are read again, at most every 5 seconds', async () => {
  // Every provider accepts these client credentials: only the keys cause trouble here.
  strict = await startStrictProvider({ client_id: 'sendlap', client_secret: 'secret' });
  const timer = createMovedTimer();
  const { issuer, client_id, client_secret } = strict;
  const provider = createExternalProvider({
    issuer,
    client_id,
    client_secret,
    public_url: 'https://sendlap.example',
    timer,
  });
  const signIn = async () => {
    const url = await provider.beginSignIn(SECRETS, { signup: false, force_login: false });
    return provider.completeSignIn(SECRETS, { code: await strict.signIn(url.href) });
  };
  const countKeyFetches = () => strict.requests.filter((request) => request === 'GET /keys').length;

  for (const rotation of [1, 2, 3]) {
    await expect(signIn()).resolves.toMatchObject({ subject: 'grace' });
    await expect(signIn()).resolves.toMatchObject({ subject: 'grace' });
    expect(countKeyFetches()).toBe(rotation);
    await strict.rotateKey();
    // Just before the 5 s have passed, an unknown key is refused without a request to the provider.
    timer.advance(4_999);
    await expect(signIn()).rejects.toMatchObject({ code: 'oauth_failed', details: [{ path: 'provider' }] });
    expect(countKeyFetches()).toBe(rotation);
    timer.advance(1);
  }
});
