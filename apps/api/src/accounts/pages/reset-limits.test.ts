import { login } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { createAccountAndSignIn, PASSWORD } from '#test/app/sign-in.ts';
import { type MailServer, partsOf, startMailServer } from '#test/servers/mail-server.ts';

const LINK = /\/oidc\/reset\?token=([\w-]{43})/;
const NEW_PASSWORD = 'a new sentence for Ada';

let mails: MailServer;
let test_app: TestApp;
beforeAll(async () => {
  mails = await startMailServer();
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'Sendlap <no-reply@sendlap.example>', TRUST_PROXY: '127.0.0.1' };
  test_app = await buildTestApp({ env });
});
afterAll(async () => {
  await test_app.close();
  await mails.close();
});

let addresses = 0;
/** A visitor with an IP address of their own, so that only the limit under test applies. */
function newVisitor() {
  addresses += 1;
  const browser = createBrowser(test_app.app);
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` };
  const post = (path: string, form: Record<string, string>) => browser.request(path, { method: 'POST', form, headers });
  return {
    ...browser,
    ask: (email: string) => post('/oidc/forgot', { email, ui_locales: 'en' }),
    choose: (token: string, password: string) => post('/oidc/reset', { token, password, ui_locales: 'en' }),
    login: (email: string, password: string) =>
      browser.request(login.path, { method: 'POST', json: { email, password }, headers }),
  };
}

/** Returns the token of the next mail to this address. */
async function receiveToken(email: string, count = 1): Promise<string> {
  const found = () => mails.received.filter(({ to }) => to.includes(email));
  await expect.poll(() => found().length).toBe(count);
  const mail = found().at(-1);
  return mail ? (LINK.exec((await partsOf(mail)).text)?.[1] ?? '') : '';
}

test('a browser that signed in before gets a reset mail, although strangers requested three', async () => {
  const owner = newVisitor();
  await createAccountAndSignIn(test_app.database, owner, 'harassed@example.org');
  for (let count = 1; count <= 4; count += 1) await newVisitor().ask('harassed@example.org');
  await receiveToken('harassed@example.org', 3);
  expect((await owner.ask('harassed@example.org')).statusCode).toBe(200);
  expect(await receiveToken('harassed@example.org', 4)).toMatch(/^[\w-]{43}$/);
});

test('a password once replaced signs in where it was replaced, although strangers use up all tries of the account', async () => {
  await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'locked.out@example.org');
  const owner = newVisitor();
  await owner.ask('locked.out@example.org');
  const token = await receiveToken('locked.out@example.org');
  for (let count = 1; count <= 6; count += 1) await newVisitor().login('locked.out@example.org', PASSWORD + count);
  expect((await owner.choose(token, NEW_PASSWORD)).statusCode).toBe(200);
  expect((await newVisitor().login('locked.out@example.org', NEW_PASSWORD)).statusCode).toBe(429);
  expect((await owner.login('locked.out@example.org', NEW_PASSWORD)).statusCode).toBe(200);
});

test('an IP address that used up its password hashes gets 429; the old password stays, and the link works elsewhere', async () => {
  await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'many.hashes@example.org');
  const busy = newVisitor();
  await busy.ask('many.hashes@example.org');
  const token = await receiveToken('many.hashes@example.org');
  for (let count = 1; count <= 20; count += 1) await busy.login(`stranger.${count}@example.org`, PASSWORD);
  const refused = await busy.choose(token, NEW_PASSWORD);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.body).toContain('Too many attempts');
  expect(refused.body).not.toContain(NEW_PASSWORD);
  expect((await newVisitor().login('many.hashes@example.org', PASSWORD)).statusCode).toBe(200);
  expect((await newVisitor().choose(token, NEW_PASSWORD)).statusCode).toBe(200);
});
