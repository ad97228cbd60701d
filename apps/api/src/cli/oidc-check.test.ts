import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { runVerb } from '#test/run-verb.ts';
import { type StrictProvider, startStrictProvider } from '#test/servers/strict-provider.ts';
import { command } from './oidc-check.ts';

let provider: StrictProvider;
beforeEach(async () => {
  provider = await startStrictProvider({ methods: ['client_secret_basic', 'client_secret_post'] });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider.close();
});

/** Runs the verb on a database that must not be opened. */
async function check(args: string[] = [], changes: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ ...provider.env, ...changes })) vi.stubEnv(name, value);
  const database = new Proxy({} as Database, {
    get: () => {
      throw new Error('the verb used the database');
    },
  });
  return runVerb(database, command.run, args);
}

/** Returns each finding's verdict by the name of its check. */
async function findings(changes: Record<string, string> = {}) {
  const { code, stdout } = await check(['--json'], changes);
  const found: { check: string; verdict: string; detail: string }[] = JSON.parse(stdout);
  return {
    code,
    found: Object.fromEntries(found.map(({ check, verdict, detail }) => [check, `${verdict}: ${detail}`])),
  };
}

test('wrong usage ends with 2 and the usage', async () => {
  const { code, stderr } = await check(['--fast']);
  expect(code).toBe(2);
  expect(stderr).toContain('npm run sendlap -- oidc check');
});

test('without a foreign provider there is nothing to check', async () => {
  expect(await check([], { OIDC_ISSUER: '' })).toMatchObject({ code: 0, stdout: expect.stringContaining('its own') });
});

test('a provider that can do everything is printed with its abilities, and no user is signed in', async () => {
  provider.announces_create = true;
  const { code, stdout } = await check();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +client +taken by client_secret_post$/m)]);
  expect(stdout).toContain(`ok   discovery    issuer ${provider.issuer}\n`);
  expect(stdout).toMatch(/^ok +keys +ES256$/m);
  expect(stdout).toMatch(/^ok +sign-up +by prompt=create$/m);
  expect(stdout).toMatch(/^ok +sign-out +http:\/\/127\.0\.0\.1:\d+\/leave$/m);
  expect(stdout).not.toContain(provider.client_secret);
  expect(provider.requests).not.toContain('GET /authorize');
});

test('missing abilities of the provider are listed, and the check still ends with 0', async () => {
  Object.assign(provider, { has_end_session: false, methods: ['client_secret_basic'] });
  const { code, found } = await findings();
  expect(code).toBe(0);
  expect(found.client).toBe('good: taken by client_secret_basic, not encoded');
  expect(found['sign-out']).toMatch(/^lacking: no end_session_endpoint/);
  expect(found['sign-up']).toMatch(/^lacking: prompt=create is not announced/);
  expect((await findings({ OIDC_SIGNUP_URL: 'https://id.example/join' })).found['sign-up']).toBe(
    'good: https://id.example/join',
  );
});

test('a wrong secret, another issuer and a provider that is down end the check with 1', async () => {
  const wrong_secret = await findings({ OIDC_CLIENT_SECRET: 'a guess' });
  expect(wrong_secret.code).toBe(1);
  expect(wrong_secret.found.client).toMatch(/^broken: client id or secret refused: .*status=401.*error=invalid_client/);

  provider.told_issuer = `${provider.issuer}/realm`;
  const other = await findings();
  expect(other.code).toBe(1);
  expect(other.found.discovery).toContain(`issuer=${provider.issuer} told_issuer=${provider.told_issuer}`);

  provider.is_down = true;
  const down = await findings();
  expect(down.code).toBe(1);
  expect(down.found.discovery).toContain(`endpoint=${provider.issuer}/.well-known/openid-configuration`);
});
