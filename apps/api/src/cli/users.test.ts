import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccounts } from '#api/accounts/accounts.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { runVerb } from '#test/run-verb.ts';
import { command as users_create } from './users-create.ts';
import { command as users_erase } from './users-erase.ts';

const PASSWORD = 'correct horse battery staple';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
afterEach(async () => {
  vi.unstubAllEnvs();
  // Most tests try the same account.
  await api.database.deleteFrom('attempt_counts').execute();
});

const create = (args: string[], input = '') => runVerb(api.database, users_create.run, args, input);
const erase = (...args: string[]) => runVerb(api.database, users_erase.run, args);
const signInWith = (email: string, password: string) =>
  createAccounts(api.database, api.secrets).signIn({ email, password, ip: randomUUID(), device_cookie: undefined });

describe('users create', () => {
  it('ends with 2 and the usage for wrong usage', async () => {
    for (const args of [
      [],
      ['a@example.org'],
      ['a@example.org', 'b', '--name', 'A'],
      ['a@example.org', '--nam', 'A'],
    ]) {
      const result = await create(args);
      expect(result, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain('npm run sendlap -- users create <email> --name <name> [options]');
    }
  });

  it.each([
    ['an invalid e-mail', ['ada', '--name', 'Ada'], PASSWORD, 'not an e-mail'],
    ['an empty name', ['ada@example.org', '--name', ' '], PASSWORD, 'name is empty'],
    ['a long name', ['ada@example.org', '--name', 'a'.repeat(41)], PASSWORD, '40 characters'],
    ['a short password', ['ada@example.org', '--name', 'Ada'], 'short', '8 characters'],
    ['a common password', ['ada@example.org', '--name', 'Ada'], 'password123', 'too common'],
    ['no password', ['ada@example.org', '--name', 'Ada'], '', '8 characters'],
  ])('ends with 1 for %s, says why, and makes nothing', async (_what, args, input, why) => {
    const result = await create([...args, '--password-stdin'], input);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(why);
    const made = api.database
      .selectFrom('provider_accounts')
      .select('id')
      .where('email', '=', args[0] ?? '');
    expect(await made.execute()).toEqual([]);
  });

  it('ends with 1 where another provider keeps the passwords, and makes nothing', async () => {
    vi.stubEnv('OIDC_ISSUER', 'https://id.example');
    vi.stubEnv('OIDC_CLIENT_ID', 'sendlap');
    const result = await create(['dora@example.org', '--name', 'Dora', '--password-stdin'], PASSWORD);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('https://id.example');
    expect(await signInWith('dora@example.org', PASSWORD)).toBe('credentials_wrong');
  });

  it('makes an account that can sign in with the password of standard input, but not twice', async () => {
    const args = ['bea@example.org', '--name', 'Bea', '--password-stdin', '--json'];
    const result = await create(args, `${PASSWORD}\n`);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const user = JSON.parse(result.stdout);
    expect(user).toEqual({ id: user.id, public_id: user.public_id, name: 'Bea', email: 'bea@example.org' });
    expect(await signInWith('bea@example.org', PASSWORD)).toMatchObject({ email: 'bea@example.org' });
    const row = await api.database
      .selectFrom('users')
      .select(['public_id', 'display_name'])
      .where('id', '=', user.id)
      .executeTakeFirst();
    expect(row).toEqual({ public_id: user.public_id, display_name: 'Bea' });
    const again = await create(['BEA@example.org', '--name', 'Bea', '--password-stdin'], PASSWORD);
    expect(again).toMatchObject({ code: 1, stderr: 'This e-mail has an account.\n' });
  });

  it('makes a password if none is given, and prints it', async () => {
    const { stdout } = await create(['cleo@example.org', '--name', 'Cleo']);
    const [, password = ''] = /^Password: (\S{20})$/m.exec(stdout) ?? [];
    expect(await signInWith('cleo@example.org', password)).toMatchObject({ display_name: 'Cleo' });
  });
});

describe('users erase', () => {
  it('ends with 2 and the usage for wrong usage', async () => {
    for (const args of [[], ['a', 'b'], ['a', '--later']]) {
      const result = await erase(...args);
      expect(result, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain('npm run sendlap -- users erase <public-id> [options]');
    }
  });

  it.each(['no-such-athlete', 'deleted-user'])('ends with 1 for %s', async (public_id) => {
    for (const flags of [[], ['--now']]) {
      expect(await erase(public_id, ...flags)).toMatchObject({
        code: 1,
        stderr: `There is no user ${public_id}.\n`,
      });
    }
  });

  it('locks for 7 days and signs out; again changes nothing', async () => {
    const ada = await api.signIn('Ada');
    const before = Date.now();
    const result = await erase(ada.user.public_id, '--json');
    const done = JSON.parse(result.stdout);
    expect(done).toMatchObject({ public_id: ada.user.public_id, erased: false });
    const locked_at = Date.parse(done.erase_after) - 7 * 86_400_000;
    expect(locked_at).toBeGreaterThanOrEqual(before);
    expect(locked_at).toBeLessThanOrEqual(Date.now());
    const isSignedIn = async () =>
      (await api.app.inject({ url: '/v1/users/settings', headers: ada.headers })).statusCode === 200;
    await expect.poll(isSignedIn).toBe(false);
    expect(JSON.parse((await erase(ada.user.public_id, '--json')).stdout)).toEqual(done);
  });

  it('erases at once with --now, also an account that was locked before', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    await erase(bea.user.public_id);
    for (const { user } of [ada, bea]) {
      expect(await erase(user.public_id, '--now')).toMatchObject({ code: 0, stdout: `${user.public_id} is erased.\n` });
      expect(columnsHolding(await readAllTables(api.database), [user.id])).toEqual([]);
      expect(await erase(user.public_id, '--now')).toMatchObject({ code: 1 });
    }
  });

  it('leaves a token that still lives with nothing to read or write', async () => {
    const ada = await api.signIn('Ada');
    await erase(ada.user.public_id, '--now');
    const ask = (method: 'GET' | 'PATCH', payload?: object) =>
      api.app.inject({ method, url: '/v1/users/settings', headers: ada.headers, ...(payload ? { payload } : {}) });
    expect((await ask('GET')).statusCode).toBe(401);
    expect((await ask('PATCH', { display_name: 'Back' })).statusCode).toBe(401);
    expect(columnsHolding(await readAllTables(api.database), [ada.user.id])).toEqual([]);
  });
});
