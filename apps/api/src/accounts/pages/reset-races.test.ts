import { randomUUID } from 'node:crypto';
import { getMe, login, refresh } from '@sendlap/contract/auth.ts';
import { type ControlledTransaction, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tables } from '#api/database/tables.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import {
  bearer,
  begin,
  complete,
  dataOf,
  followBack,
  openPage,
  PASSWORD,
  refusalOf,
  signUp,
} from '#test/app/sign-in.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { hashPassword } from '../passwords.ts';
import { issueResetLink, MAILED_LIFETIME_MS, OPERATOR_LIFETIME_MS } from './password-resets.ts';

const NEW_PASSWORD = 'a new sentence for Ada';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test_app.close());

let people = 0;
/** Creates a user with an account, signed in. */
async function newPerson() {
  people += 1;
  const email = `person-${people}@example.org`;
  const browser = createBrowser(test_app.app);
  const signed_up = await signUp(browser, email);
  const { id: account_id } = await test_app.database
    .selectFrom('provider_accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { email, browser, signed_up, account_id };
}

let addresses = 0;
/** The limits of an IP address are not under test here. */
function fromNewAddress() {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.100.${addresses}` };
}

function logIn(email: string, password: string) {
  const browser = createBrowser(test_app.app);
  const headers = fromNewAddress();
  return { browser, reply: browser.request(login.path, { method: 'POST', json: { email, password }, headers }) };
}

async function newToken(account_id: string, lifetime_ms = OPERATOR_LIFETIME_MS): Promise<string> {
  const wanted = { account_id, lifetime_ms, public_url: 'http://localhost:8000' };
  return new URL((await issueResetLink(test_app.database, wanted)).link).searchParams.get('token') ?? '';
}

function choose(token: string, password: string) {
  const form = { token, password, ui_locales: 'en' };
  return createBrowser(test_app.app).request('/oidc/reset', { method: 'POST', form, headers: fromNewAddress() });
}

const lookAt = async (token: string) => (await test_app.app.inject(`/oidc/reset?token=${token}`)).statusCode;

async function replacePassword(trx: ControlledTransaction<Tables> | TestApp['database'], account_id: string) {
  const password_hash = await hashPassword(NEW_PASSWORD);
  await trx.updateTable('provider_accounts').set({ password_hash }).where('id', '=', account_id).execute();
}

const countSessions = async () => (await test_app.database.selectFrom('sessions').select('id').execute()).length;

describe('a replaced password begins no session', () => {
  test('during the direct sign-in, which waits and fails with a wrong password', async () => {
    const { email, account_id } = await newPerson();
    const before = await countSessions();
    const reset = await test_app.database.startTransaction().execute();
    await replacePassword(reset, account_id);
    const { browser, reply } = logIn(email, PASSWORD);
    let is_answered = false;
    const answered = reply.then(() => {
      is_answered = true;
    });
    await expect.poll(async () => is_answered || (await countWaiting(test_app.database)) > 0).toBe(true);
    await reset.commit().execute();
    await answered;
    expect(refusalOf(await reply)).toEqual([401, 'credentials_wrong']);
    expect(browser.cookies.size).toBe(0);
    expect(await countSessions()).toBe(before);
    expect((await logIn(email, NEW_PASSWORD).reply).statusCode).toBe(200);
  });

  test('between the form of the provider and the callback, nor does an erased account', async () => {
    const spoils = [
      (id: string) => replacePassword(test_app.database, id),
      (id: string) => test_app.database.deleteFrom('provider_accounts').where('id', '=', id).execute(),
    ];
    for (const spoil of spoils) {
      const { email, account_id } = await newPerson();
      const browser = createBrowser(test_app.app);
      const begun = await begin(browser);
      const { path } = await openPage(browser, begun);
      const form = { email, password: PASSWORD };
      const back = await followBack(browser, await browser.request(`${path}/sign-in`, { method: 'POST', form }));
      const before = await countSessions();
      await spoil(account_id);
      const reply = await complete(browser, { ...back, code_verifier: begun.code_verifier });
      expect(refusalOf(reply)).toEqual([400, 'oauth_failed']);
      expect(await countSessions()).toBe(before);
    }
  });

  test('while the account is erased: no user is left over', async () => {
    const { email, account_id } = await newPerson();
    const countUsers = async () => (await test_app.database.selectFrom('users').select('id').execute()).length;
    // The erasure already did this: the identity no longer belongs to the user.
    await test_app.database
      .updateTable('identities')
      .set({ subject: randomUUID() })
      .where('subject', '=', account_id)
      .executeTakeFirstOrThrow();
    const before = await countUsers();
    const erasure = await test_app.database.startTransaction().execute();
    await erasure.deleteFrom('provider_accounts').where('id', '=', account_id).execute();
    const { reply } = logIn(email, PASSWORD);
    await expect.poll(async () => (await countWaiting(test_app.database)) > 0).toBe(true);
    await erasure.commit().execute();
    expect(refusalOf(await reply)).toEqual([401, 'credentials_wrong']);
    expect(await countUsers()).toBe(before);
  });

  test('beside a concurrent reset', async () => {
    const { email, account_id } = await newPerson();
    for (let round = 0; round < 4; round += 1) {
      await logIn(email, round === 0 ? PASSWORD : `${NEW_PASSWORD} ${round - 1}`).reply;
      const old_password = round === 0 ? PASSWORD : `${NEW_PASSWORD} ${round - 1}`;
      const token = await newToken(account_id);
      const reset = choose(token, `${NEW_PASSWORD} ${round}`);
      const thieves = Array.from({ length: 4 }, () => logIn(email, old_password));
      expect((await reset).statusCode).toBe(200);
      for (const { reply } of thieves) await reply;
      const refreshes = thieves.map(({ browser }) => browser.request(refresh.path, { method: 'POST' }));
      expect((await Promise.all(refreshes)).map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
      expect((await logIn(email, `${NEW_PASSWORD} ${round}`).reply).statusCode).toBe(200);
    }
  });
});

test('a sign-in page that was open during the reset takes the new password', async () => {
  const { email, account_id } = await newPerson();
  const browser = createBrowser(test_app.app);
  const begun = await begin(browser);
  const { path } = await openPage(browser, begun);
  expect((await choose(await newToken(account_id), NEW_PASSWORD)).statusCode).toBe(200);
  const form = { email, password: NEW_PASSWORD };
  const back = await followBack(browser, await browser.request(`${path}/sign-in`, { method: 'POST', form }));
  expect((await complete(browser, { ...back, code_verifier: begun.code_verifier })).statusCode).toBe(200);
});

test('a reset that cannot be kept ends no session, and its link still works', async () => {
  const { browser, account_id, signed_up } = await newPerson();
  const token = await newToken(account_id);
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''disk full''; end'`.execute(
    test_app.database,
  );
  await sql`
    create constraint trigger refuse after update on provider_accounts deferrable initially deferred
    for each row execute function refuse()
  `.execute(test_app.database);
  expect((await choose(token, NEW_PASSWORD)).statusCode).toBe(500);
  await sql`drop trigger refuse on provider_accounts`.execute(test_app.database);
  expect((await browser.request(getMe.path, bearer(signed_up))).statusCode).toBe(200);
  expect((await browser.request(refresh.path, { method: 'POST' })).statusCode).toBe(200);
  expect((await choose(token, NEW_PASSWORD)).statusCode).toBe(200);
  expect((await browser.request(getMe.path, bearer(signed_up))).statusCode).toBe(401);
});

describe('a link that is requested by mail', () => {
  test('does not replace the operator’s link, even in its last minutes', async () => {
    const { account_id } = await newPerson();
    const by_operator = await newToken(account_id);
    await sql`
      update provider_password_resets
      set created_at = created_at - interval '1439 minutes', expires_at = expires_at - interval '1439 minutes'
      where account_id = ${account_id}
    `.execute(test_app.database);
    const by_mail = await newToken(account_id, MAILED_LIFETIME_MS);
    expect([await lookAt(by_operator), await lookAt(by_mail)]).toEqual([200, 200]);
    expect((await choose(by_mail, NEW_PASSWORD)).statusCode).toBe(200);
    expect(await lookAt(by_operator)).toBe(400);
  });

  test('replaces an earlier one by mail, and the operator’s link replaces both', async () => {
    const { account_id } = await newPerson();
    const tokens = [];
    for (const lifetime_ms of [MAILED_LIFETIME_MS, MAILED_LIFETIME_MS, OPERATOR_LIFETIME_MS, OPERATOR_LIFETIME_MS]) {
      tokens.push(await newToken(account_id, lifetime_ms));
      const alive = [];
      for (const token of tokens) alive.push(await lookAt(token));
      expect(alive.indexOf(200)).toBe(tokens.length - 1);
    }
  });
});

test.each([
  ['ΣΑΣ@example.org', ['ΣΑΣ@example.org', 'σας@EXAMPLE.org']],
  ['İpek@example.org', ['İpek@example.org', 'İPEK@example.org']],
  ['Élodie@example.org', ['élodie@example.org', 'E\u0301LODIE@example.org']],
])('%s signs in with the address as typed, and in any letter case', async (email, spellings) => {
  const made = await signUp(createBrowser(test_app.app), email);
  expect(dataOf(made).user.email).toBe(email);
  for (const spelling of spellings) expect((await logIn(spelling, PASSWORD).reply).statusCode).toBe(200);
  const browser = createBrowser(test_app.app);
  const { path } = await openPage(browser, await begin(browser, { signup: 'true' }));
  const form = { email: spellings[1] ?? '', display_name: randomUUID(), password: PASSWORD };
  expect((await browser.request(`${path}/sign-up`, { method: 'POST', form })).statusCode).toBe(422);
});
