import 'fake-indexeddb/auto';
import type { Message } from '@sendlap/contract/chats.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { openOutboxDatabase } from '../store/database.ts';
import { createMessageStore, type MessageStore } from '../store/message-store.ts';
import type { QueuedMessage } from '../store/queued-message.ts';
import { type DrainChatDeps, drainChat } from './drain-chat.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const CHAT = '33333333-3333-4333-8333-333333333333';
const OTHER_CHAT = '44444444-4444-4444-8444-444444444444';

let store: MessageStore;
let sent: QueuedMessage[];
let told: string[];
let paused_ms: number;

beforeEach(async () => {
  [sent, told, paused_ms] = [[], [], 0];
  const database = await openOutboxDatabase(crypto.randomUUID(), () => {});
  store = createMessageStore({
    open: async () => database,
    now: () => 1_800_000_000_000,
    newId: () => crypto.randomUUID(),
    freeSpace: async () => {},
    onChange: () => {},
  });
});

async function write(texts: string[], user_id = ANA, chat_id = CHAT): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const client_id = crypto.randomUUID();
    ids.push(client_id);
    await store.save({ client_id, user_id, chat_id, to_name: 'Bea', text });
  }
  return ids;
}

function stored({ client_id, chat_id, text, user_id }: QueuedMessage): Message {
  const about = { id: client_id, chat_id, seq: sent.length, message: text, sender_id: user_id };
  return { ...about, sender_name: 'Ana', created_at: '2026-11-21T10:00:00.000Z', read_at: null };
}

function run(answer: (message: QueuedMessage) => Message = stored, ports: Partial<DrainChatDeps> = {}) {
  const deps: DrainChatDeps = {
    store,
    random: () => 0,
    onBegin: () => {},
    onSent: async ({ id }) => void told.push(id),
    pause: (wait_ms) => {
      paused_ms = wait_ms;
    },
    remainingPauseMs: () => paused_ms,
    async sendMessage(message) {
      sent.push(message);
      return answer(message);
    },
    ...ports,
  };
  return drainChat(deps, ANA, CHAT);
}

/** Refuses as our server does; `code` null: as a proxy or captive portal does. */
function refuse(status: number, code: string | null, retry_after_s = 0): () => never {
  const kind = status === 0 ? 'NETWORK_ERROR' : 'HTTP_ERROR';
  return () => {
    throw new ApiError({ code: kind, status, backend_error: code, is_from_our_server: code !== null, retry_after_s });
  };
}

const textsSent = () => sent.map(({ text }) => text);
const left = async (user_id = ANA) => store.listMessages(user_id);

describe('messages that must not be sent', () => {
  test("another user's messages are neither sent nor changed nor deleted", async () => {
    await write(['of Ben'], BEN);
    const before = await left(BEN);
    expect(await run()).toEqual({ outcome: 'done', sent: 0, wait_ms: null });
    expect([sent, await left(BEN)]).toEqual([[], before]);
  });

  test('messages of other chats and refused ones are not sent', async () => {
    await write(['elsewhere'], ANA, OTHER_CHAT);
    const [refused = ''] = await write(['refused', 'next']);
    await store.markRefused(refused, { code: 'chat_closed', message: '' });
    await run();
    expect(textsSent()).toEqual(['next']);
    expect((await left()).map(({ text }) => text)).toEqual(['elsewhere', 'refused']);
  });

  test('nothing is sent while the server wants to be left alone', async () => {
    await write(['a']);
    paused_ms = 7_000;
    expect(await run()).toEqual({ outcome: 'failed', sent: 0, wait_ms: 7_000 });
    expect(sent).toEqual([]);
  });

  test('a message that is refused without a session stays as it is', async () => {
    await write(['a', 'b']);
    const before = await left();
    expect(await run(refuse(401, 'auth_required'))).toEqual({ outcome: 'signed_out', sent: 0 });
    expect(await left()).toEqual(before);
  });
});

describe('answers that are no success', () => {
  test.each([0, 408, 429, 500, 502, 503])(
    'after status %i a message waits, counted and explained, and so do those after it',
    async (status) => {
      await write(['a', 'b']);
      expect(await run(refuse(status, status === 0 ? null : 'internal'))).toMatchObject({ outcome: 'failed', sent: 0 });
      expect(textsSent()).toEqual(['a']);
      const [first, second] = await left();
      expect([first?.attempts, first?.refused, second?.attempts]).toEqual([1, null, 0]);
      expect(first?.last_error).not.toBeNull();
    },
  );

  test("a gateway's own 404 or 413 refuses no message permanently", async () => {
    await write(['a']);
    await run(refuse(404, null));
    await run(refuse(413, null));
    await run(refuse(404, 'not_found'));
    expect(await left()).toMatchObject([{ attempts: 3, refused: null }]);
  });

  test.each([
    [409, 'chat_closed'],
    [404, 'chat_not_found'],
    [422, 'message_too_long'],
    [422, 'idempotency_mismatch'],
    [422, 'validation_failed'],
  ])('%i %s refuses a message permanently, and the next ones go in order', async (status, code) => {
    const [, bad] = await write(['a', 'bad', 'b', 'c']);
    const end = await run((message) => (message.client_id === bad ? refuse(status, code)() : stored(message)));
    expect(end).toEqual({ outcome: 'done', sent: 3, wait_ms: null });
    expect(textsSent()).toEqual(['a', 'bad', 'b', 'c']);
    expect(await left()).toMatchObject([{ client_id: bad, refused: { code } }]);
  });

  test('a Retry-After of the server is obeyed by all chats', async () => {
    await write(['a']);
    expect(await run(refuse(429, 'rate_limited', 42))).toEqual({ outcome: 'failed', sent: 0, wait_ms: 42_000 });
    expect(paused_ms).toBe(42_000);
  });

  test('each failure in a row doubles the wait', async () => {
    await write(['a']);
    const waits: (number | null)[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const end = await run(refuse(503, 'unavailable'));
      waits.push(end.outcome === 'failed' ? end.wait_ms : null);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });
});

test('messages go one after the other in the order they were written, and leave the device', async () => {
  await write(['a', 'b', 'c']);
  expect(await run()).toEqual({ outcome: 'done', sent: 3, wait_ms: null });
  expect([textsSent(), await left()]).toEqual([['a', 'b', 'c'], []]);
});

test('a message that is written while others are sent goes with them, after them', async () => {
  await write(['a', 'b']);
  let written = false;
  await run(stored, {
    async sendMessage(message) {
      if (!written) await write(['c']);
      written = true;
      sent.push(message);
      return stored(message);
    },
  });
  expect(textsSent()).toEqual(['a', 'b', 'c']);
});

test('the thread gets a sent message before it leaves the outbox: its line never disappears', async () => {
  const [id] = await write(['a']);
  let rows: string[] = [];
  await run(stored, {
    async onSent() {
      await Promise.resolve();
      told.push('heard');
    },
    store: {
      ...store,
      async confirmSent(client_id, seq) {
        rows = [...told, client_id];
        await store.confirmSent(client_id, seq);
      },
    },
  });
  expect(rows).toEqual(['heard', id]);
});

test('a message that is not stored here yet stays in the outbox, and is sent once more', async () => {
  await write(['a']);
  const failing = await run(stored, { onSent: () => Promise.reject(new Error('no earlier page')) });
  expect(failing).toMatchObject({ outcome: 'failed', sent: 0, wait_ms: expect.any(Number) });
  expect(await store.listMessages(ANA)).toMatchObject([{ attempts: 1 }]);
  expect(await run(stored)).toMatchObject({ outcome: 'done', sent: 1 });
  expect(textsSent()).toEqual(['a', 'a']);
});

test('a refused message knows the number of the message before it', async () => {
  const [, bad] = await write(['a', 'bad']);
  await run((message) => (message.client_id === bad ? refuse(422, 'message_too_long')() : stored(message)));
  expect(await left()).toMatchObject([{ client_id: bad, after_seq: 1 }]);
});

test('when the page dies between the answer and the note of it, the same id is sent again', async () => {
  const [id] = await write(['a']);
  const dying = { ...store, confirmSent: () => Promise.reject(new Error('the page is gone')) };
  await expect(run(stored, { store: dying })).rejects.toThrow('the page is gone');
  await run();
  expect(sent.map(({ client_id }) => client_id)).toEqual([id, id]);
  expect(await left()).toEqual([]);
});
