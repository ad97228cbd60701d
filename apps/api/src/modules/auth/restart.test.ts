import { getMe, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { bearer, begin, complete, dataOf, openPage, PASSWORD, readCallback } from '#test/app/sign-in.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { createOutsideBrowser, startExternalIssuer } from '#test/servers/external-issuer.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

/** A server on one database, and a browser that stays open across server restarts. */
async function startServer(env: Record<string, string> = {}) {
  let test_app: TestApp = await buildTestApp({ database_url: own.url, env });
  const cookies: TestBrowser['cookies'] = new Map();
  let browser = createBrowser(test_app.app, cookies);
  return {
    browser: () => browser,
    async restart() {
      await test_app.close();
      test_app = await buildTestApp({ database_url: own.url, env });
      browser = createBrowser(test_app.app, cookies);
    },
    close: () => test_app.close(),
  };
}

test('a sign-up continues after a restart at every step, and its session outlives one more', {
  timeout: 60_000,
}, async () => {
  const server = await startServer();
  const begun = await begin(server.browser(), { signup: 'true' });
  await server.restart();
  const { path, page } = await openPage(server.browser(), begun);
  expect(page.statusCode).toBe(200);
  await server.restart();
  const form = { email: 'ada@example.org', display_name: 'Ada', password: PASSWORD };
  const posted = await server.browser().request(`${path}/sign-up`, { method: 'POST', form });
  expect(posted.statusCode).toBe(303);
  await server.restart();
  const resumed = await server.browser().request(String(posted.headers.location));
  expect(resumed.statusCode).toBe(303);
  await server.restart();
  const back = readCallback(String(resumed.headers.location));
  const reply = await complete(server.browser(), { ...back, code_verifier: begun.code_verifier });
  expect(reply.statusCode).toBe(200);
  await server.restart();
  expect(dataOf(await server.browser().request(getMe.path, bearer(reply))).user).toEqual(dataOf(reply).user);
  const refreshed = await server.browser().request(refresh.path, { method: 'POST' });
  expect(refreshed.statusCode).toBe(200);
  const headers = { authorization: `Bearer ${dataOf(refreshed).access_token}` };
  expect((await server.browser().request(getMe.path, { headers })).statusCode).toBe(200);
  await server.close();
});

test('a sign-in at an external issuer continues after a restart', { timeout: 60_000 }, async () => {
  const external = await startExternalIssuer();
  const server = await startServer(external.env);
  const begun = await begin(server.browser());
  const { address } = await createOutsideBrowser().walk(begun.authorization_url, 'grace');
  await server.restart();
  const reply = await complete(server.browser(), { ...readCallback(address), code_verifier: begun.code_verifier });
  expect(reply.statusCode).toBe(200);
  await server.restart();
  expect((await server.browser().request(getMe.path, bearer(reply))).statusCode).toBe(200);
  expect((await server.browser().request(refresh.path, { method: 'POST' })).statusCode).toBe(200);
  await server.close();
  await external.close();
});
