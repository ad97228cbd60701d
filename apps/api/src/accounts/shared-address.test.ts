import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSecrets } from '#api/database/secrets.ts';
import { TEST_SECRET } from '#test/app/app.ts';
import { addCheapAccount } from '#test/app/cheap-account.ts';
import { PASSWORD } from '#test/app/sign-in.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { NO_LINK, openSignUpScene, type SignUpScene } from '#test/scenes/sign-up-scene.ts';
import { type Accounts, createAccounts } from './accounts.ts';

/** A class of thirty behind the one IP address of a Wi-Fi network. */
const PUPILS = Array.from({ length: 30 }, (_, index) => `pupil${index}@example.org`);

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let accounts: Accounts;
let scene: SignUpScene;
beforeAll(async () => {
  own = await openTestDatabase();
  accounts = createAccounts(own.database, createSecrets(TEST_SECRET));
  scene = await openSignUpScene();
});
afterAll(async () => {
  await scene.close();
  await own.close();
});
// No minute ends during a test. The timers that the database needs stay real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Signs in by a browser that is new to the account. Returns the problem; undefined for a success. */
async function signIn(ip: string, email: string, password = PASSWORD) {
  const result = await accounts.signIn({ email, password, ip, device_cookie: undefined });
  return typeof result === 'string' ? result : undefined;
}

/** Signs up without mail. Returns the problem; undefined for a success. */
async function signUp(ip: string, email: string) {
  const account = { email, display_name: 'Ada L.', password: PASSWORD };
  const result = await accounts.signUp({ ...account, ip, device_cookie: undefined });
  return typeof result === 'string' ? result : undefined;
}

const addMember = (email: string) =>
  addCheapAccount(own.database, { email, display_name: 'Ada L.', password: PASSWORD });

describe('a class behind one IP address', () => {
  test('signs up within a minute, with mail', async () => {
    const statuses: number[][] = [];
    for (const email of PUPILS) {
      const visitor = await scene.newVisitor();
      const headers = { 'x-forwarded-for': '198.51.100.1' };
      const asked = await visitor.ask(email, {}, headers);
      const [link = NO_LINK] = await scene.readLinks(email);
      statuses.push([asked.statusCode, (await visitor.finish(link, {}, headers)).statusCode]);
    }
    expect(statuses).toEqual(PUPILS.map(() => [200, 303]));
  });

  test('signs up within a minute, without mail', async () => {
    for (const email of PUPILS) expect(await signUp('198.51.100.2', email)).toBeUndefined();
  });

  test('signs in within a minute, each pupil in a new browser', async () => {
    for (const email of PUPILS) {
      await addMember(`again.${email}`);
      expect(await signIn('198.51.100.3', `again.${email}`)).toBeUndefined();
    }
  });
});

describe('one IP address has to wait', () => {
  test('after 20 wrong passwords of a minute, although sign-ins with a right one lie between', async () => {
    await addMember('mallory@example.org');
    for (let count = 1; count <= 20; count += 1) {
      expect(await signIn('198.51.100.4', 'mallory@example.org')).toBeUndefined();
      expect(await signIn('198.51.100.4', `victim${count}@example.org`)).toBe('credentials_wrong');
    }
    expect(await signIn('198.51.100.4', 'victim21@example.org')).toBe('too_many_attempts');
    expect(await signIn('198.51.100.4', 'mallory@example.org')).toBe('too_many_attempts');
  });

  test('after 20 sign-ups of a minute for e-mail addresses that have an account, although others lie between', async () => {
    await addMember('taken@example.org');
    for (let count = 1; count <= 20; count += 1) {
      expect(await signUp('198.51.100.5', `between${count}@example.org`)).toBeUndefined();
      expect(await signUp('198.51.100.5', 'taken@example.org')).toBe('email_taken');
    }
    expect(await signUp('198.51.100.5', 'taken@example.org')).toBe('too_many_attempts');
    expect(await signUp('198.51.100.6', 'taken@example.org')).toBe('email_taken');
  });

  test('after 60 sign-ups of a minute without mail, which make an account each', async () => {
    for (let count = 1; count <= 60; count += 1) {
      expect(await signUp('198.51.100.7', `many${count}@example.org`)).toBeUndefined();
    }
    expect(await signUp('198.51.100.7', 'many61@example.org')).toBe('too_many_attempts');
    expect(await signIn('198.51.100.7', 'many1@example.org')).toBeUndefined();
    expect(await signUp('198.51.100.8', 'many61@example.org')).toBeUndefined();
  });
});
