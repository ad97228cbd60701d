import { authorize, getMe } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { bearer, signUp } from '#test/app/sign-in.ts';

const CALLBACK = 'http://localhost:8000/auth/callback';
const GOOD = { email: 'page@example.org', display_name: 'Page', password: 'a long enough one' };

let test_app: TestApp;
let path: string;
let browser: TestBrowser;
beforeAll(async () => {
  test_app = await buildTestApp();
  ({ browser, path } = await openSignUp());
});
afterAll(() => test_app.close());

async function openSignUp(query: Record<string, string> = {}) {
  const opened = createBrowser(test_app.app);
  const search = new URLSearchParams({ redirect_uri: CALLBACK, signup: 'true', ...query });
  const { data } = (await opened.request(`${authorize.path}?${search}`)).json();
  const redirect = await opened.request(data.authorization_url);
  return { browser: opened, path: String(redirect.headers.location) };
}

describe('the sign-up page refuses', () => {
  test.each([
    [{ password: 'seven77' }, 'at least 8 characters'],
    [{ password: '🧗🧗🧗🧗🧗🧗🧗' }, 'at least 8 characters'],
    [{ password: 'x'.repeat(129) }, 'at most 128'],
    [{ password: 'Password1' }, 'easy to guess'],
    [{ password: 'page@example.org' }, 'easy to guess'],
    [{ password: 'aaaaaaaaaaaa' }, 'easy to guess'],
    [{ email: 'no-at-sign' }, 'check the e-mail'],
    [{ email: 'a@b@example.org' }, 'check the e-mail'],
    [{ email: 'nul\u0000@example.org' }, 'check the e-mail'],
    [{ email: 'turned\u202e@example.org' }, 'check the e-mail'],
    [{ display_name: '   ' }, 'enter a display name'],
    [{ display_name: ' \u202e\u2066\u0000 ' }, 'enter a display name'],
    [{ display_name: 'n'.repeat(41) }, 'at most 40'],
  ])('%j [spec 5.form.fields]', async (fields, text) => {
    const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form: { ...GOOD, ...fields } });
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain(text);
    expect(reply.body).not.toContain(GOOD.password);
  });

  test.each([
    ['seven77', 'at least 8 characters'],
    ['x'.repeat(129), 'at most 128'],
    ['Password1', 'easy to guess'],
  ])('the password %s, and keeps all that was typed, with the reason at its field', async (password, text) => {
    const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form: { ...GOOD, password } });
    const fields = reply.body.split('class="field"').slice(1);
    const typed = fields.map((part) => [/name="(\w+)"/.exec(part)?.[1], /value="([^"]*)"/.exec(part)?.[1]]);
    expect(Object.fromEntries(typed)).toEqual({ ...GOOD, password });
    const [, , field = ''] = fields;
    expect(field).toMatch(
      /type="password"[^>]*aria-describedby="problem password-hint"[^>]*aria-invalid="true"[^>]*autofocus/,
    );
    expect(/id="problem" role="alert">([^<]*)</.exec(field)?.[1]).toContain(text);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('a wrong password at the sign-in, which it never sends back', async () => {
    const opened = await openSignUp();
    const form = { email: 'unknown@example.net', password: 'wrong one, but perhaps right elsewhere' };
    const reply = await opened.browser.request(`${opened.path}/sign-in`, { method: 'POST', form });
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain(form.email);
    expect(reply.body).not.toContain(form.password);
  });

  test('an e-mail that is taken, in any letter case', async () => {
    const first = await openSignUp();
    const made = await first.browser.request(`${first.path}/sign-up`, { method: 'POST', form: GOOD });
    expect(made.statusCode).toBe(303);
    const form = { ...GOOD, email: 'PAGE@example.org' };
    const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form });
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain('already an account');
  });

  test('a post from another site, and one from a browser without the cookie', async () => {
    const form = GOOD;
    const strangers: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ];
    for (const headers of strangers) {
      const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form, headers });
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'origin_not_allowed']);
    }
    const stranger = createBrowser(test_app.app);
    const reply = await stranger.request(`${path}/sign-up`, { method: 'POST', form });
    expect(reply.statusCode).toBe(400);
    expect(reply.body).toContain('expired');
  });
});

test('a display name loses characters that reverse the text direction or control a terminal', async () => {
  const first = await openSignUp();
  const form = { ...GOOD, email: 'turned@example.org', display_name: ' Ana\u202e\u001b  L\u2066o\u2069. ' };
  const made = await first.browser.request(`${first.path}/sign-up`, { method: 'POST', form });
  expect(made.statusCode).toBe(303);
  const account = await test_app.database
    .selectFrom('provider_accounts')
    .select('display_name')
    .where('email', '=', form.email)
    .executeTakeFirst();
  expect(account).toEqual({ display_name: 'Ana Lo.' });
});

describe('the pages', () => {
  test('have no script and no inline style, and a policy that allows neither', async () => {
    const reply = await browser.request(path);
    expect(reply.statusCode).toBe(200);
    expect(reply.body).not.toMatch(/<script|<style|style=|\son\w+=/i);
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(reply.headers['cache-control']).toBe('no-store');
    const style = await browser.request('/pages.css');
    expect([style.statusCode, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  test('escape the typed text', async () => {
    const form = { ...GOOD, email: '"><img src=x onerror=alert(1)>', display_name: "<b>'&" };
    const reply = await browser.request(`${path}/sign-up`, { method: 'POST', form });
    expect(reply.body).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
    expect(reply.body).toContain('value="&lt;b&gt;&#39;&amp;"');
    expect(reply.body).not.toContain('<img src=x');
    expect(reply.body).not.toContain('<b>');
  });

  test('speak the language of the app, else of the browser', async () => {
    const spanish = await openSignUp({ ui_locales: 'es' });
    const page = await spanish.browser.request(spanish.path, { headers: { 'accept-language': 'en' } });
    expect(page.body).toContain('<html lang="es">');
    expect(page.body).toContain('Crear cuenta');
    const by_browser = await browser.request(path, { headers: { 'accept-language': 'fr, es-MX;q=0.8, en;q=0.5' } });
    expect(by_browser.body).toContain('<html lang="es">');
  });

  test('lead from one form to the other and back', async () => {
    const sign_in = await browser.request(`${path}/sign-in`);
    expect(sign_in.body).toContain('autocomplete="current-password"');
    expect(sign_in.body).toContain(`href="${path}/sign-up"`);
    expect((await browser.request(`${path}/sign-up`)).body).toContain('autocomplete="new-password"');
  });
});

describe('for password managers and for people who paste', () => {
  test('each field names its purpose, and no field truncates a pasted text', async () => {
    const inputs = (body: string) => body.match(/<input id=[^>]*>/g) ?? [];
    const attributes = (input: string) => ({
      name: /name="(\w+)"/.exec(input)?.[1],
      type: /type="(\w+)"/.exec(input)?.[1],
      autocomplete: /autocomplete="([\w-]+)"/.exec(input)?.[1],
    });
    const sign_up = inputs((await browser.request(`${path}/sign-up`)).body);
    expect(sign_up.map(attributes)).toEqual([
      { name: 'email', type: 'email', autocomplete: 'username' },
      { name: 'display_name', type: 'text', autocomplete: 'nickname' },
      { name: 'password', type: 'password', autocomplete: 'new-password' },
    ]);
    const sign_in = inputs((await browser.request(`${path}/sign-in`)).body);
    expect(sign_in.map(attributes)).toEqual([
      { name: 'email', type: 'email', autocomplete: 'username' },
      { name: 'password', type: 'password', autocomplete: 'current-password' },
    ]);
    for (const input of [...sign_up, ...sign_in].filter((each) => each.includes('type="password"'))) {
      expect(input).not.toMatch(/maxlength|pattern|onpaste|autocomplete="off"/);
    }
  });

  test('a sentence of 128 characters, spaces and emoji included, is a password', async () => {
    const opened = await openSignUp();
    const password = [...'On Mondays I climb 🧗 and on Fridays I swim 🏊. '.repeat(3)].slice(0, 128).join('');
    expect([...password]).toHaveLength(128);
    const form = { ...GOOD, email: 'long@example.org', password };
    const reply = await opened.browser.request(`${opened.path}/sign-up`, { method: 'POST', form });
    expect(reply.statusCode).toBe(303);
  });
});

describe('signing out without the app', () => {
  const signOut = (post: boolean, from: TestBrowser, headers: Record<string, string> = {}) =>
    from.request('/oidc/sign-out', post ? { method: 'POST', form: { ui_locales: 'es' }, headers } : {});

  test('asks first, is for our own pages only, and ends the session of this browser', async () => {
    const phone = createBrowser(test_app.app);
    const made = await signUp(phone, 'leaving@example.org');
    const other = await test_app.signIn('Other');
    expect((await signOut(false, phone)).body).toContain('<form method="post" action="/oidc/sign-out"');
    expect((await signOut(true, phone, { origin: 'https://evil.example' })).statusCode).toBe(400);
    expect((await phone.request(getMe.path, bearer(made))).statusCode).toBe(200);
    const done = await signOut(true, phone);
    expect(done.body).toContain('Has cerrado la sesión aquí');
    expect(done.body).toContain('href="/login"');
    expect(phone.cookies.has('__Host-sendlap_refresh')).toBe(false);
    expect((await phone.request(getMe.path, bearer(made))).statusCode).toBe(401);
    expect((await phone.request(getMe.path, { headers: other.headers })).statusCode).toBe(200);
  });

  test('is harmless without a session', async () => {
    expect((await signOut(true, createBrowser(test_app.app))).statusCode).toBe(200);
  });
});

describe('the provider refuses', () => {
  const authorizeAt = (parameters: Record<string, string>) =>
    createBrowser(test_app.app).request(`/oidc/auth?${new URLSearchParams(parameters)}`, {
      headers: { accept: 'text/html' },
    });
  const request = { client_id: 'sendlap', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, state: 's' };

  test('a redirect address that is not ours, on a page of ours', async () => {
    const reply = await authorizeAt({ ...request, redirect_uri: 'https://evil.example/auth/callback' });
    expect(reply.statusCode).toBe(400);
    expect(reply.headers.location).toBeUndefined();
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.body).toContain('href="/login"');
  });

  test('requests without PKCE or with the plain method', async () => {
    const missing = await authorizeAt(request);
    expect(String(missing.headers.location)).toContain('error=invalid_request');
    const plain = await authorizeAt({ ...request, code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' });
    expect(String(plain.headers.location)).toContain('error=invalid_request');
  });

  test('U+0000 and half characters in any parameter, without a server error', async () => {
    const code = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    for (const parameters of [
      { ...request, ...code, client_id: 'sendlap\u0000' },
      { ...request, ...code, state: 's\u0000', nonce: '\u0000', ui_locales: 'es\u0000' },
      { ...request, ...code, state: '\ufffd', prompt: 'none\u0000' },
    ]) {
      expect((await authorizeAt(parameters)).statusCode).toBeLessThan(500);
      const posted = await test_app.app.inject({
        method: 'POST',
        url: '/oidc/auth',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(parameters).toString(),
      });
      expect(posted.statusCode).toBeLessThan(500);
    }
    const { derive } = test_app.secrets;
    const client_secret = derive('client secret of the own provider').toString('base64url');
    const form = { grant_type: 'authorization_code', code: '\u0000', client_id: 'sendlap', client_secret };
    const reply = await test_app.app.inject({
      method: 'POST',
      url: '/oidc/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...form, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) }).toString(),
    });
    expect([reply.statusCode, reply.json().error]).toEqual([400, 'invalid_grant']);
    expect((await browser.request('/oidc/interaction/%00')).statusCode).toBe(400);
    expect((await browser.request('/oidc/auth/%00')).statusCode).toBeLessThan(500);
  });

  test('the token endpoint without the secret of the client', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', client_id: 'sendlap', client_secret: 'guess' };
    const reply = await test_app.app.inject({
      method: 'POST',
      url: '/oidc/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    expect([reply.statusCode, reply.json().error]).toEqual([401, 'invalid_client']);
  });

  test('the sixth attempt of a minute on one account, known or not, and says when to come back', async () => {
    for (const email of ['page@example.org', 'unknown@example.org']) {
      const form = { email, password: 'wrong password' };
      const post = () => browser.request(`${path}/sign-in`, { method: 'POST', form });
      const answers = [];
      for (let attempt = 1; attempt <= 5; attempt += 1) answers.push((await post()).statusCode);
      expect(answers).toEqual([422, 422, 422, 422, 422]);
      const sixth = await post();
      expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '60']);
      expect(sixth.body).toContain('Too many attempts');
    }
  });
});
