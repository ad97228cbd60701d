import { randomUUID } from 'node:crypto';
import { listAudit } from '@sendlap/contract/server-management/audit.ts';
import { suspendPerson } from '@sendlap/contract/server-management/people.ts';
import { handleReport, listReports, type Report } from '@sendlap/contract/server-management/reports.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend } from '#test/factories.ts';
import { openChatScene } from '#test/scenes/chat-scene.ts';
import { eraseNow } from '#test/scenes/erase-now.ts';
import { openFriendScene } from '#test/scenes/friend-scene.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';

let api: TestApp;
let olga: SignedIn;
let ada: SignedIn;
let bea: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['operators', 'audit_entries', 'reports'] as const)
    await api.database.deleteFrom(table).execute();
  olga = await makeOperator(api, 'Olga');
  [ada, bea] = (await openFriendScene(api).people('Ada', 'Bea')) as [SignedIn, SignedIn];
});

const get = async (path: string, query: Record<string, string> = {}) =>
  (await api.app.inject({ url: path, headers: olga.headers, query })).json();
const list = async (status: 'open' | 'handled' = 'open') =>
  (await get(listReports.path, { status })).data.items as Report[];

async function handle(id: string, payload: object, who = olga) {
  const url = handleReport.path.replace(':id', id);
  const reply = await api.app.inject({ method: 'POST', url, headers: who.headers, payload });
  return { status: reply.statusCode, ...reply.json() };
}

async function report(overrides: object = {}, who = ada): Promise<string> {
  const payload = { client_id: randomUUID(), user_id: bea.user.id, reason: 'spam', ...overrides };
  const reply = await api.app.inject({ method: 'POST', url: '/v1/reports', headers: who.headers, payload });
  expect(reply.statusCode).toBe(201);
  return payload.client_id;
}

const stateOf = async ({ user }: SignedIn) =>
  (await api.database.selectFrom('users').select('suspended_at').where('id', '=', user.id).executeTakeFirstOrThrow())
    .suspended_at === null
    ? 'free'
    : 'suspended';
const acts = async () =>
  (await api.database.selectFrom('audit_entries').select(['act', 'subject_id', 'reason']).orderBy('id').execute()).map(
    ({ act, subject_id, reason }) => [act, subject_id, reason],
  );

describe('refused, and the report stays open:', () => {
  test.each([
    ['without a reason', { outcome: 'dismissed' }, 'validation_failed'],
    ['with an empty reason', { outcome: 'suspended', reason: '' }, 'validation_failed'],
    ['with an unknown outcome', { outcome: 'ignored', reason: 'x' }, 'validation_failed'],
  ])('an outcome %s', async (_name, payload, code) => {
    expect((await handle(await report(), payload)).code).toBe(code);
    expect([await list(), await stateOf(bea), await acts()]).toEqual([[expect.anything()], 'free', []]);
  });

  test('an outcome of a report that does not exist', async () => {
    expect((await handle(randomUUID(), { outcome: 'dismissed', reason: 'x' })).code).toBe('not_found');
  });

  test('the suspension of an operator, and of an erased account', async () => {
    const id = await report();
    await api.database.insertInto('operators').values({ user_id: bea.user.id }).execute();
    expect((await handle(id, { outcome: 'suspended', reason: 'Spam' })).code).toBe('user_is_operator');
    await api.database.deleteFrom('operators').where('user_id', '=', bea.user.id).execute();
    await eraseNow(api.database, bea.user.public_id);
    expect((await handle(id, { outcome: 'suspended', reason: 'Spam' })).code).toBe('user_not_found');
    const erased = ['erasure_requested', DELETED_USER_ID, null];
    expect([(await list()).map((each) => each.id), await acts()]).toEqual([[id], [erased]]);
  });

  test('a page with an invalid cursor', async () => {
    expect((await get(listReports.path, { cursor: 'x' })).code).toBe('cursor_invalid');
  });
});

test('an operator reads who reported whom, why, and the selected messages with their sender', async () => {
  const scene = openChatScene(api);
  await befriend(api.database, ada, bea);
  const { data: chat } = await scene.create(ada, bea.user.id);
  const { data: mine } = await scene.send(ada, chat.id, 'Please stop');
  const { data: hers } = await scene.send(bea, chat.id, 'Buy this');
  const first = await report({ text: 'Adverts', message_ids: [hers.id, mine.id] });
  const second = await report({ reason: 'other' });
  const reports = await list();
  expect(reports.map(({ id }) => id)).toEqual([second, first]);
  expect(reports[1]).toEqual({
    id: first,
    created_at: expect.any(String),
    reporter: { public_id: ada.user.public_id, name: 'Ada' },
    reported: { public_id: bea.user.public_id, name: 'Bea', state: 'active', is_operator: false, reporters: 1 },
    reason: 'spam',
    text: 'Adverts',
    messages: [
      { id: mine.id, is_of_reported: false, text: 'Please stop', created_at: expect.any(String) },
      { id: hers.id, is_of_reported: true, text: 'Buy this', created_at: expect.any(String) },
    ],
    handled: null,
  });
});

test('a dismissed report leaves the open list, once, and the account stays usable', async () => {
  const id = await report();
  const payload = { outcome: 'dismissed', reason: 'A joke between friends' };
  const { data } = await handle(id, payload);
  expect(data.handled).toEqual({
    at: expect.any(String),
    by: { public_id: olga.user.public_id, name: 'Olga' },
    ...payload,
  });
  expect((await handle(id, payload)).status).toBe(200);
  expect((await handle(id, { outcome: 'suspended', reason: 'Spam' })).code).toBe('conflict');
  expect([await list(), (await list('handled')).map((each) => each.id)]).toEqual([[], [id]]);
  expect([await stateOf(bea), await acts()]).toEqual(['free', [['report_dismissed', null, null]]]);
});

test('a report that is upheld suspends the account in the same step', async () => {
  const id = await report();
  await handle(id, { outcome: 'suspended', reason: 'Adverts' });
  expect((await list('handled'))[0]).toMatchObject({ id, reported: { state: 'suspended' } });
  expect(await stateOf(bea)).toBe('suspended');
  expect(await acts()).toEqual([
    ['user_suspended', bea.user.id, 'Adverts'],
    ['report_upheld', null, null],
  ]);
  const { items } = (await get(listAudit.path)).data;
  expect(
    items.map(({ act, subject, note }: { act: string; subject: object; note: string }) => [act, subject, note]),
  ).toEqual(
    ['report_upheld', 'user_suspended'].map((act) => [act, { public_id: bea.user.public_id, name: 'Bea' }, 'Adverts']),
  );
});

test('of two operators with different outcomes at once, the first one counts', async () => {
  const id = await report();
  const outcomes = ['dismissed', 'suspended'];
  const replies = await Promise.all(outcomes.map((outcome) => handle(id, { outcome, reason: outcome })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [handled] = await list('handled');
  expect(await stateOf(bea)).toBe(handled?.handled?.outcome === 'suspended' ? 'suspended' : 'free');
});

test('after the erasure of the reported user no text about them is left', async () => {
  await handle(await report({ text: 'Bea sells' }), { outcome: 'suspended', reason: 'Bea again' });
  const url = suspendPerson.path.replace(':public_id', bea.user.public_id);
  await api.app.inject({ method: 'PUT', url, headers: olga.headers, payload: { reason: 'Bea' } });
  await eraseNow(api.database, bea.user.public_id);
  const trail = await get(listAudit.path);
  expect(JSON.stringify([await list('handled'), trail])).not.toContain('Bea');
  expect(trail.data.items[0].subject.public_id).toBe('deleted-user');
});

test('reports are read page by page', async () => {
  const ids = [await report(), await report(), await report()].reverse();
  const first = (await get(listReports.path, { limit: '2' })).data;
  const second = (await get(listReports.path, { limit: '2', cursor: first.next_cursor })).data;
  expect([...first.items, ...second.items].map(({ id }: Report) => id)).toEqual(ids);
  expect(second.next_cursor).toBe(null);
});

test('a suspension whose sessions could not be ended is not half done: a repeat does all of it', async () => {
  const id = await report();
  const outcome = { outcome: 'suspended', reason: 'spam' };
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'the connection was lost' using errcode = '57P01'; end $$`.execute(api.database);
  await sql`create trigger fail before update on sessions for each row execute function fail()`.execute(api.database);
  expect((await handle(id, outcome)).status).toBe(503);
  await sql`drop function fail() cascade`.execute(api.database);
  expect([(await list()).length, await stateOf(bea), await acts()]).toEqual([1, 'free', []]);
  expect((await handle(id, outcome)).status).toBe(200);
  const { statusCode } = await api.app.inject({ url: '/v1/operators/me', headers: bea.headers });
  expect([statusCode, await stateOf(bea)]).toEqual([401, 'suspended']);
});
