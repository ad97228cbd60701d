import { randomUUID } from 'node:crypto';
import { Chat, Message } from '@sendlap/contract/chats.ts';
import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend } from '#test/factories.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openChatScene(api);
});
afterAll(() => api.close());

const refusal = ({ status, code }: { status: number; code?: string }) => [status, code];
const NOT_FOUND = [404, 'chat_not_found'];

/** Makes every call about one chat, with valid input. */
async function callAll(who: SignedIn, chat_id: string, message_id: string) {
  return [
    await scene.read(who, chat_id),
    await scene.read(who, chat_id, '?after=0'),
    await scene.send(who, chat_id, 'Hello'),
    await scene.markRead(who, chat_id, [message_id]),
    await scene.call(who, 'POST', `/v1/chats/${chat_id}/typing`),
  ];
}

describe('refusals', () => {
  test('a chat of others and a missing one get the same 404 from every call', async () => {
    const { ada, chat_id } = await scene.openChat();
    const { data } = await scene.send(ada, chat_id, 'For Ben alone');
    const eve = await api.signIn('Eve');
    const foreign = await callAll(eve, chat_id, data.id);
    const unknown = await callAll(eve, randomUUID(), data.id);
    for (const [index, reply] of foreign.entries()) {
      expect(refusal(reply)).toEqual(NOT_FOUND);
      expect(reply).toEqual(unknown[index]);
      expect(JSON.stringify(reply)).not.toContain('For Ben alone');
    }
    expect((await scene.list(eve)).data).toEqual([]);
  });

  test('a chat that a block hides does not exist, for both, and is as before when the block ends', async () => {
    for (const blocker of ['ada', 'ben'] as const) {
      const opened = await scene.openChat();
      const { ada, ben, chat_id, friendship_id } = opened;
      const { data } = await scene.send(ada, chat_id, 'Before');
      await scene.unfriend(friendship_id);
      await scene.block(opened[blocker], blocker === 'ada' ? ben : ada);
      for (const who of [ada, ben]) {
        for (const reply of await callAll(who, chat_id, data.id)) expect(refusal(reply)).toEqual(NOT_FOUND);
        expect((await scene.list(who)).data).toEqual([]);
      }
      expect(refusal(await scene.create(ada, ben.user.id))).toEqual([404, 'user_not_found']);
      expect(refusal(await scene.send(ada, chat_id, 'Before', data.id))).toEqual(NOT_FOUND);
      await api.database.deleteFrom('blocks').where('blocker_id', '=', opened[blocker].user.id).execute();
      expect((await scene.read(ben, chat_id)).data.map(({ message }) => message)).toEqual(['Before']);
      expect((await scene.list(ben)).data).toMatchObject([{ id: chat_id, can_send: false, unreadCount: 1 }]);
    }
  });

  test('an id that is no UUID v4 is named in the refusal [spec 3.chat.id, 5.chat-id.uuid, 5.chat-id.format]', async () => {
    const ada = await api.signIn('Ada');
    const wrong = ['42', 'undefined', '11111111-1111-1111-8111-111111111111', `${randomUUID()}0`];
    for (const id of wrong) {
      for (const reply of [await scene.read(ada, id), await scene.send(ada, id, 'Hello')]) {
        expect(refusal(reply)).toEqual([400, 'validation_failed']);
        expect(reply.message).toContain(`Chat ID is not a valid UUID format: ${id}`);
      }
    }
  });

  test('with a stranger, an unknown user, a blocked user and oneself no chat begins', async () => {
    const [ada, eve] = [await api.signIn('Ada'), await api.signIn('Eve')];
    const blocked = await api.signIn('Mallory');
    await befriend(api.database, ada, blocked);
    await scene.block(blocked, ada);
    for (const id of [eve.user.id, randomUUID(), ada.user.id, blocked.user.id]) {
      expect(refusal(await scene.create(ada, id))).toEqual([404, 'user_not_found']);
    }
    expect(refusal(await scene.call(ada, 'POST', '/v1/chats', { receiver_id: 'x' }))).toEqual([
      400,
      'validation_failed',
    ]);
    expect(await api.database.selectFrom('chats').selectAll().where('created_by', '=', ada.user.id).execute()).toEqual(
      [],
    );
  });

  test('a former friend can read, but neither write nor receive', async () => {
    const { ada, ben, chat_id, friendship_id } = await scene.openChat();
    const { data: sent } = await scene.send(ada, chat_id, 'While friends');
    await scene.unfriend(friendship_id);
    const writing = `/v1/chats/${chat_id}/typing`;
    for (const who of [ada, ben]) {
      expect(refusal(await scene.send(who, chat_id, 'Too late'))).toEqual([409, 'chat_closed']);
      expect(refusal(await scene.call(who, 'POST', writing))).toEqual([409, 'chat_closed']);
      expect((await scene.readAll(who, chat_id)).map(({ message }) => message)).toEqual(['While friends']);
      const [chat] = (await scene.list(who)).data;
      const other = who === ada ? ben : ada;
      expect(chat?.can_send).toBe(false);
      expect(chat?.other_participant).toEqual({ id: other.user.id, name: other.user.name, public_id: '' });
    }
    // The chat of an ex-friend still exists, and a sent message is always recognised as a repeat.
    expect(await scene.create(ben, ada.user.id)).toMatchObject({ status: 201, replayed: true, data: { id: chat_id } });
    expect(await scene.send(ada, chat_id, 'While friends', sent.id)).toMatchObject({ status: 201, replayed: true });
    expect((await scene.markRead(ben, chat_id, [sent.id])).data).toEqual({ unreadCount: 0 });
  });

  test('one unknown message among those seen changes nothing; neither does one of another chat', async () => {
    const { ada, ben, chat_id } = await scene.openChat();
    const other = await scene.openChat();
    const { data: mine } = await scene.send(ada, chat_id, 'One');
    const { data: foreign } = await scene.send(other.ada, other.chat_id, 'Two');
    for (const id of [randomUUID(), foreign.id]) {
      expect(refusal(await scene.markRead(ben, chat_id, [mine.id, id]))).toEqual([404, 'message_not_found']);
    }
    expect((await scene.read(ben, chat_id)).data).toMatchObject([{ read_at: null }]);
    expect((await scene.list(ben)).data).toMatchObject([{ unreadCount: 1 }]);
  });

  test.each([
    ['an empty list', { messageIds: [] }],
    ['an invalid id', { messageIds: ['1'] }],
    ['101 ids', { messageIds: Array.from({ length: 101 }, () => randomUUID()) }],
    ['no list', {}],
  ])('the marks %s are refused', async (_name, body) => {
    const { ada, chat_id } = await scene.openChat();
    const reply = await scene.call(ada, 'POST', `/v1/chats/${chat_id}/messages/mark-read`, body);
    expect(refusal(reply)).toEqual([400, 'validation_failed']);
  });

  test.each(['limit=0', 'limit=101', 'offset=-1', 'before=0', 'after=-1', 'offset=1&before=5', 'after=1&before=5'])(
    'the page %s is refused',
    async (query) => {
      const { ada, chat_id } = await scene.openChat();
      expect(refusal(await scene.read(ada, chat_id, `?${query}`))).toEqual([400, 'validation_failed']);
    },
  );
});

test('friends have one chat, whichever of them begins it and however often [spec 1.chat.between-friends, 7.chats.create]', async () => {
  const [ada, ben] = [await api.signIn('Ada'), await api.signIn('Ben')];
  await befriend(api.database, ada, ben);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (nth % 2 ? scene.create(ada, ben.user.id) : scene.create(ben, ada.user.id))),
  );
  expect(new Set(replies.map(({ status, data }) => `${status} ${data.id}`)).size).toBe(1);
  expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const who of [ada, ben]) {
    expect(await scene.eventsOf(who)).toEqual([{ type: 'chat_changed', chat_id: replies[0]?.data.id }]);
    expect((await scene.list(who)).data).toHaveLength(1);
  }
});

test('a chat and a message have the shape of the contract [spec 3.chat.fields, 3.chat.sender, 3.chat.receiver, 3.chat.other-participant, 3.chat.unread-count, 3.message.fields, 7.chats.list, 7.chats.send]', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const [a, b] = [ada, ben].map(({ user }) => ({ id: user.id, name: user.name, public_id: user.public_id }));
  const empty = { latest_message_preview: null, latest_message_at: null, latest_message_sender_id: null };
  const shared = { id: chat_id, sender: a, receiver: b, can_send: true };
  expect((await scene.list(ben)).data).toEqual([
    { ...shared, ...empty, name: 'Ada', other_participant: a, unreadCount: 0, last_seq: 0 },
  ]);
  const sent = await scene.send(ada, chat_id, '  Wall\n at   seven?  ');
  expect(sent).toMatchObject({ status: 201, replayed: false });
  expect(z.parse(z.strictObject(Message.shape), sent.data)).toEqual({
    id: sent.data.id,
    chat_id,
    seq: 1,
    message: 'Wall\n at   seven?',
    sender_id: ada.user.id,
    sender_name: 'Ada',
    created_at: sent.data.created_at,
    read_at: null,
  });
  const latest = { latest_message_at: sent.data.created_at, latest_message_sender_id: ada.user.id, last_seq: 1 };
  const about = { ...shared, ...latest, latest_message_preview: 'Wall at seven?' };
  const lists = { ada: (await scene.list(ada)).data, ben: (await scene.list(ben)).data };
  expect(z.parse(z.array(z.strictObject(Chat.shape)), lists.ada)).toEqual([
    { ...about, name: 'Ben', other_participant: b, unreadCount: 0 },
  ]);
  expect(lists.ben).toEqual([{ ...about, name: 'Ada', other_participant: a, unreadCount: 1 }]);
  expect(chat_id).toMatch(UUID_V4_PATTERN);
});

test('a user without a name is "Athlete", never the provider’s name for them', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  await api.database.updateTable('users').set({ display_name: null }).where('id', '=', ada.user.id).execute();
  expect((await scene.send(ada, chat_id, 'Hi')).data.sender_name).toBe('Athlete');
  expect((await scene.list(ben)).data).toMatchObject([{ name: 'Athlete', sender: { name: 'Athlete' } }]);
  expect((await scene.read(ben, chat_id)).data).toMatchObject([{ sender_name: 'Athlete' }]);
});

test('chats come by their latest message, those without one by their beginning', async () => {
  const ada = await api.signIn('Ada');
  const begin = async (name: string) => {
    const friend = await api.signIn(name);
    await befriend(api.database, ada, friend);
    return (await scene.create(ada, friend.user.id)).data.id;
  };
  const ids = [await begin('A'), await begin('B'), await begin('C'), await begin('D')];
  const [a = '', b = '', c = '', d = ''] = ids;
  await scene.send(ada, b, 'First');
  await scene.send(ada, a, 'Second');
  expect((await scene.list(ada)).data.map(({ id }) => id)).toEqual([a, b, d, c]);
});

describe('with 120 messages', () => {
  let ada: SignedIn;
  let ben: SignedIn;
  let chat_id = '';
  beforeAll(async () => {
    ({ ada, ben, chat_id } = await scene.openChat());
    for (let nth = 1; nth <= 120; nth += 1) {
      // Alternating, to stay below each sender's limit.
      const reply = await scene.send(nth % 2 ? ada : ben, chat_id, `Number ${nth}`);
      expect(reply.status).toBe(201);
    }
  });
  const seqs = async (query: string) => (await scene.read(ben, chat_id, query)).data.map(({ seq }) => seq);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test('a page has 50 from the newest on, ascending [spec 7.chats.messages, 9.chat.page-size, 9.chat.page-offset]', async () => {
    expect(await seqs('')).toEqual(range(71, 120));
    expect(await seqs('?offset=0&limit=50')).toEqual(range(71, 120));
    expect(await seqs('?offset=50&limit=50')).toEqual(range(21, 70));
    expect(await seqs('?offset=100&limit=50')).toEqual(range(1, 20));
    expect(await seqs('?offset=120')).toEqual([]);
    expect(await seqs('?offset=999999999')).toEqual([]);
  });

  test('pages continue before and after a message', async () => {
    expect(await seqs('?before=71&limit=50')).toEqual(range(21, 70));
    expect(await seqs('?before=1')).toEqual([]);
    expect(await seqs('?after=0&limit=3')).toEqual([1, 2, 3]);
    expect(await seqs('?after=118')).toEqual([119, 120]);
    expect(await seqs('?after=120')).toEqual([]);
  });

  test('one more is refused until the minute is over', async () => {
    expect(refusal(await scene.send(ada, chat_id, 'One more'))).toEqual([429, 'too_many_requests']);
  });
});

test('seen messages are counted off, once, and both learn of it [spec 7.chats.mark-read]', async () => {
  const { ada, ben, chat_id } = await scene.openChat();
  const ids: string[] = [];
  for (const text of ['One', 'Two', 'Three']) ids.push((await scene.send(ada, chat_id, text)).data.id);
  const { data: own } = await scene.send(ben, chat_id, 'Mine');
  const [one = '', two = '', three = ''] = ids;
  expect((await scene.markRead(ben, chat_id, [three, one, three, own.id])).data).toEqual({ unreadCount: 1 });
  expect((await scene.markRead(ben, chat_id, [three, one])).data).toEqual({ unreadCount: 1 });
  expect((await scene.list(ben)).data).toMatchObject([{ unreadCount: 1 }]);
  expect((await scene.list(ada)).data).toMatchObject([{ unreadCount: 1 }]);
  const read = (await scene.read(ada, chat_id)).data.filter(({ read_at }) => read_at !== null);
  expect(read.map(({ id }) => id)).toEqual([one, three]);
  for (const who of [ada, ben]) {
    expect((await scene.eventsOf(who)).filter(({ type }) => type === 'messages_read')).toEqual([
      {
        type: 'messages_read',
        chat_id,
        reader_id: ben.user.id,
        message_ids: [one, three],
        read_at: read[0]?.read_at,
        unread_count: 1,
      },
    ]);
  }
  const both = await Promise.all([scene.markRead(ben, chat_id, [two]), scene.markRead(ben, chat_id, [two])]);
  expect(both.map(({ data }) => data.unreadCount)).toEqual([0, 0]);
});
