import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { createOutbox, type OutboxChannel, type OutboxDeps, type OutboxMessage } from './outbox.ts';
import { openOutboxDatabase } from './store/database.ts';
import { createOutboxStore, type OutboxStore } from './store/store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const CHAT = '33333333-3333-4333-8333-333333333333';

const stores: OutboxStore[] = [];

// Reads are answered in order. One that is under way when the file ends rejects, as the globals of its context are gone.
afterEach(async () => {
  for (const store of stores.splice(0)) await store.listRows(ANA);
});

function newDeletion(): Op {
  return { kind: 'delete', op_id: crypto.randomUUID(), client_id: crypto.randomUUID() };
}

/** The tabs of one browser: their shared parts, and the parts of each tab. */
function createBrowser() {
  const name = crypto.randomUUID();
  const listeners: ((message: OutboxMessage) => void)[] = [];
  function createChannel(): OutboxChannel {
    let own = (_message: OutboxMessage) => {};
    return {
      post: (message) => {
        for (const listener of listeners) if (listener !== own) listener(message);
      },
      listen: (listener) => {
        own = listener;
        listeners.push(listener);
      },
    };
  }
  return (ports: Partial<OutboxDeps>) => {
    const database = openOutboxDatabase(name, () => {});
    const timers: { delay_ms: number; run: () => void }[] = [];
    const outbox = createOutbox({
      makeStore(onChange) {
        const store = createOutboxStore({
          open: () => database,
          onChange,
          now: () => 1_800_000_000_000,
          newId: () => crypto.randomUUID(),
          clockNote: () => null,
          freeSpace: async () => {},
        });
        stores.push(store);
        return store;
      },
      channel: createChannel(),
      lock: (work) => work(),
      lockChat: (_, work) => work(),
      send: async () => [],
      sendMessage: async ({ client_id, chat_id, text, user_id }): Promise<Message> => ({
        id: client_id,
        chat_id,
        seq: 1,
        message: text,
        sender_id: user_id,
        sender_name: 'Ana',
        created_at: '2026-11-21T10:00:00.000Z',
        read_at: null,
      }),
      monotonicNow: () => 0,
      now: () => 1_800_000_000_000,
      random: () => 0,
      isOnline: () => true,
      measureClock: async () => null,
      shownUserId: () => ANA,
      confirmedUserId: () => ANA,
      scheduleBackgroundSync: () => {},
      schedule: (delay_ms, run) => {
        const timer = { delay_ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
      },
      ...ports,
    });
    return { outbox, timers };
  };
}

test('a message that a tab saved before it closed is sent by an open tab within a minute', async () => {
  const addTab = createBrowser();
  const closing = addTab({ confirmedUserId: () => null });
  const staying = addTab({});
  const sent = vi.fn();
  staying.outbox.onMessageSent(sent);
  const client_id = crypto.randomUUID();
  const about = { client_id, user_id: ANA, chat_id: CHAT, to_name: 'Bea', text: 'on my way' };
  await closing.outbox.saveMessage(about);
  expect(staying.timers.map(({ delay_ms }) => delay_ms)).toEqual([60_000]);
  staying.timers[0]?.run();
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent).toHaveBeenCalledWith(expect.objectContaining({ id: client_id }));
  await vi.waitFor(() => expect(closing.outbox.getSnapshot().messages).toEqual([]));
});

test('activities are sent before messages, and messages also if an activity cannot be [spec 4.offline-activity.order]', async () => {
  let is_online = false;
  let is_down = false;
  const sent: string[] = [];
  const { outbox } = createBrowser()({
    confirmedUserId: () => (is_online ? ANA : null),
    async send(_, ops) {
      sent.push('ops');
      if (is_down) throw new ApiError({ code: 'HTTP_ERROR', status: 503 });
      // The messages get time to overtake.
      await new Promise(setImmediate);
      sent.push('ops answered');
      return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
    },
    async sendMessage({ text }) {
      sent.push(text);
      throw new ApiError({ code: 'HTTP_ERROR', status: 503 });
    },
  });
  await outbox.saveMessage({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHAT, to_name: 'Bea', text: 'hi' });
  await outbox.saveOp(ANA, newDeletion());
  is_online = true;
  await outbox.flush();
  expect(sent).toEqual(['ops', 'ops answered', 'hi']);

  is_down = true;
  sent.length = 0;
  await outbox.saveOp(ANA, newDeletion());
  await outbox.flush();
  expect(sent).toContain('hi');
});

describe('an activity that waits goes before a message', () => {
  let is_down = false;
  let sent: string[] = [];

  function openTab() {
    is_down = false;
    sent = [];
    const send = async (what: string) => {
      if (is_down) throw new ApiError({ code: 'HTTP_ERROR', status: 503 });
      sent.push(what);
    };
    return createBrowser()({
      async send(_, ops) {
        // The messages get time to overtake.
        await new Promise(setImmediate);
        await send('ops');
        return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
      },
      async sendMessage({ client_id, chat_id, text, user_id }) {
        await send(text);
        const about = { id: client_id, chat_id, message: text, sender_id: user_id, sender_name: 'Ana' };
        return { ...about, seq: 1, created_at: '2026-11-21T10:00:00.000Z', read_at: null };
      },
    });
  }

  type Tab = ReturnType<typeof openTab>;
  const write = ({ outbox }: Tab, text: string) =>
    outbox.saveMessage({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHAT, to_name: 'Bea', text });

  /** Both were tried, and wait for their timers. */
  async function failBoth(tab: Tab): Promise<void> {
    is_down = true;
    await tab.outbox.saveOp(ANA, newDeletion());
    await write(tab, 'hi');
    await tab.outbox.flush();
    is_down = false;
  }

  test('that is written while the activity waits for its next attempt', async () => {
    const tab = openTab();
    is_down = true;
    await tab.outbox.saveOp(ANA, newDeletion());
    await tab.outbox.flush();
    is_down = false;
    await write(tab, 'hi');
    await vi.waitFor(() => expect(sent).toEqual(['ops', 'hi']));
  });

  test('with an earlier next attempt', async () => {
    const tab = openTab();
    await failBoth(tab);
    // The timer of the chat, which was set last, fires a moment before that of the activity.
    for (const { run } of tab.timers.toReversed()) run();
    await vi.waitFor(() => expect(sent).toEqual(['ops', 'hi']));
  });
});

test('a refresh during a request finds the server restored: missing work goes before newer work', async () => {
  const sent: string[] = [];
  let epoch = 'one';
  const { outbox } = createBrowser()({
    async send(_, ops, beforeSend) {
      void outbox.saveEpoch(epoch);
      await beforeSend();
      sent.push(...ops.map(({ op_id }) => op_id));
      return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
    },
    async sendMessage({ client_id, chat_id, text, user_id }, beforeSend) {
      void outbox.saveEpoch(epoch);
      await beforeSend();
      sent.push(text);
      const about = { id: client_id, chat_id, message: text, sender_id: user_id, sender_name: 'Ana' };
      return { ...about, seq: 1, created_at: '2026-11-21T10:00:00.000Z', read_at: null };
    },
  });
  const write = async (text: string) => {
    await outbox.saveMessage({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHAT, to_name: 'Bea', text });
    await outbox.flush();
  };
  const start = async () => {
    const op = newDeletion();
    await outbox.saveOp(ANA, op);
    await outbox.flush();
    return op.op_id;
  };
  await outbox.saveEpoch(epoch);
  await write('early');
  epoch = 'two';
  await write('late');
  expect(sent).toEqual(['early', 'early', 'late']);

  sent.length = 0;
  const early = await start();
  epoch = 'three';
  const late = await start();
  await vi.waitFor(() => expect(sent).toContain('late'));
  expect(sent).toEqual([early, early, late, 'early', 'late']);
});

test('another tab learns that the server was restored: this one sends missing work before newer work, too', async () => {
  const sent: string[] = [];
  let epoch = 'one';
  const addTab = createBrowser();
  const other = addTab({ confirmedUserId: () => null });
  const { outbox } = addTab({
    async send(_, ops, beforeSend) {
      // The other tab has asked for the next token, which both use.
      await other.outbox.saveEpoch(epoch);
      void outbox.saveEpoch(epoch);
      await beforeSend();
      sent.push(...ops.map(({ op_id }) => op_id));
      return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
    },
  });
  const [start, finish] = [newDeletion(), newDeletion()];
  await outbox.saveOp(ANA, start);
  await outbox.flush();
  epoch = 'two';
  await outbox.saveOp(ANA, finish);
  await outbox.flush();
  expect(sent).toEqual([start, start, finish].map(({ op_id }) => op_id));
});
