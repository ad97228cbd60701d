import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import type { Delivery } from '#api/events/events.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { befriend } from '#test/factories.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';
import { openFriendScene } from '#test/scenes/friend-scene.ts';
import { createMessageSender } from './message-sender.ts';

/** Longer than the tests take: a held row is released before a call times out, however slow the machine. */
const PATIENCE_MS = 600_000;

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp({ chat_patience_ms: PATIENCE_MS });
  scene = openChatScene(api);
});
afterAll(() => api.close());

/** Holds the locks of this statement in another transaction until the returned function is called. */
async function holdBy(statement: RawBuilder<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const done = api.database.transaction().execute(async (trx) => {
    await statement.execute(trx);
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  return async () => {
    held.resolve();
    await done;
  };
}

const hold = (chat_id: string) => holdBy(sql`select from chats where id = ${chat_id} for update`);

const lastSeqOf = async (chat_id: string) =>
  (await api.database.selectFrom('chats').select('last_seq').where('id', '=', chat_id).executeTakeFirst())?.last_seq;

type Chat = Awaited<ReturnType<ChatScene['openChat']>>;

/** Opens chats and warms their users' sessions: the first call of a session takes longer than the next. */
async function openChats(count: number): Promise<Chat[]> {
  const chats = await Promise.all(Array.from({ length: count }, () => scene.openChat()));
  for (const { ada, ben } of chats) for (const who of [ada, ben]) await scene.list(who);
  return chats;
}

/** Records whether the answer has arrived. */
function watch<Value>(answer: Promise<Value>) {
  const watched = { answer, is_answered: false };
  void answer.finally(() => {
    watched.is_answered = true;
  });
  return watched;
}

test.each(['block', 'remove'] as const)('after the answer to a %s no message is stored', async (how) => {
  const friends = openFriendScene(api);
  const [chat, free] = await openChats(2);
  if (!chat || !free) throw new Error('two chats');
  const { ada, ben, chat_id, friendship_id } = chat;
  const release = await hold(chat_id);
  const sending = scene.send(ada, chat_id, 'At the same time');
  const ending = (async () => {
    const { status } = await (how === 'block' ? friends.block(ben, ada) : friends.remove(ben, friendship_id));
    return { status, last_seq: await lastSeqOf(chat_id) };
  })();
  await expect.poll(() => countWaiting(api.database)).toBe(1);
  // By the answer to this, the earlier message was found held.
  await scene.send(free.ada, free.chat_id, 'Free');
  await release();
  const [sent, ended] = await Promise.all([sending, ending]);
  expect([200, 201]).toContain(ended.status);
  // Stored before the end of the friendship, or not at all.
  expect([201, how === 'block' ? 404 : 409, 503]).toContain(sent.status);
  expect(await lastSeqOf(chat_id)).toBe(ended.last_seq);
  const told = (await scene.eventsOf(ben)).map(({ type }) => type);
  expect(told.indexOf('friend_changed')).toBeGreaterThan(told.lastIndexOf('message_created'));
});

test('what waits for a chat that is held for a moment is stored once it is free, in its order', async () => {
  const [chat, free] = await openChats(2);
  if (!chat || !free) throw new Error('two chats');
  const { ada, ben, chat_id } = chat;
  const release = await hold(chat_id);
  const same = crypto.randomUUID();
  const waiting = ['One', 'Two'].map((text) => scene.send(ada, chat_id, text));
  const copies = [0, 1].map(() => scene.send(ada, chat_id, 'Three', same));
  await scene.send(free.ada, free.chat_id, 'Free');
  const later = [scene.send(ada, chat_id, 'Three', same), scene.send(ben, chat_id, 'Later')];
  await scene.send(free.ada, free.chat_id, 'Free again');
  await release();
  const sent = await Promise.all([...waiting, ...copies, ...later]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, false, false, true, true, false]);
  expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['One', 'Two', 'Three', 'Later']);
});

/** A database that runs `then` once after the first transaction commits, before its caller gets the result. */
function onceDone(database: Database, then: () => Promise<void>): Database {
  let nth = 0;
  const transaction = () => ({
    execute: async <Value>(run: Parameters<ReturnType<Database['transaction']>['execute']>[0]) => {
      nth += 1;
      const is_first = nth === 1;
      const value = (await database.transaction().execute(run)) as Value;
      if (is_first) await then();
      return value;
    },
  });
  return withTransaction(database, transaction);
}

test('what is sent while the one before is found held stays behind it, though the chat is free by then', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const release = await hold(chat_id);
  const later: Promise<unknown>[] = [];
  const message = (text: string) => ({ id: crypto.randomUUID(), chat_id, sender_id: ada.user.id, text });
  const database = onceDone(api.database, async () => {
    later.push(send(message('Two')), send(message('Three')));
    await release();
  });
  const send = createMessageSender({
    database,
    events: { deliver() {} },
    now: () => new Date(),
    max_wait_ms: PATIENCE_MS,
  });
  await send(message('One'));
  await Promise.all(later);
  expect((await scene.readAll(ben, chat_id)).map((each) => each.message)).toEqual(['One', 'Two', 'Three']);
});

test('a chat that is held keeps its own calls waiting, and no other chat', async () => {
  const [one, other] = await openChats(2);
  if (!one || !other) throw new Error('two chats');
  const { data: seen } = await scene.send(one.ben, one.chat_id, 'Before');
  const release = await hold(one.chat_id);
  const calls = [
    watch(scene.send(one.ada, one.chat_id, 'Held')),
    watch(scene.send(one.ben, one.chat_id, 'And this')),
    watch(scene.markRead(one.ada, one.chat_id, [seen.id])),
  ];
  await expect.poll(() => countWaiting(api.database)).toBeGreaterThan(0);
  expect((await scene.send(other.ada, other.chat_id, 'Free')).status).toBe(201);
  expect(calls.map(({ is_answered }) => is_answered)).toEqual([false, false, false]);
  await release();
  const replies = await Promise.all(calls.map(async ({ answer }) => (await answer).status));
  expect(replies).toEqual([201, 201, 200]);
});

test('a chat that is held for longer than a call waits refuses it as a busy moment, and nothing of it is done', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const { data: seen } = await scene.send(ben, chat_id, 'Before');
  const node = await buildTestApp({ database_url: api.database_url, chat_patience_ms: 50 });
  const impatient = openChatScene(node);
  const release = await hold(chat_id);
  const id = crypto.randomUUID();
  const refused = await Promise.all([
    impatient.send(ada, chat_id, 'Held', id),
    impatient.send(ada, chat_id, 'Held too'),
    impatient.send(ben, chat_id, 'And this'),
    impatient.markRead(ada, chat_id, [seen.id]),
  ]);
  const busy = [503, 'unavailable'];
  expect(refused.map(({ status, code }) => [status, code])).toEqual([busy, busy, busy, busy]);
  await release();
  expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['Before']);
  expect(await scene.send(ada, chat_id, 'Held', id)).toMatchObject({ status: 201, replayed: false });
  expect(await scene.markRead(ada, chat_id, [seen.id])).toMatchObject({ status: 200 });
  await node.close();
});

test('of several held chats each goes on when it is free, whatever the others wait for', async () => {
  const chats = await openChats(3);
  const held = [];
  for (const { ada, chat_id } of chats) {
    const release = await hold(chat_id);
    held.push({ ...watch(scene.send(ada, chat_id, 'Held')), release });
  }
  const [first, second, third] = held;
  if (!first || !second || !third) throw new Error('three chats');
  for (const { release, answer } of [third, second]) {
    await release();
    expect((await answer).status).toBe(201);
    expect(first.is_answered).toBe(false);
  }
  await first.release();
  expect((await first.answer).status).toBe(201);
});

const holdStream = (user_id: string) =>
  holdBy(sql`select from user_event_counters where user_id = ${user_id} for update`);

test('while the stream of a participant is held, messages between others go on, however many wait for it', async () => {
  const [held, free] = await openChats(2);
  if (!held || !free) throw new Error('two chats');
  const friends = await Promise.all(Array.from({ length: 12 }, (_, nth) => api.signIn(`Friend ${nth}`)));
  for (const friend of friends) await befriend(api.database, friend, held.ben);
  const chat_ids: string[] = [];
  for (const friend of friends) chat_ids.push((await scene.create(friend, held.ben.user.id)).data.id);
  const release = await holdStream(held.ben.user.id);
  const own = [1, 2, 3].map((nth) => scene.send(held.ada, held.chat_id, `Held ${nth}`));
  const theirs = friends.map((friend, nth) => scene.send(friend, chat_ids[nth] ?? '', 'Held'));
  const first = watch(Promise.race([...own, ...theirs]));
  expect((await scene.send(free.ada, free.chat_id, 'Free')).status).toBe(201);
  expect(first.is_answered).toBe(false);
  await release();
  for (const { status } of await Promise.all([...own, ...theirs])) expect(status).toBe(201);
  expect((await scene.readAll(held.ben, held.chat_id)).map(({ message }) => message)).toEqual([
    'Held 1',
    'Held 2',
    'Held 3',
  ]);
});

/** A database that loses the answer to the first transaction after its commit; the next `more` transactions fail. */
function losingAnAnswer(database: Database, more = 0): Database {
  let nth = 0;
  const transaction = () => ({
    execute: async <Value>(run: Parameters<ReturnType<Database['transaction']>['execute']>[0]) => {
      nth += 1;
      if (nth > 1 && nth <= 1 + more) throw new Error('Connection terminated unexpectedly');
      const value = (await database.transaction().execute(run)) as Value;
      if (nth > 1) return value;
      throw new Error('Connection terminated unexpectedly');
    },
  });
  return withTransaction(database, transaction);
}

function withTransaction(database: Database, transaction: () => unknown): Database {
  return new Proxy(database, {
    get(target, key) {
      const value: unknown = key === 'transaction' ? transaction : Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('both are told of a message when the answer of the database was lost, and of one of before they are not', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const before = { id: crypto.randomUUID(), chat_id, sender_id: ada.user.id, text: 'Before' };
  expect(await scene.send(ada, chat_id, before.text, before.id)).toMatchObject({ status: 201 });
  const delivered: Delivery[] = [];
  const events = { deliver: (deliveries: Delivery[]) => void delivered.push(...deliveries) };
  const send = createMessageSender({
    database: losingAnAnswer(api.database),
    events,
    now: () => new Date(),
    max_wait_ms: PATIENCE_MS,
  });
  const message = { ...before, id: crypto.randomUUID(), text: 'Hello' };
  const [sent] = await Promise.all([send(message), send(before)]);
  const event = { type: 'message_created', message: sent.message };
  expect(sent.message.message).toBe('Hello');
  expect(delivered.map((each) => [each.user_id, each.event]).sort()).toEqual(
    [ada, ben].map(({ user }) => [user.id, event]).sort(),
  );
  for (const { user_id, seq } of delivered) {
    const told = await scene.eventsOf(user_id === ada.user.id ? ada : ben);
    expect(told[seq - 1]).toEqual(event);
  }
});

test.each([1, 2])(
  'when the database is away for %i tries more, both are told by the repeat that finds it',
  async (more) => {
    const { ada, ben, chat_id } = await scene.openChat();
    const delivered: Delivery[] = [];
    const events = { deliver: (deliveries: Delivery[]) => void delivered.push(...deliveries) };
    const send = createMessageSender({
      database: losingAnAnswer(api.database, more),
      events,
      now: () => new Date(),
      max_wait_ms: PATIENCE_MS,
    });
    const message = { id: crypto.randomUUID(), chat_id, sender_id: ada.user.id, text: 'Hello' };
    await expect(send(message)).rejects.toThrow('Connection terminated');
    expect(delivered).toEqual([]);
    expect(await send(message)).toMatchObject({ is_replay: true });
    expect(delivered.map(({ user_id }) => user_id).sort()).toEqual([ada.user.id, ben.user.id].sort());
    expect(await send(message)).toMatchObject({ is_replay: true });
    expect(delivered).toHaveLength(2);
  },
);

test('the list shows what stands behind much white space, and no half of a letter', async () => {
  const { ada, chat_id } = await scene.openChat();
  await scene.send(ada, chat_id, `a${' '.repeat(1_200)}b`);
  expect((await scene.list(ada)).data).toMatchObject([{ latest_message_preview: 'a b' }]);
});
