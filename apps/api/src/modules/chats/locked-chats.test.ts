import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import type { Delivery } from '#api/events/events.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';
import { openFriendScene } from '#test/scenes/friend-scene.ts';
import { createMessageSender } from './message-sender.ts';

/** Longer than the tests take: a held row is released before a call times out, however slow the machine. */
const PATIENCE_MS = 600_000;

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp({ chat_lock_timeout_ms: PATIENCE_MS });
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

test.each(['block', 'remove'] as const)('after the answer to a %s no message is stored', async (how) => {
  const friends = openFriendScene(api);
  const [chat] = await openChats(1);
  if (!chat) throw new Error('a chat');
  const { ada, ben, chat_id, friendship_id } = chat;
  const release = await hold(chat_id);
  const sending = scene.send(ada, chat_id, 'At the same time');
  const ending = (async () => {
    const { status } = await (how === 'block' ? friends.block(ben, ada) : friends.remove(ben, friendship_id));
    return { status, last_seq: await lastSeqOf(chat_id) };
  })();
  await expect.poll(() => countWaiting(api.database)).toBe(2);
  await release();
  const [sent, ended] = await Promise.all([sending, ending]);
  expect([200, 201]).toContain(ended.status);
  // Stored before the end of the friendship, or not at all.
  expect([201, how === 'block' ? 404 : 409, 503]).toContain(sent.status);
  expect(await lastSeqOf(chat_id)).toBe(ended.last_seq);
  const told = (await scene.eventsOf(ben)).map(({ type }) => type);
  expect(told.indexOf('friend_changed')).toBeGreaterThan(told.lastIndexOf('message_created'));
});

test('messages for a chat that is locked briefly are stored in order once it is unlocked', async () => {
  const [chat] = await openChats(1);
  if (!chat) throw new Error('a chat');
  const { ada, ben, chat_id } = chat;
  const release = await hold(chat_id);
  const same = crypto.randomUUID();
  const waiting = ['One', 'Two'].map((text) => scene.send(ada, chat_id, text));
  const copies = [0, 1].map(() => scene.send(ada, chat_id, 'Three', same));
  await expect.poll(() => countWaiting(api.database)).toBe(1);
  const later = [scene.send(ada, chat_id, 'Three', same), scene.send(ben, chat_id, 'Later')];
  await release();
  const sent = await Promise.all([...waiting, ...copies, ...later]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  expect(sent.filter(({ replayed }) => replayed)).toHaveLength(2);
  expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['One', 'Two', 'Three', 'Later']);
});

test('a chat that stays locked for longer than a call waits refuses it as busy, and nothing changes', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const { data: seen } = await scene.send(ben, chat_id, 'Before');
  const node = await buildTestApp({ database_url: api.database_url, chat_lock_timeout_ms: 50 });
  const impatient = openChatScene(node);
  const release = await hold(chat_id);
  const id = crypto.randomUUID();
  const free = await scene.openChat();
  const refused = await Promise.all([
    impatient.send(ada, chat_id, 'Held', id),
    impatient.send(ada, chat_id, 'Held too'),
    impatient.send(ben, chat_id, 'And this'),
    impatient.markRead(ada, chat_id, [seen.id]),
  ]);
  const busy = [503, 'unavailable'];
  expect(refused.map(({ status, code }) => [status, code])).toEqual([busy, busy, busy, busy]);
  // Sent together with one that is held, and stored all the same.
  const [held, stored] = await Promise.all([
    impatient.send(ada, chat_id, 'Held again'),
    impatient.send(free.ada, free.chat_id, 'Free'),
  ]);
  expect([held.status, stored.status]).toEqual([503, 201]);
  await release();
  expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['Before']);
  expect(await scene.send(ada, chat_id, 'Held', id)).toMatchObject({ status: 201, replayed: false });
  expect(await scene.markRead(ada, chat_id, [seen.id])).toMatchObject({ status: 200 });
  await node.close();
});

const holdStream = (user_id: string) =>
  holdBy(sql`select from user_event_counters where user_id = ${user_id} for update`);

test('while the stream of a participant is locked, messages to them are refused as busy, and messages of other chats are stored', async () => {
  const [held, free] = await openChats(2);
  if (!held || !free) throw new Error('two chats');
  const node = await buildTestApp({ database_url: api.database_url, chat_lock_timeout_ms: 50 });
  const impatient = openChatScene(node);
  const release = await holdStream(held.ben.user.id);
  const ids = [1, 2, 3].map(() => crypto.randomUUID());
  const sendAll = () => Promise.all(ids.map((id, nth) => impatient.send(held.ada, held.chat_id, `Held ${nth}`, id)));
  const [refused, stored] = await Promise.all([sendAll(), impatient.send(free.ada, free.chat_id, 'Free')]);
  expect([refused.map(({ status }) => status), stored.status]).toEqual([[503, 503, 503], 201]);
  await release();
  expect((await sendAll()).map(({ status, replayed }) => [status, replayed])).toEqual(ids.map(() => [201, false]));
  expect((await scene.readAll(held.ben, held.chat_id)).map(({ id }) => id)).toEqual(ids);
  await node.close();
});

/** A database that loses the answer to the first transaction after its commit. */
function losingAnAnswer(database: Database): Database {
  let nth = 0;
  const transaction = () => ({
    execute: async <Value>(run: Parameters<ReturnType<Database['transaction']>['execute']>[0]) => {
      nth += 1;
      const value = (await database.transaction().execute(run)) as Value;
      if (nth > 1) return value;
      throw new Error('Connection terminated unexpectedly');
    },
  });
  return new Proxy(database, {
    get(target, key) {
      const value: unknown = key === 'transaction' ? transaction : Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('when the reply of the database was lost, the repeat finds the message, and both streams continue', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const delivered: Delivery[] = [];
  const woken: string[][] = [];
  const send = createMessageSender({
    database: losingAnAnswer(api.database),
    events: {
      deliver: (deliveries) => void delivered.push(...deliveries),
      wake: (user_ids) => void woken.push(user_ids.toSorted()),
    },
    now: () => new Date(),
    lock_timeout_ms: PATIENCE_MS,
  });
  const message = { id: crypto.randomUUID(), chat_id, sender_id: ada.user.id, text: 'Hello' };
  await expect(send(message)).rejects.toThrow('Connection terminated');
  expect([delivered, woken]).toEqual([[], []]);
  expect(await send(message)).toMatchObject({ is_replay: true, message: { message: 'Hello' } });
  expect([delivered, woken]).toEqual([[], [[ada.user.id, ben.user.id].toSorted()]]);
});

test('the list shows the text behind much white space, and no half of a letter', async () => {
  const { ada, chat_id } = await scene.openChat();
  await scene.send(ada, chat_id, `a${' '.repeat(1_200)}b`);
  expect((await scene.list(ada)).data).toMatchObject([{ latest_message_preview: 'a b' }]);
});
