import { afterEach, describe, expect, test } from 'vitest';
import { createBrowser } from '#test/app/browser.ts';
import { buildLoggedApp, type LoggedApp } from '#test/app/logged-app.ts';
import { begin, createAccountAndSignIn, openPage } from '#test/app/sign-in.ts';
import { findFreePort } from '#test/free-port.ts';
import { type MailServer, startMailServer } from '#test/servers/mail-server.ts';

const EMAIL = 'ada.lovelace@example.org';

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.reverse()) await each.close();
  open = [];
});

async function startApp(smtp_url?: string): Promise<LoggedApp> {
  const app = await buildLoggedApp(smtp_url ? { SMTP_URL: smtp_url, MAIL_FROM: 'no-reply@sendlap.example' } : {});
  open.push(app);
  return app;
}

async function startMails(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const mails = await startMailServer(options);
  open.push(mails);
  return mails;
}

async function requestReset({ app, database }: LoggedApp) {
  const browser = createBrowser(app);
  await createAccountAndSignIn(database, createBrowser(app), EMAIL);
  return browser.request('/oidc/forgot', { method: 'POST', form: { email: EMAIL, ui_locales: 'en' } });
}

const refuse = (code: number) => (_address: unknown, _session: unknown, done: (error: Error) => void) =>
  done(Object.assign(new Error(`no such person as ${EMAIL}`), { responseCode: code }));

describe('a mail server that', () => {
  test('is down does not change the answer, and is logged without the address', async () => {
    const app = await startApp(`smtp://127.0.0.1:${await findFreePort()}`);
    const reply = await requestReset(app);
    expect([reply.statusCode, reply.body.includes('If there is an account')]).toEqual([200, true]);
    await expect.poll(app.log).toContain('could not be sent');
    expect(app.log()).toContain('"code":"ESOCKET"');
    expect(app.log()).not.toContain(EMAIL);
  });

  test.each([
    ['the sender', { onMailFrom: refuse(550) }],
    ['the person', { onRcptTo: refuse(550) }],
  ])('refuses %s is logged with its reply code, without the address', async (_whom, options) => {
    const mails = await startMails(options);
    const app = await startApp(mails.url);
    expect((await requestReset(app)).statusCode).toBe(200);
    await expect.poll(app.log).toContain('"response_code":550');
    expect(app.log()).not.toContain(EMAIL);
    expect(mails.received).toEqual([]);
  });

  test('requires a password that the setting lacks is logged', async () => {
    const mails = await startMails({ authOptional: false });
    const app = await startApp(mails.url);
    expect((await requestReset(app)).statusCode).toBe(200);
    await expect.poll(app.log).toContain('"response_code":530');
  });

  test('never greets delays neither the answer nor the shutdown', async () => {
    const connected = Promise.withResolvers<void>();
    const mails = await startMails({ onConnect: () => connected.resolve() });
    const app = await startApp(mails.url);
    const reply = await requestReset(app);
    expect(reply.statusCode).toBe(200);
    await connected.promise;
    open = open.filter((each) => each !== app);
    await app.close();
    expect(app.log()).toContain('"code":"EABORT"');
  });
});

test('links that the mail server refused do not count: the next one comes after the outage', async () => {
  let is_down = true;
  const mails = await startMails({
    onRcptTo: (_address, _session, done) =>
      done(is_down ? Object.assign(new Error('not now'), { responseCode: 451 }) : null),
  });
  const server = await startApp(mails.url);
  await requestReset(server);
  const ask = () =>
    createBrowser(server.app).request('/oidc/forgot', { method: 'POST', form: { email: EMAIL, ui_locales: 'en' } });
  for (let count = 2; count <= 3; count += 1) expect((await ask()).statusCode).toBe(200);
  await expect.poll(() => server.log().split('"response_code":451').length - 1).toBe(3);
  is_down = false;
  expect((await ask()).statusCode).toBe(200);
  await expect.poll(() => mails.received.length).toBe(1);
});

test('the visitor reads that the sign-up mail was refused, and the log has no address', async () => {
  const mails = await startMails({ onRcptTo: refuse(550) });
  const { app, log } = await startApp(mails.url);
  const browser = createBrowser(app);
  const { path } = await openPage(browser, await begin(browser, { signup: 'true' }));
  const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form: { email: EMAIL } });
  expect([reply.statusCode, reply.body.includes('could not be sent')]).toEqual([503, true]);
  expect(log()).toContain('"response_code":550');
  expect(log()).not.toContain(EMAIL);
});

test('the log holds neither the secret of a link nor its receiver’s address', async () => {
  const mails = await startMails();
  const app = await startApp(mails.url);
  await requestReset(app);
  await expect.poll(() => mails.received.length).toBe(1);
  const token =
    /token=3?D?=?\r?\n?([\w-]{43})/.exec(mails.received[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[1] ?? 'none';
  const { app: server } = app;
  expect((await server.inject(`/oidc/reset?token=${token}`)).statusCode).toBe(200);
  expect((await server.inject(`/oidc/reset?token=${token}&token=${token}`)).statusCode).toBe(400);
  expect((await server.inject(`/oidc/reset/x?token=${token}`)).statusCode).toBeGreaterThanOrEqual(400);
  await server.inject({ method: 'POST', url: `/oidc/reset?token=${token}` });
  expect(app.log()).toContain('/oidc/reset');
  expect(app.log()).not.toContain(token);
  expect(app.log()).not.toContain(EMAIL);
});

test('without a mail server there is no reset page, and the sign-in page names the sender of links', async () => {
  const { app } = await startApp();
  const browser = createBrowser(app);
  expect((await browser.request('/oidc/forgot')).statusCode).toBe(404);
  const { path, page } = await openPage(browser, await begin(browser));
  expect(page.body).not.toContain('/oidc/forgot');
  expect(page.body).toContain('Forgot your password? The operator of this server can send you a link');
  expect((await browser.request(`${path}/sign-up`)).body).not.toContain('Forgot');
});
