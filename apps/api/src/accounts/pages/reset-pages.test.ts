import { createHash } from 'node:crypto';
import { getAuthConfig, getMe, login, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { bearer, begin, createAccountAndSignIn, openPage, PASSWORD, refusalOf } from '#test/app/sign-in.ts';
import { type MailServer, partsOf, startMailServer } from '#test/servers/mail-server.ts';

const LINK = /http:\/\/localhost:8000\/oidc\/reset\?token=([\w-]{43})(&ui_locales=\w\w)?/;
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
  const post = (path: string, form: Record<string, string>, more: Record<string, string> = {}) =>
    browser.request(path, { method: 'POST', form, headers: { ...headers, ...more } });
  return {
    ...browser,
    ask: (email: string, ui_locales = 'en') => post('/oidc/forgot', { email, ui_locales }),
    choose: (token: string, password: string, more?: Record<string, string>) =>
      post('/oidc/reset', { token, password, ui_locales: 'en' }, more),
    login: (email: string, password: string) =>
      browser.request(login.path, { method: 'POST', json: { email, password }, headers }),
  };
}

/** Returns the next mail to this address. */
async function receive(email: string, count = 1) {
  const found = () => mails.received.filter(({ to }) => to.includes(email));
  await expect.poll(() => found().length).toBe(count);
  const mail = found().at(-1);
  if (!mail) throw new Error('no mail');
  return { ...mail, ...(await partsOf(mail)) };
}

async function receiveToken(email: string, count = 1): Promise<string> {
  return LINK.exec((await receive(email, count)).text)?.[1] ?? '';
}

/** Returns what the field of the new password holds; undefined if it is empty. */
function passwordIn(body: string): string | undefined {
  const [input = ''] = /<input id="password"[^>]*>/.exec(body) ?? [];
  return /value="([^"]*)"/.exec(input)?.[1];
}

function resetRows() {
  return test_app.database.selectFrom('provider_password_resets').selectAll().execute();
}

describe('a forgotten password', () => {
  test('gets the same page for a known and an unknown address, and a mail for the known one only', async () => {
    await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'known@example.org');
    const known = await newVisitor().ask('Known@example.org');
    const unknown = await newVisitor().ask('unknown@example.org');
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200]);
    expect(known.body).toBe(unknown.body);
    expect(known.body).toContain('If there is an account, an e-mail is on its way.');
    await receive('known@example.org');
    expect(mails.received.filter(({ to }) => to.includes('unknown@example.org'))).toEqual([]);
  });

  test('is replaced by the link of the mail, which ends every session and works once', async () => {
    const phone = createBrowser(test_app.app);
    const signed_in = await createAccountAndSignIn(test_app.database, phone, 'ada@example.org');
    await newVisitor().ask('ada@example.org');
    const token = await receiveToken('ada@example.org');

    const visitor = newVisitor();
    const page = await visitor.request(`/oidc/reset?token=${token}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('autocomplete="new-password"');
    expect(page.body).toContain('value="ada@example.org"');
    expect(passwordIn(page.body)).toBeUndefined();
    const saved = await visitor.choose(token, NEW_PASSWORD);
    expect(saved.statusCode).toBe(200);
    expect(saved.body).toContain('href="/login"');

    expect((await phone.request(getMe.path, bearer(signed_in))).statusCode).toBe(401);
    expect((await phone.request(refresh.path, { method: 'POST' })).statusCode).toBe(401);
    expect((await newVisitor().login('ada@example.org', PASSWORD)).statusCode).toBe(401);
    expect((await newVisitor().login('ada@example.org', NEW_PASSWORD)).statusCode).toBe(200);
    const ends = await test_app.database.selectFrom('sessions').select('end_reason').where('ended_at', 'is not', null);
    expect((await ends.execute()).map(({ end_reason }) => end_reason)).toContain('password_reset');

    const again = await newVisitor().choose(token, 'another sentence of Eve');
    expect(again.statusCode).toBe(400);
    expect(again.body).toContain('no longer works');
    expect((await newVisitor().login('ada@example.org', NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('is not replaced by opening the link, as mail scanners do', async () => {
    await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'scanned@example.org');
    await newVisitor().ask('scanned@example.org');
    const token = await receiveToken('scanned@example.org');
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      expect((await test_app.app.inject({ method, url: `/oidc/reset?token=${token}` })).statusCode).toBe(200);
    }
    expect((await newVisitor().choose(token, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('speaks the language of the sign-in, on its pages and in the mail', async () => {
    await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'lengua@example.org');
    const visitor = newVisitor();
    const { page } = await openPage(visitor, await begin(visitor, { ui_locales: 'es' }));
    const path = /href="(\/oidc\/forgot[^"]*)"/.exec(page.body)?.[1] ?? '';
    const forgot = await visitor.request(path);
    expect(forgot.body).toContain('<html lang="es">');
    const locale = /name="ui_locales" value="(\w+)"/.exec(forgot.body)?.[1];
    const sent = await visitor.ask('lengua@example.org', locale);
    expect(sent.body).toContain('Si hay una cuenta');
    const { raw, text, html, from } = await receive('lengua@example.org');
    expect(from).toBe('no-reply@sendlap.example');
    expect(text).toContain('contraseña nueva');
    expect(html).toContain('lang="es"');
    expect(html).toContain(LINK.exec(text)?.[1]);
    expect(html).not.toMatch(/<img|<script|<link|src=/);
    expect(raw).toContain('Auto-Submitted: auto-generated');
    const link = LINK.exec(text)?.[0] ?? '';
    expect((await newVisitor().request(link)).body).toContain('<html lang="es">');
  });

  test('gets three mails an hour, and the newest link only works', async () => {
    await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'often@example.org');
    const tokens: string[] = [];
    for (let count = 1; count <= 3; count += 1) {
      expect((await newVisitor().ask('often@example.org')).statusCode).toBe(200);
      tokens.push(await receiveToken('often@example.org', count));
    }
    const fourth = await newVisitor().ask('OFTEN@example.org');
    expect([fourth.statusCode, fourth.body]).toEqual([200, (await newVisitor().ask('unknown@example.org')).body]);
    const statuses = [];
    for (const token of tokens) statuses.push((await newVisitor().request(`/oidc/reset?token=${token}`)).statusCode);
    expect(statuses).toEqual([400, 400, 200]);
    expect(mails.received.filter(({ to }) => to.includes('often@example.org'))).toHaveLength(3);
  });

  test('requested 101 times in an hour by one address has to wait', async () => {
    const visitor = newVisitor();
    const statuses = [];
    for (let count = 1; count <= 100; count += 1) {
      statuses.push((await visitor.ask(`unknown${count}@example.org`)).statusCode);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const last = await visitor.ask('somebody101@example.org');
    expect([last.statusCode, last.headers['retry-after']]).toEqual([429, '3600']);
    expect(last.body).toContain('in an hour');
  });
});

describe('the link of the mail is refused', () => {
  const newToken = async (email: string) => {
    await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), email);
    await newVisitor().ask(email);
    return receiveToken(email);
  };

  test('after 30 minutes', async () => {
    const token = await newToken('late@example.org');
    const hash = createHash('sha256').update(token).digest();
    const row = (await resetRows()).find(({ token_hash }) => token_hash.equals(hash));
    const lifetime_ms = (row?.expires_at.getTime() ?? 0) - (row?.created_at.getTime() ?? 0);
    expect(Math.abs(lifetime_ms - 30 * 60_000)).toBeLessThan(5_000);
    await test_app.database
      .updateTable('provider_password_resets')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('token_hash', '=', hash)
      .execute();
    expect((await newVisitor().request(`/oidc/reset?token=${token}`)).statusCode).toBe(400);
    expect((await newVisitor().choose(token, NEW_PASSWORD)).statusCode).toBe(400);
    expect((await newVisitor().login('late@example.org', PASSWORD)).statusCode).toBe(200);
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5000), '\u0000', "' or 1=1 --", '../../x'])('as %j', async (token) => {
    const visitor = newVisitor();
    expect((await visitor.request(`/oidc/reset?${new URLSearchParams({ token })}`)).statusCode).toBe(400);
    const posted = await visitor.choose(token, NEW_PASSWORD);
    expect(posted.statusCode).toBe(400);
    expect(posted.body).toContain('href="/oidc/forgot?ui_locales=en"');
  });

  test('from pages of other sites', async () => {
    const token = await newToken('foreign@example.org');
    for (const origin of ['https://evil.example', 'null']) {
      expect(refusalOf(await newVisitor().choose(token, NEW_PASSWORD, { origin }))).toEqual([
        400,
        'origin_not_allowed',
      ]);
    }
    expect((await newVisitor().choose(token, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('with a password that the sign-up would refuse, and is not used up by that', async () => {
    const token = await newToken('weak@example.org');
    for (const [password, text] of [
      ['short', 'at least 8'],
      ['dragon2024', 'easy to guess'],
      ['weak@example.org', 'easy to guess'],
      ['x'.repeat(129), 'at most 128'],
    ] as const) {
      const reply = await newVisitor().choose(token, password);
      expect([reply.statusCode, reply.body.includes(text)]).toEqual([422, true]);
      expect(passwordIn(reply.body)).toBe(password);
    }
    const markup = await newVisitor().choose(token, '"><b>');
    expect(passwordIn(markup.body)).toBe('&quot;&gt;&lt;b&gt;');
    expect((await newVisitor().choose(token, `${'climb, swim 🧗, '.repeat(8)}rest`)).statusCode).toBe(200);
  });

  test('to all but one of many concurrent requests', async () => {
    const token = await newToken('race@example.org');
    const replies = await Promise.all(
      // More requests than the database has connections: none may wait for a second connection.
      Array.from({ length: 12 }, (_empty, index) => newVisitor().choose(token, `the sentence number ${index}`)),
    );
    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(11).fill(400)]);
    const winner = statuses.indexOf(200);
    const loser = (winner + 1) % 12;
    const logIn = (index: number) => newVisitor().login('race@example.org', `the sentence number ${index}`);
    expect([(await logIn(winner)).statusCode, (await logIn(loser)).statusCode]).toEqual([200, 401]);
  });
});

test('an authorization code of the old password is invalid after the reset', async () => {
  const thief = createBrowser(test_app.app);
  await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'stolen@example.org');
  const begun = await begin(thief);
  const { path } = await openPage(thief, begun);
  const form = { email: 'stolen@example.org', password: PASSWORD };
  const posted = await thief.request(`${path}/sign-in`, { method: 'POST', form });
  expect(posted.statusCode).toBe(303);
  await newVisitor().ask('stolen@example.org');
  expect((await newVisitor().choose(await receiveToken('stolen@example.org'), NEW_PASSWORD)).statusCode).toBe(200);
  const resumed = await thief.request(String(posted.headers.location), { headers: { accept: 'text/html' } });
  expect([resumed.statusCode, resumed.headers.location]).toEqual([400, undefined]);
});

test('the secret of a link is only in the mail: not in the database, and no page may hand it on', async () => {
  await createAccountAndSignIn(test_app.database, createBrowser(test_app.app), 'secret@example.org');
  await newVisitor().ask('secret@example.org');
  const token = await receiveToken('secret@example.org');
  expect(JSON.stringify(await resetRows())).not.toContain(token);
  expect((await resetRows()).every(({ token_hash }) => token_hash.length === 32)).toBe(true);
  const page = await newVisitor().request(`/oidc/reset?token=${token}`);
  expect(page.headers['referrer-policy']).toBe('strict-origin');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.body.split(token)).toHaveLength(2);
  expect(page.body).toMatch(new RegExp(`<input type="hidden" name="token" value="${token}">`));
});

test('with a mail server the app reads that reset links can be requested', async () => {
  const reply = await test_app.app.inject(getAuthConfig.path);
  expect(reply.json().data.password_reset).toBe(true);
});

test('no sign-in by the old password outlives the reset, however close they come', async () => {
  for (let round = 0; round < 4; round += 1) {
    const ada = newVisitor();
    const email = `race-${round}@example.org`;
    await createAccountAndSignIn(test_app.database, ada, email);
    await ada.ask(email);
    const token = await receiveToken(email);
    const thieves = Array.from({ length: 4 }, () => newVisitor());
    const tries = thieves.map(async (thief, index) => {
      // Each attempt starts a few page requests after the previous one.
      for (let nth = 0; nth < 4 * index; nth += 1) await thief.request('/oidc/reset');
      return thief.login(email, PASSWORD);
    });
    expect((await ada.choose(token, NEW_PASSWORD)).statusCode).toBe(200);
    await Promise.all(tries);
    for (const thief of thieves) {
      const headers = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
      expect((await thief.request(refresh.path, { method: 'POST', headers })).statusCode).toBe(401);
    }
    expect((await ada.login(email, NEW_PASSWORD)).statusCode).toBe(200);
  }
});

test.each(['ΣΑΣ', 'İpek'])('%s signs in with the address as typed at the sign-up', async (name) => {
  const person = newVisitor();
  const email = `${name}@example.org`;
  await createAccountAndSignIn(test_app.database, person, email);
  expect((await newVisitor().login(email, PASSWORD)).statusCode).toBe(200);
});
