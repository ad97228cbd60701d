import { randomUUID } from 'node:crypto';
import { MAX_REPORT_TEXT_LENGTH, REPORTS_A_DAY } from '@sendlap/contract/reports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { openFriendScene } from '#test/scenes/friend-scene.ts';

let api: TestApp;
let ada: SignedIn;
let bea: SignedIn;
let cleo: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
});
beforeEach(async () => {
  [ada, bea, cleo] = (await openFriendScene(api).people('Ada', 'Bea', 'Cleo')) as [SignedIn, SignedIn, SignedIn];
});
afterAll(() => api.close());

const reportOf = (overrides: object = {}) => ({
  client_id: randomUUID(),
  user_id: bea.user.id,
  reason: 'spam',
  ...overrides,
});

async function report(who: SignedIn, payload: object) {
  const reply = await api.app.inject({ method: 'POST', url: '/v1/reports', headers: who.headers, payload });
  return {
    status: reply.statusCode,
    replayed: reply.headers['idempotent-replay'] === 'true',
    retry_after: Number(reply.headers['retry-after']),
    ...reply.json(),
  };
}

const rowsOf = ({ user }: SignedIn) =>
  api.database.selectFrom('reports').selectAll().where('reporter_id', '=', user.id).execute();

/** Creates a chat of two users with a message from each; returns the ids of the messages. */
async function chatOf(one: SignedIn, other: SignedIn): Promise<string[]> {
  const [user_low = '', user_high = ''] = [one.user.id, other.user.id].sort();
  const chat = { id: randomUUID(), user_low, user_high, created_by: one.user.id, last_seq: 2 };
  await api.database.insertInto('chats').values(chat).execute();
  const rows = [one, other].map(({ user }, nth) => ({
    id: randomUUID(),
    chat_id: chat.id,
    seq: nth + 1,
    sender_id: user.id,
    text: `Message ${nth + 1}`,
    created_at: new Date(),
  }));
  await api.database.insertInto('messages').values(rows).execute();
  return rows.map(({ id }) => id);
}

describe('refusals', () => {
  test.each([
    ['an unknown reason', { reason: 'because' }],
    ['no reason', { reason: undefined }],
    ['an id that is no UUID', { client_id: 'x' }],
    ['an unknown field', { more: 1 }],
    ['21 messages', { message_ids: Array.from({ length: 21 }, () => randomUUID()) }],
    ['a text that no count of letters fits in', { text: 'a'.repeat(2 * MAX_REPORT_TEXT_LENGTH + 1) }],
  ])('%s', async (_name, overrides) => {
    expect(await report(ada, reportOf(overrides))).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await rowsOf(ada)).toEqual([]);
  });

  test('a text of 1,001 code points; 1,000 of any kind fit', async () => {
    const text = '🧗'.repeat(MAX_REPORT_TEXT_LENGTH);
    const long = reportOf({ text: `${text.slice(0, -2)}ab` });
    expect(await report(ada, long)).toMatchObject({ status: 422, code: 'report_text_too_long' });
    expect(await rowsOf(ada)).toEqual([]);
    expect(await report(ada, reportOf({ text }))).toMatchObject({ status: 201 });
    expect(await rowsOf(ada)).toMatchObject([{ text }]);
  });

  test('U+0000', async () => {
    expect(await report(ada, reportOf({ text: 'a\u0000b' }))).toMatchObject({ status: 400 });
    expect(await rowsOf(ada)).toEqual([]);
  });

  test('oneself, an unknown user, the deleted user and a locked stranger', async () => {
    await api.database.updateTable('users').set({ is_active: false }).where('id', '=', cleo.user.id).execute();
    for (const user_id of [ada.user.id, randomUUID(), DELETED_USER_ID, cleo.user.id]) {
      expect(await report(ada, reportOf({ user_id }))).toMatchObject({ status: 404, code: 'user_not_found' });
    }
    expect(await rowsOf(ada)).toEqual([]);
  });

  test('messages of another chat, of a chat of others, and none at all', async () => {
    const [mine = ''] = await chatOf(ada, bea);
    const [with_cleo = ''] = await chatOf(ada, cleo);
    const [of_others = ''] = await chatOf(bea, cleo);
    for (const id of [with_cleo, of_others, randomUUID()]) {
      const refused = await report(ada, reportOf({ message_ids: [mine, id] }));
      expect(refused).toMatchObject({ status: 404, code: 'message_not_found' });
    }
    expect(await rowsOf(ada)).toEqual([]);
  });

  test('the id of another report, of mine or of another user', async () => {
    const first = reportOf();
    await report(ada, first);
    for (const other of [{ reason: 'cheating' }, { text: 'More' }, { user_id: cleo.user.id }]) {
      expect(await report(ada, { ...first, ...other })).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
    }
    expect(await report(cleo, first)).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
    expect(await rowsOf(ada)).toMatchObject([{ reason: 'spam', text: null }]);
    expect(await rowsOf(cleo)).toEqual([]);
  });
});

test('a report is kept once, however often and at whatever moment it comes', async () => {
  const message_ids = await chatOf(ada, bea);
  const sent = reportOf({ text: '  Sends me adverts \n', message_ids: [...message_ids, ...message_ids] });
  const replies = await Promise.all(Array.from({ length: 5 }, () => report(ada, sent)));
  for (const reply of replies) expect(reply).toMatchObject({ status: 201, data: { id: sent.client_id } });
  expect(replies.filter(({ replayed }) => replayed)).toHaveLength(4);
  const rows = await rowsOf(ada);
  expect(rows).toMatchObject([{ id: sent.client_id, reported_id: bea.user.id, text: 'Sends me adverts' }]);
  expect(rows[0]?.message_ids.toSorted()).toEqual(message_ids.toSorted());
});

test('a repeat counts after the reported one has locked the account, and after a block', async () => {
  const sent = reportOf({ text: 'Spam' });
  await report(ada, sent);
  await openFriendScene(api).block(ada, bea);
  await api.database.updateTable('users').set({ is_active: false }).where('id', '=', bea.user.id).execute();
  expect(await report(ada, sent)).toMatchObject({ status: 201, replayed: true });
});

test('a user can report a person whom they blocked, with messages of the hidden chat', async () => {
  const [first = ''] = await chatOf(ada, bea);
  await openFriendScene(api).block(ada, bea);
  expect(await report(ada, reportOf({ message_ids: [first] }))).toMatchObject({ status: 201 });
});

test('no user gets an event about a report, and an 11th within a day is refused; a repeat does not count', async () => {
  const first = reportOf();
  for (let nth = 0; nth < 10; nth += 1) expect(await report(ada, first)).toMatchObject({ status: 201 });
  for (let nth = 1; nth < 10; nth += 1) expect(await report(ada, reportOf())).toMatchObject({ status: 201 });
  const refused = await report(ada, reportOf());
  expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(refused.retry_after).toBeGreaterThan(86_400 - 600);
  expect(await report(ada, first)).toMatchObject({ status: 201, replayed: true });
  expect(await openFriendScene(api).eventsOf(bea)).toEqual([]);
});

test('of many reports at the same moment as many are kept as a day allows', async () => {
  const sent = Array.from({ length: REPORTS_A_DAY + 10 }, () => reportOf());
  const replies = await Promise.all(sent.map((each) => report(ada, each)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(REPORTS_A_DAY);
  expect(replies.filter(({ code }) => code === 'too_many_requests')).toHaveLength(10);
  expect(await rowsOf(ada)).toHaveLength(REPORTS_A_DAY);
});

test('copies of the last report of a day that come at the same moment are repeats', async () => {
  for (let nth = 1; nth < REPORTS_A_DAY; nth += 1) await report(ada, reportOf());
  const last = reportOf();
  const replies = await Promise.all(Array.from({ length: 8 }, () => report(ada, last)));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
});
