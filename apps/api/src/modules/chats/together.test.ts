import { randomUUID } from 'node:crypto';
import type { Message } from '@sendlap/contract/chats.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type ChatReply, type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';
import { openBreakableLine } from '#test/servers/breakable-line.ts';

/** Longer than the tests take: no batch gives up waiting for another node, however slow the machine. */
const PATIENCE_MS = 600_000;

let api: TestApp;
let scene: ChatScene;
beforeEach(async () => {
  api = await buildTestApp({ chat_lock_timeout_ms: PATIENCE_MS });
  scene = openChatScene(api);
});
afterEach(() => api.close());

const seqsFrom1 = (messages: Message[]) => {
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
  return messages;
};

/** Asserts that stored messages, events and counters match the replies. */
async function expectConsistent(
  chat: { ada: SignedIn; ben: SignedIn; chat_id: string },
  replies: ChatReply<Message>[],
  by_scene = scene,
): Promise<void> {
  const { ada, ben, chat_id } = chat;
  const history = seqsFrom1(await by_scene.readAll(ada, chat_id));
  expect(await by_scene.readAll(ben, chat_id)).toEqual(history);
  const stored = replies.filter(({ status }) => status === 201).map(({ data }) => data);
  expect([...new Set(stored.map(({ id }) => id))].sort()).toEqual(history.map(({ id }) => id).sort());
  for (const message of stored) expect(message).toEqual(history[message.seq - 1]);
  for (const who of [ada, ben]) {
    const told = (await by_scene.eventsOf(who)).filter((event) => event.type === 'message_created');
    expect(told.filter(({ message }) => message.chat_id === chat_id).map(({ message }) => message)).toEqual(history);
    const from_other = history.filter(({ sender_id }) => sender_id !== who.user.id).length;
    const mine = (await by_scene.list(who)).data.find(({ id }) => id === chat_id);
    expect([mine?.unreadCount, mine?.last_seq]).toEqual([from_other, history.length]);
  }
  const times = history.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted());
}

test('of 200 concurrent messages in ten chats none is lost, and those of each sender stay in order', async () => {
  const chats = await Promise.all(Array.from({ length: 10 }, () => scene.openChat()));
  // Warm-up: the first call of a session takes longer than the next.
  for (const { ada, ben } of chats) for (const who of [ada, ben]) await scene.list(who);
  const ended: string[] = [];
  const sends = Array.from({ length: 200 }, async (_, nth) => {
    const chat = chats[nth % 10];
    if (!chat) throw new Error('ten chats');
    const sender = Math.floor(nth / 10) % 2 ? chat.ada : chat.ben;
    const reply = await scene.send(sender, chat.chat_id, `${nth}`);
    ended.push(reply.data.id);
    return { chat, reply };
  });
  const sent = await Promise.all(sends);
  for (const chat of chats) {
    const replies = sent.filter((each) => each.chat === chat).map(({ reply }) => reply);
    expect(replies).toHaveLength(20);
    await expectConsistent(chat, replies);
    for (const { user } of [chat.ada, chat.ben]) {
      const own = replies.map(({ data }) => data).filter(({ sender_id }) => sender_id === user.id);
      expect(own).toHaveLength(10);
      // Numbered in the order in which they were sent, and answered in that order.
      expect(own.map(({ seq }) => seq)).toEqual(own.map(({ seq }) => seq).toSorted((one, other) => one - other));
      const ids = own.map(({ id }) => id);
      expect(ended.filter((id) => ids.includes(id))).toEqual(ids);
    }
  }
});

test('one of 50 messages that the database refuses fails alone, and leaves no gap', async () => {
  await sql`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'poison'; end $$`.execute(api.database);
  await sql`create trigger refuse before insert on messages for each row when (new.text = 'poison')
    execute function refuse()`.execute(api.database);
  const chat = await scene.openChat();
  const texts = Array.from({ length: 50 }, (_, nth) => (nth === 20 ? 'poison' : `Good ${nth}`));
  const replies = await Promise.all(
    texts.map((text, nth) => scene.send(nth % 2 ? chat.ada : chat.ben, chat.chat_id, text)),
  );
  expect(replies.map(({ status }) => status)).toEqual(texts.map((text) => (text === 'poison' ? 500 : 201)));
  expect(replies[20]).toMatchObject({ code: 'internal_error', message: expect.not.stringContaining('poison') });
  await expectConsistent(chat, replies);
  expect(await scene.send(chat.ada, chat.chat_id, 'After')).toMatchObject({ status: 201, data: { seq: 50 } });
});

test('in one group every message has its own outcome', async () => {
  const [chat, closed, hidden] = [await scene.openChat(), await scene.openChat(), await scene.openChat()];
  // Warm-up: the first call of a session takes longer than the next.
  for (const who of [chat.ben, closed.ada, hidden.ada]) await scene.list(who);
  const known = await scene.send(chat.ada, chat.chat_id, 'Known');
  await scene.unfriend(closed.friendship_id);
  await scene.block(hidden.ben, hidden.ada);
  const same = randomUUID();
  const replies = await Promise.all([
    scene.send(chat.ada, chat.chat_id, 'New'),
    scene.send(chat.ada, chat.chat_id, 'Known', known.data.id),
    scene.send(chat.ada, chat.chat_id, 'Unknown', known.data.id),
    scene.send(closed.ada, closed.chat_id, 'Late'),
    scene.send(hidden.ada, hidden.chat_id, 'Hidden'),
    scene.send(closed.ada, chat.chat_id, 'Foreign'),
    scene.send(chat.ben, chat.chat_id, 'Same', same),
    scene.send(chat.ben, chat.chat_id, 'Same', same),
    scene.send(chat.ben, chat.chat_id, 'Not the same', same),
    scene.send(chat.ben, randomUUID(), 'Nowhere'),
  ]);
  expect(replies.map(({ status, code, replayed }) => `${status} ${code ?? ''}${replayed ? 'replay' : ''}`)).toEqual([
    '201 ',
    '201 replay',
    '422 idempotency_mismatch',
    '409 chat_closed',
    '404 chat_not_found',
    '404 chat_not_found',
    '201 ',
    '201 replay',
    '422 idempotency_mismatch',
    '404 chat_not_found',
  ]);
  await expectConsistent(chat, [known, ...replies]);
});

test('two nodes on one database number, count and tell as one; of copies sent to both one is stored', async () => {
  const other = await buildTestApp({ database_url: api.database_url, chat_lock_timeout_ms: PATIENCE_MS });
  try {
    const nodes = [scene, openChatScene(other)];
    const chats = [await scene.openChat(), await scene.openChat()];
    const sends = Array.from({ length: 40 }, (_, nth) => {
      const chat = chats[nth % 2];
      if (!chat) throw new Error('two chats');
      const id = randomUUID();
      const sender = nth % 3 ? chat.ada : chat.ben;
      return Promise.all(
        nodes.map(async (node) => ({ chat, reply: await node.send(sender, chat.chat_id, `${nth}`, id) })),
      );
    });
    const pairs = await Promise.all(sends);
    for (const pair of pairs) {
      expect(pair.map(({ reply }) => reply.status)).toEqual([201, 201]);
      expect(pair[0]?.reply.data).toEqual(pair[1]?.reply.data);
      expect(pair.filter(({ reply }) => reply.replayed)).toHaveLength(1);
    }
    for (const chat of chats) {
      const replies = pairs.flat().filter((each) => each.chat === chat);
      await expectConsistent(
        chat,
        replies.map(({ reply }) => reply),
      );
    }
  } finally {
    await other.close();
  }
});

test('sending, reading and ending friendships at once leave the counters right', async () => {
  const chats = await Promise.all(Array.from({ length: 5 }, () => scene.openChat()));
  await Promise.all(
    chats.map(async ({ ada, ben, chat_id, friendship_id }, nth) => {
      const sends = Array.from({ length: 20 }, (_, index) => scene.send(index % 2 ? ada : ben, chat_id, `${index}`));
      const reads = sends.map(async (send) => {
        const { data, status } = await send;
        if (status !== 201) return;
        const reader = data.sender_id === ada.user.id ? ben : ada;
        if (data.seq % 3) expect((await scene.markRead(reader, chat_id, [data.id])).status).toBe(200);
      });
      await Promise.all([...reads, ...(nth % 2 ? [scene.unfriend(friendship_id)] : [])]);
    }),
  );
  for (const { ada, ben, chat_id } of chats) {
    const history = seqsFrom1(await scene.readAll(ada, chat_id));
    for (const who of [ada, ben]) {
      const unread = history.filter(({ sender_id, read_at }) => sender_id !== who.user.id && read_at === null);
      expect((await scene.list(who)).data).toMatchObject([{ unreadCount: unread.length }]);
      await scene.eventsOf(who);
    }
  }
});

describe('the database', () => {
  test('may be away: 503, and the repeat is stored once', async () => {
    const own = await openTestDatabase();
    const line = await openBreakableLine(own.url);
    const node = await buildTestApp({ database_url: line.url });
    try {
      const far = openChatScene(node);
      const chat = await far.openChat();
      await far.send(chat.ada, chat.chat_id, 'Before');
      const ids = Array.from({ length: 10 }, () => randomUUID());
      const sendAll = () => Promise.all(ids.map((id) => far.send(chat.ada, chat.chat_id, `No ${id}`, id)));
      await line.break();
      for (const reply of await sendAll()) expect([reply.status, reply.code]).toEqual([503, 'unavailable']);
      await line.mend();
      await expect.poll(async () => (await far.list(chat.ada)).status).toBe(200);
      for (const { status } of await sendAll()) expect(status).toBe(201);
      for (const { replayed } of await sendAll()) expect(replayed).toBe(true);
      expect(seqsFrom1(await far.readAll(chat.ben, chat.chat_id))).toHaveLength(11);
    } finally {
      await node.close();
      await line.close();
      await own.close();
    }
  });

  test('may end every connection while messages are on their way: each is stored once, by the first send or the repeat', async () => {
    const chat = await scene.openChat();
    const ids = Array.from({ length: 25 }, () => randomUUID());
    const sendAll = () => Promise.all(ids.map((id, nth) => scene.send(chat.ada, chat.chat_id, `${nth}`, id)));
    const first = sendAll();
    const admin = await openTestDatabase();
    try {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${new URL(api.database_url).pathname.slice(1)}`.execute(admin.database);
    } finally {
      await admin.close();
    }
    for (const { status } of await first) expect([201, 503]).toContain(status);
    await expect.poll(async () => (await scene.list(chat.ada)).status).toBe(200);
    for (const { status } of await sendAll()) expect(status).toBe(201);
    const history = seqsFrom1(await scene.readAll(chat.ben, chat.chat_id));
    expect(history.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});

test('a transaction held open across a resume loses nothing', async () => {
  const node = await buildTestApp({ database_url: api.database_url, listen: true, chat_lock_timeout_ms: PATIENCE_MS });
  const far = openChatScene(node);
  const abort = new AbortController();
  try {
    const { ada, ben, chat_id } = await far.openChat();
    const seen = (await far.eventsOf(ben)).length;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = () => {};
    const holding = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    // Another transaction has taken Ben's next number and is not visible yet.
    const other = api.database.transaction().execute(async (trx) => {
      const event = JSON.stringify({ type: 'chat_changed', chat_id });
      await sql`
        with counter as (
          update user_event_counters set last_seq = last_seq + 1 where user_id = ${ben.user.id} returning last_seq)
        insert into user_events (user_id, seq, type, data)
        select ${ben.user.id}, last_seq, 'chat_changed', ${event}::jsonb from counter`.execute(trx);
      isHeld();
      await held;
    });
    await holding;
    const stream = await fetch(`${node.url}/v1/events`, {
      headers: { ...ben.headers, accept: 'text/event-stream', 'last-event-id': String(seen) },
      signal: abort.signal,
    });
    expect(stream.status).toBe(200);
    const sends = [far.send(ada, chat_id, 'One'), far.send(ada, chat_id, 'Two')];
    release();
    await other;
    const [one, two] = await Promise.all(sends);
    const events = await readEvents(stream, 3);
    expect(events.map(({ id }) => id)).toEqual([seen + 1, seen + 2, seen + 3]);
    expect(events.map(({ data }) => data)).toEqual([
      { type: 'chat_changed', chat_id },
      { type: 'message_created', message: one?.data },
      { type: 'message_created', message: two?.data },
    ]);
  } finally {
    abort.abort();
    await node.close();
  }
});

/** Reads the first `count` numbered events of a stream. */
async function readEvents(stream: Response, count: number): Promise<{ id: number; data: unknown }[]> {
  const events: { id: number; data: unknown }[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: ?(\d+)$/m.exec(block)?.[1];
      const data = /^data: ?(.*)$/m.exec(block)?.[1];
      if (id !== undefined && data !== undefined) events.push({ id: Number(id), data: JSON.parse(data) });
    }
    if (events.length >= count) break;
  }
  return events;
}
