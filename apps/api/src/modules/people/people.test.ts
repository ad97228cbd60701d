import * as calls from '@sendlap/contract/server-management/people.ts';
import { deleteMe, getDeletion, restoreMe } from '@sendlap/contract/users.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '#test/accounts.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { signInAgain } from '#test/scenes/filled-person.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';

const { createPerson, createPasswordLink, getPerson, grantOperator, listPeople, revokeOperator } = calls;
const { erasePerson, inviteOperator, liftSuspension, suspendPerson } = calls;

const WEEK_MS = 7 * 86_400_000;

let api: TestApp;
let olga: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['operators', 'audit_entries', 'invites'] as const)
    await api.database.deleteFrom(table).execute();
  olga = await makeOperator(api, 'Olga');
});

async function call(
  endpoint: Endpoint,
  {
    who = olga,
    name = '',
    ...rest
  }: { who?: Pick<SignedIn, 'headers'>; name?: string; body?: object; query?: Record<string, string> } = {},
) {
  const url = endpoint.path.replace(':public_id', encodeURIComponent(name));
  const payload = rest.body ?? (endpoint.body ? {} : undefined);
  const reply = await api.app.inject({
    method: endpoint.method,
    url,
    headers: who.headers,
    query: rest.query ?? {},
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, ...reply.json() };
}

const acts = async () =>
  (
    await api.database
      .selectFrom('audit_entries')
      .select(['act', 'actor_id', 'subject_id', 'reason'])
      .orderBy('id')
      .execute()
  ).map(({ act, actor_id, subject_id, reason }) => [act, actor_id, subject_id, reason]);

const isOperator = async (who: SignedIn) =>
  (await api.app.inject({ url: '/v1/operators/me', headers: who.headers })).json().data?.is_operator;

describe('refused, and nothing changes:', () => {
  test.each([
    ['a user who does not exist', getPerson, 'no-such', undefined, 'user_not_found'],
    ['the deleted user', suspendPerson, 'deleted-user', { reason: 'x' }, 'user_not_found'],
    ['a suspension without a reason', suspendPerson, '', {}, 'validation_failed'],
    ['a reason without visible characters', suspendPerson, '', { reason: ' \u200b ' }, 'validation_failed'],
    ['a reason of 301 characters', erasePerson, '', { reason: 'x'.repeat(301) }, 'validation_failed'],
    ['an account without an e-mail address', createPerson, '', { email: 'ada', name: 'Ada' }, 'validation_failed'],
    ['an account without a name', createPerson, '', { email: 'a@example.org', name: ' ' }, 'validation_failed'],
    ['a password link where another service keeps it', createPasswordLink, '', undefined, 'password_login_unavailable'],
  ] as const)('%s', async (_name, endpoint, name, body, code) => {
    const ada = await api.signIn('Ada');
    const reply = await call(endpoint, { name: name || ada.user.public_id, ...(body && { body }) });
    expect(reply.code).toBe(code);
    expect((await call(getPerson, { name: ada.user.public_id })).data.state).toBe('active');
    expect(await acts()).toEqual([]);
  });

  test.each([
    ['cursor', 'x', 'cursor_invalid'],
    ['limit', '101', 'validation_failed'],
    ['only', 'athletes', 'validation_failed'],
    ['order', 'name', 'validation_failed'],
  ])('a list with %s=%s', async (name, value, code) => {
    expect((await call(listPeople, { query: { [name]: value } })).code).toBe(code);
  });

  test('to suspend or erase an operator, oneself included', async () => {
    const other = await makeOperator(api, 'Otto');
    for (const { user } of [olga, other])
      for (const endpoint of [suspendPerson, erasePerson])
        expect((await call(endpoint, { name: user.public_id, body: { reason: 'x' } })).code).toBe('user_is_operator');
    expect([await isOperator(other), await acts()]).toEqual([true, []]);
  });

  test('to end the right of the last operator; a locked one does not count', async () => {
    const otto = await makeOperator(api, 'Otto');
    await call(deleteMe, { who: otto });
    expect((await call(revokeOperator, { name: olga.user.public_id })).code).toBe('last_operator');
    expect([await isOperator(olga), await acts()]).toEqual([true, []]);
  });

  test('to make a locked user an operator', async () => {
    const ada = await api.signIn('Ada');
    await call(suspendPerson, { name: ada.user.public_id, body: { reason: 'Spam' } });
    expect((await call(grantOperator, { name: ada.user.public_id })).code).toBe('conflict');
    expect((await call(getPerson, { name: ada.user.public_id })).data.is_operator).toBe(false);
  });

  test('an account for an e-mail address that has one', async () => {
    const body = { email: 'Twice@example.org', name: 'Ada' };
    expect((await call(createPerson, { body })).status).toBe(201);
    const before = await acts();
    expect((await call(createPerson, { body: { ...body, email: 'twice@example.org' } })).code).toBe('email_taken');
    expect(await acts()).toEqual(before);
  });
});

describe('the list', () => {
  test('is found by a part of the name, of the public id, and by the whole e-mail address', async () => {
    const account = { email: 'zoe.unique@example.org', name: 'Zoë 100% Uniqueword', password: 'correct horse battery' };
    await createAccount(api, account);
    const find = async (q: string) =>
      (await call(listPeople, { query: { q } })).data.items.map(({ name }: { name: string }) => name);
    expect(await find('uniqueW')).toEqual([account.name]);
    expect(await find('0% U')).toEqual([account.name]);
    expect(await find(' ZOE.unique@example.org ')).toEqual([account.name]);
    expect(await find('zoe.unique@')).toEqual([]);
    const [row] = (await call(listPeople, { query: { q: 'Uniqueword' } })).data.items;
    expect(await find(row.public_id.slice(2))).toEqual([account.name]);
    expect(row).toEqual({
      public_id: expect.any(String),
      name: account.name,
      state: 'active',
      is_operator: false,
      is_referee: false,
      created_at: expect.any(String),
    });
  });

  test('is read page by page, newest first, each user once, the deleted user never', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { data } = await call(listPeople, { query: { limit: '2', ...(cursor !== null && { cursor }) } });
      seen.push(...data.items.map(({ public_id }: { public_id: string }) => public_id));
      cursor = data.next_cursor;
    } while (cursor !== null);
    const rows = await api.database
      .selectFrom('users')
      .select('public_id')
      .where('public_id', '!=', 'deleted-user')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    expect(seen).toEqual(rows.map(({ public_id }) => public_id));
  });

  test('shows operators, referees or suspended people only', async () => {
    const [rex, sam] = [await api.signIn('Rex'), await api.signIn('Sam')];
    const sport_center_id = await makeCenter(api.database);
    const right = { user_id: rex.user.id, sport_center_id, sport_types: ['climbing' as const], granted_by: 'test' };
    await api.database
      .insertInto('referees')
      .values({ id: sport_center_id, ...right, valid_from: new Date(0), valid_until: null })
      .execute();
    await call(suspendPerson, { name: sam.user.public_id, body: { reason: 'Spam' } });
    const names = async (only: string) =>
      (await call(listPeople, { query: { only } })).data.items.map(({ public_id }: { public_id: string }) => public_id);
    expect(await names('operators')).toEqual([olga.user.public_id]);
    expect(await names('referees')).toContain(rex.user.public_id);
    expect(await names('referees')).not.toContain(sam.user.public_id);
    expect(await names('suspended')).toContain(sam.user.public_id);
    expect((await call(getPerson, { name: rex.user.public_id })).data.referee_at).toEqual([
      { sport_center_id, sport_center_name: expect.any(String), sport_types: ['climbing'], valid_until: null },
    ]);
  });
});

test('a new account gets a link with which its owner chooses the password, and no other person learns it', async () => {
  const body = { email: 'new.ada@example.org', name: 'Ada' };
  const { status, data } = await call(createPerson, { body });
  expect([status, data.person]).toMatchObject([201, { name: 'Ada', email: body.email, has_password: true }]);
  const page = await api.app.inject({
    url: data.password_link.url.replace(api.url, ''),
  });
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining(body.email)]);
  const name = data.person.public_id;
  const second = await call(createPasswordLink, { name });
  expect(second.status).toBe(201);
  const user = await api.database
    .selectFrom('users')
    .select('id')
    .where('public_id', '=', name)
    .executeTakeFirstOrThrow();
  expect(await acts()).toEqual([
    ['user_created', olga.user.id, user.id, null],
    ['password_link_created', olga.user.id, user.id, null],
    ['password_link_created', olga.user.id, user.id, null],
  ]);
  const token = new URL(second.data.url).searchParams.get('token') ?? '';
  expect(JSON.stringify(await api.database.selectFrom('audit_entries').selectAll().execute())).not.toContain(token);
});

test('a user becomes an operator and stops being one, once each in the audit trail', async () => {
  const ada = await api.signIn('Ada');
  const name = ada.user.public_id;
  for (const _ of [1, 2]) expect((await call(grantOperator, { name })).data.is_operator).toBe(true);
  expect(await isOperator(ada)).toBe(true);
  const { data: invite } = await call(inviteOperator);
  expect(invite.url).toMatch(/\/setup#[a-z\d-]{14}$/);
  for (const _ of [1, 2]) expect((await call(revokeOperator, { name })).data.is_operator).toBe(false);
  expect(await isOperator(ada)).toBe(false);
  // The end of a right ends the unused invites.
  expect(await api.database.selectFrom('invites').selectAll().execute()).toEqual([]);
  expect(await acts()).toEqual([
    ['operator_granted', olga.user.id, ada.user.id, null],
    ['operator_invited', olga.user.id, null, null],
    ['operator_revoked', olga.user.id, ada.user.id, null],
  ]);
});

test('of two operators who end each other’s right at once, one stays', async () => {
  const otto = await makeOperator(api, 'Otto');
  const replies = await Promise.all([
    call(revokeOperator, { name: otto.user.public_id }),
    call(revokeOperator, { who: otto, name: olga.user.public_id }),
  ]);
  expect(replies.map(({ status }) => status).toSorted()[0]).toBe(200);
  expect((await api.database.selectFrom('operators').selectAll().execute()).length).toBe(1);
});

describe('a suspended account', () => {
  test('is signed out at once, cannot unlock itself, and works again once the suspension is lifted', async () => {
    const ada = await api.signIn('Ada');
    const name = ada.user.public_id;
    const body = { reason: 'Spam in chats' };
    for (const _ of [1, 2]) expect((await call(suspendPerson, { name, body })).data.state).toBe('suspended');
    expect((await call(getDeletion, { who: ada })).code).toBe('unauthenticated');
    const again = await signInAgain(api, ada.user.id, 'Phone');
    expect((await call(getDeletion, { who: again })).data).toEqual({ erase_after: null, is_suspended: true });
    expect((await call(restoreMe, { who: again })).code).toBe('account_suspended');
    expect((await api.app.inject({ url: '/v1/users/settings', headers: again.headers })).json().code).toBe(
      'account_locked',
    );
    for (const _ of [1, 2]) expect((await call(liftSuspension, { name })).data.state).toBe('active');
    const free = await signInAgain(api, ada.user.id, 'Phone');
    expect((await api.app.inject({ url: '/v1/users/settings', headers: free.headers })).statusCode).toBe(200);
    expect(await acts()).toEqual([
      ['user_suspended', olga.user.id, ada.user.id, body.reason],
      ['suspension_lifted', olga.user.id, ada.user.id, null],
    ]);
  });

  test('that its owner deletes is erased in time, and stays locked when the suspension is lifted', async () => {
    const ada = await api.signIn('Ada');
    const name = ada.user.public_id;
    await call(suspendPerson, { name, body: { reason: 'Spam' } });
    const again = await signInAgain(api, ada.user.id, 'Phone');
    expect((await call(deleteMe, { who: again })).status).toBe(200);
    const back = await signInAgain(api, ada.user.id, 'Phone');
    expect((await call(restoreMe, { who: back })).code).toBe('account_suspended');
    const { data } = await call(liftSuspension, { name });
    expect(data).toMatchObject({ state: 'leaving', erase_after: expect.any(String) });
    expect((await call(restoreMe, { who: back })).status).toBe(200);
    expect((await call(getPerson, { name })).data).toMatchObject({ state: 'active', erase_after: null });
  });
});

test('an account that is erased on request is locked for 7 days, and its owner can undo that', async () => {
  const ada = await api.signIn('Ada');
  const name = ada.user.public_id;
  const body = { reason: 'Asked by mail' };
  const earliest = Date.now() + WEEK_MS;
  const { data } = await call(erasePerson, { name, body });
  expect(data.state).toBe('leaving');
  const erase_after = Date.parse(data.erase_after);
  expect(erase_after >= earliest && erase_after <= Date.now() + WEEK_MS).toBe(true);
  expect((await call(erasePerson, { name, body })).data.erase_after).toBe(data.erase_after);
  const again = await signInAgain(api, ada.user.id, 'Phone');
  expect((await call(restoreMe, { who: again })).status).toBe(200);
  expect((await call(getPerson, { name })).data.state).toBe('active');
  expect(await acts()).toEqual([['erasure_requested', olga.user.id, ada.user.id, body.reason]]);
});
