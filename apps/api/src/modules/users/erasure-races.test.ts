import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { createEventWriter } from '#api/events/events.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';
import { lockAccount } from './deletion.ts';
import { eraseUser } from './erase-user.ts';

/** Longer than the tests take: a call waiting for the erasure does not time out before its end. */
const PATIENCE_MS = 600_000;

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp({ chat_lock_timeout_ms: PATIENCE_MS });
  scene = openChatScene(api);
});
afterAll(() => api.close());

/**
 * Locks an account; returns the function that erases it, as if its time had come. The server's own job, which runs once
 * when the server starts, must not find it due: it would be one more that waits.
 */
async function lock({ user }: SignedIn): Promise<() => Promise<boolean>> {
  const due = await lockAccount(createEventWriter(api.database), user.id, { now: new Date() });
  if (!due) throw new Error('the account is missing');
  return () => eraseUser(api.database, user.id, due);
}

/**
 * Locks the counter of a user's stream until the returned function is called, so that their erasure stops close to its
 * end.
 */
const hold = ({ user }: SignedIn) => holdRow(sql`user_event_counters where user_id = ${user.id}`);
/** The same with a message of theirs: their erasure stops while it hides their texts. */
const holdMessage = (id: string) => holdRow(sql`messages where id = ${id}`);

async function holdRow(row: RawBuilder<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const done = api.database.transaction().execute(async (trx) => {
    await sql`select from ${row} for update`.execute(trx);
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  const release = async () => {
    held.resolve();
    await done;
  };
  // A test that fails must not leave the erasure waiting: the app would not close.
  onTestFinished(release);
  return release;
}

/** Returns the lock types that backends wait for. */
async function readWaits(): Promise<string[]> {
  const { rows } = await sql<{ wait_event: string }>`
    select wait_event from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' order by wait_event`.execute(api.database);
  return rows.map(({ wait_event }) => wait_event);
}

const expectWaits = (count: number) => expect.poll(async () => (await readWaits()).length).toBe(count);

test('a chat that a friend begins during the erasure is refused like one with an unknown user', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  await api.database.deleteFrom('chats').where('id', '=', chat_id).execute();
  const erase = await lock(ada);
  const release = await hold(ada);
  const erasing = erase();
  await expectWaits(1);
  const creating = scene.create(ben, ada.user.id);
  await expectWaits(2);
  await release();
  expect(await erasing).toBe(true);
  expect(await creating).toMatchObject({ status: 404, code: 'user_not_found' });
  expect((await scene.list(ben)).data).toEqual([]);
});

test('two friends are erased one after the other', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  for (const who of [ada, ben, ada, ben]) await scene.send(who, chat_id, `A secret of ${who.user.id}`);
  const [eraseAda, eraseBen] = [await lock(ada), await lock(ben)];
  const release = await hold(ada);
  const erasing = eraseAda();
  await expectWaits(1);
  const other = eraseBen();
  await expectWaits(2);
  expect(await readWaits()).toContain('advisory');
  await release();
  expect([await erasing, await other]).toEqual([true, true]);
  const all = await readAllTables(api.database);
  for (const { user } of [ada, ben]) expect(columnsHolding(all, [user.id])).toEqual([]);
  expect(all.chats).toEqual([]);
});

test('read marks in a chat with an erased user go to the reader alone', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const { data: message } = await scene.send(ada, chat_id, 'One');
  await (await lock(ada))();
  expect(await scene.markRead(ben, chat_id, [message.id])).toMatchObject({ data: { unreadCount: 0 } });
  expect((await scene.eventsOf(ben)).at(-1)).toMatchObject({ type: 'messages_read', message_ids: [message.id] });
  const rows = await api.database.selectFrom('user_events').where('user_id', '=', DELETED_USER_ID).execute();
  expect(rows).toEqual([]);
});

test('a message sent during the sender’s own erasure is refused, and its text is not stored', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const { data: first } = await scene.send(ada, chat_id, 'Hidden');
  const erase = await lock(ada);
  const release = await holdMessage(first.id);
  const erasing = erase();
  await expectWaits(1);
  const sending = scene.send(ada, chat_id, 'Too late');
  await expectWaits(2);
  await release();
  expect(await erasing).toBe(true);
  expect(await sending).toMatchObject({ status: 404, code: 'chat_not_found' });
  const all = { ...(await readAllTables(api.database)), board_changes: [] };
  for (const text of [ada.user.id, 'Too late']) expect(columnsHolding(all, [text]), text).toEqual([]);
  expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['']);
});

test('messages read during their sender’s erasure count as read, and the erasure completes', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const { data: first } = await scene.send(ada, chat_id, 'One');
  const { data: second } = await scene.send(ada, chat_id, 'Two');
  const erase = await lock(ada);
  const release = await holdMessage(second.id);
  const erasing = erase();
  await expectWaits(1);
  const reading = scene.markRead(ben, chat_id, [first.id]);
  await expectWaits(2);
  await release();
  expect(await erasing).toBe(true);
  expect(await reading).toMatchObject({ status: 200, data: { unreadCount: 1 } });
});

test('every call with a token that outlives its user for some seconds asks for a new sign-in', async () => {
  const { ada, ben } = await scene.openChat();
  await (await lock(ada))();
  const notifications = { messages: false, friends: true, proofs: true, show_text: false, quiet_hours: null };
  const { public_id, id: user_id } = ben.user;
  for (const [method, url, body] of [
    ['POST', '/v1/friends/search', { public_id }],
    ['POST', '/v1/friends/request', { receiver_public_id: public_id }],
    ['POST', '/v1/friends/blocks', { user_id }],
    ['POST', '/v1/reports', { client_id: randomUUID(), user_id, reason: 'spam' }],
    ['PATCH', '/v1/users/settings', { notifications }],
    ['PATCH', '/v1/users/settings', { display_name: 'Other', notifications }],
  ] as const) {
    const reply = await api.app.inject({ method, url, headers: ada.headers, payload: body });
    expect([reply.statusCode, reply.json().code], url).toEqual([401, 'unauthenticated']);
  }
});

test('the text of a report about a user is erased with that user', async () => {
  const { ada, ben } = await scene.openChat();
  const client_id = randomUUID();
  const report = { client_id, user_id: ada.user.id, reason: 'spam', text: `${ada.user.public_id} sends adverts` };
  expect(await scene.call(ben, 'POST', '/v1/reports', report)).toMatchObject({ status: 201 });
  await (await lock(ada))();
  const kept = api.database.selectFrom('reports').selectAll().where('id', '=', client_id).executeTakeFirst();
  expect(await kept).toMatchObject({ reporter_id: ben.user.id, reported_id: DELETED_USER_ID, text: null });
});

test('the job may take as long as an account of years needs', async () => {
  await sql`
    create function refuse_limits() returns trigger language plpgsql as $$
    begin
      if current_setting('statement_timeout') <> '0' then raise exception 'limited'; end if;
      return old;
    end $$`.execute(api.database);
  await sql`create trigger refuse_limits before delete on users for each row execute function refuse_limits()`.execute(
    api.database,
  );
  const ada = await api.signIn('Ada');
  const now = new Date();
  await lockAccount(createEventWriter(api.database), ada.user.id, { now, grace_ms: 0 });
  await expect(eraseUser(api.database, ada.user.id, now)).rejects.toThrow('limited');
  const restarted = await buildTestApp({ database_url: api.database_url });
  try {
    const find = () => api.database.selectFrom('users').select('id').where('id', '=', ada.user.id).execute();
    await expect.poll(find).toEqual([]);
  } finally {
    await restarted.close();
  }
});
