import { randomUUID } from 'node:crypto';
import { login } from '@sendlap/contract/auth.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { hashPassword } from '#api/accounts/passwords.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { runVerb } from '#test/run-verb.ts';
import { command } from './users-reset-password.ts';

const LINK = /^http:\/\/localhost:8000\/oidc\/reset\?token=([\w-]{43})$/;
const NEW_PASSWORD = 'a new sentence for Ada';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp();
  const password_hash = await hashPassword('the old sentence');
  await test_app.database
    .insertInto('provider_accounts')
    .values({
      id: randomUUID(),
      email: 'Ada@example.org',
      email_key: 'ada@example.org',
      display_name: 'Ada',
      password_hash,
    })
    .execute();
});
afterAll(() => test_app.close());
afterEach(() => vi.unstubAllEnvs());

const run = (...args: string[]) => runVerb(test_app.database, command.run, args);

it.each([[[]], [['a@example.org', 'b@example.org']], [['a@example.org', '--force']]])(
  'refuses the arguments %j',
  async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm run sendlap -- users reset-password');
  },
);

it.each(['unknown@example.org', 'no e-mail', '%', '\u0000'])(
  'refuses %j, for there is no such account',
  async (email) => {
    const { code, stdout, stderr } = await run(email);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('There is no account');
  },
);

it('refuses where another provider keeps the passwords', async () => {
  vi.stubEnv('OIDC_ISSUER', 'https://id.example');
  vi.stubEnv('OIDC_CLIENT_ID', 'sendlap');
  const { code, stdout, stderr } = await run('ada@example.org');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('https://id.example');
});

it('prints a link for a day that opens the account once and replaces an older one', async () => {
  const older = LINK.exec((await run('ada@example.org')).stdout.split('\n')[0] ?? '')?.[1] ?? '';
  const before = Date.now();
  const { code, stdout } = await run('ADA@example.org', '--json');
  expect(code).toBe(0);
  const { email, link, expires_at } = JSON.parse(stdout);
  expect(email).toBe('Ada@example.org');
  const made_at = Date.parse(expires_at) - 86_400_000;
  expect(made_at).toBeGreaterThanOrEqual(before);
  expect(made_at).toBeLessThanOrEqual(Date.now());

  const browser = createBrowser(test_app.app);
  const choose = (token: string) =>
    browser.request('/oidc/reset', { method: 'POST', form: { token, password: NEW_PASSWORD, ui_locales: 'en' } });
  const token = LINK.exec(link)?.[1] ?? '';
  const statuses = [];
  for (const each of [older, token, token]) statuses.push((await choose(each)).statusCode);
  expect(statuses).toEqual([400, 200, 400]);
  const json = { email: 'ada@example.org', password: NEW_PASSWORD };
  expect((await browser.request(login.path, { method: 'POST', json })).statusCode).toBe(200);
});
