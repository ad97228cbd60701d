import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { CALLBACK, followBack, openPage, PASSWORD } from '#test/app/sign-in.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp();
});
afterAll(() => test_app.close());

test('a code of the own provider gives tokens once', async () => {
  const browser = createBrowser(test_app.app);
  const code_verifier = 'v'.repeat(43);
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const asked = { client_id: 'sendlap', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', state: 's' };
  const search = new URLSearchParams({ ...asked, prompt: 'create', code_challenge, code_challenge_method: 'S256' });
  const begun = { authorization_url: `/oidc/auth?${search}`, code_verifier, state: 's' };
  const { path } = await openPage(browser, begun);
  const form = { email: 'once@example.org', display_name: 'Once', password: PASSWORD };
  const { code } = await followBack(browser, await browser.request(`${path}/sign-up`, { method: 'POST', form }));

  const client_secret = test_app.secrets.derive('client secret of the own provider').toString('base64url');
  const exchange = async () => {
    const given = { grant_type: 'authorization_code', code, code_verifier, redirect_uri: CALLBACK };
    const payload = new URLSearchParams({ ...given, client_id: 'sendlap', client_secret }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await test_app.app.inject({ method: 'POST', url: '/oidc/token', headers, payload });
    return [reply.statusCode, reply.json().error];
  };
  expect(await exchange()).toEqual([200, undefined]);
  expect(await exchange()).toEqual([400, 'invalid_grant']);
});
