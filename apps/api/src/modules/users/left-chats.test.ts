import { randomUUID } from 'node:crypto';
import type { Message } from '@sendlap/contract/chats.ts';
import { EXPORT_PATH } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { createEventWriter } from '#api/events/events.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';
import { lockAccount } from './deletion.ts';
import { eraseUser } from './erase-user.ts';

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openChatScene(api);
});
afterAll(() => api.close());

async function erase({ user }: SignedIn): Promise<void> {
  const at = new Date();
  await lockAccount(createEventWriter(api.database), user.id, { now: at, grace_ms: 0 });
  expect(await eraseUser(api.database, user.id, at)).toBe(true);
}

/** Ada and Ben have written to each other, and Ben has read some of it. Their names are unique. */
async function talk() {
  const tag = randomUUID().slice(0, 8);
  const opened = await scene.openChat([`Adelaide ${tag}`, `Benedict ${tag}`]);
  const { ada, ben, chat_id } = opened;
  const sent: Message[] = [];
  for (const [who, text] of [
    [ada, `A secret of ${ada.user.name}`],
    [ben, `A secret of ${ben.user.name}`],
    [ada, `Another secret of ${ada.user.name}`],
  ] as const) {
    sent.push((await scene.send(who, chat_id, text)).data);
  }
  await scene.markRead(ben, chat_id, [sent[0]?.id ?? '']);
  return { ...opened, sent };
}

test('an export has both sides of a chat, and nothing that leads to the other one', async () => {
  const { ada, ben, chat_id, sent } = await talk();
  const reply = await api.app.inject({ url: EXPORT_PATH, headers: ada.headers });
  const { messages, chats } = reply.json().tables;
  expect(chats).toMatchObject([{ id: chat_id, created_by: ada.user.id, last_seq: 3 }]);
  const bySeq = (one: { seq: number }, other: { seq: number }) => one.seq - other.seq;
  expect(messages.toSorted(bySeq)).toMatchObject(
    sent.map(({ id, seq, message, sender_id }) => ({
      id,
      seq,
      text: message,
      chat_id,
      sender_id: sender_id === ada.user.id ? ada.user.id : DELETED_USER_ID,
    })),
  );
  for (const text of [ben.user.id, ben.user.public_id, `"${ben.user.name}"`]) expect(reply.body).not.toContain(text);
  const other = await scene.openChat();
  const foreign = await api.app.inject({ url: EXPORT_PATH, headers: other.ada.headers });
  expect(foreign.json().tables.messages).toEqual([]);
});

test('the other keeps their own messages; of the erased user no text, name or id is left, and nothing can be sent', async () => {
  const { ada, ben, chat_id, sent } = await talk();
  const events_before = await scene.eventsOf(ben);
  expect(JSON.stringify(events_before)).toContain(`A secret of ${ada.user.name}`);
  await erase(ada);
  const all = await readAllTables(api.database);
  for (const text of [ada.user.id, ada.user.name, ada.user.public_id]) {
    expect(columnsHolding({ ...all, board_changes: [] }, [text]), text).toEqual([]);
  }
  expect(
    (await scene.readAll(ben, chat_id)).map((row) => [row.seq, row.message, row.sender_id, row.sender_name]),
  ).toEqual([
    [1, '', DELETED_USER_ID, 'Athlete'],
    [2, `A secret of ${ben.user.name}`, ben.user.id, ben.user.name],
    [3, '', DELETED_USER_ID, 'Athlete'],
  ]);
  const gone = { id: DELETED_USER_ID, name: 'Athlete', public_id: '' };
  expect((await scene.list(ben)).data).toMatchObject([
    { id: chat_id, can_send: false, unreadCount: 1, sender: gone, other_participant: gone, latest_message_preview: '' },
  ]);
  const refused = await scene.send(ben, chat_id, 'Hello?');
  expect([refused.status, refused.code]).toEqual([409, 'chat_closed']);
  expect((await scene.markRead(ben, chat_id, [sent[2]?.id ?? ''])).data).toEqual({ unreadCount: 0 });
  // The stream has the same number of events: those about her became resync events.
  const events = (await scene.eventsOf(ben)).slice(0, events_before.length);
  expect(events).toEqual(
    events_before.map((event) => (JSON.stringify(event).includes(ada.user.id) ? { type: 'resync' } : event)),
  );
});

test('when both are erased their chat is gone, and other chats of erased people stay', async () => {
  const [chat, other] = [await talk(), await talk()];
  await erase(other.ada);
  await erase(chat.ada);
  await erase(chat.ben);
  const count = async (table: 'chats' | 'messages', column: 'id' | 'chat_id', id: string) => {
    const all = await readAllTables(api.database);
    return (all[table] ?? []).filter((row) => row[column] === id).length;
  };
  expect([await count('chats', 'id', chat.chat_id), await count('messages', 'chat_id', chat.chat_id)]).toEqual([0, 0]);
  expect([await count('chats', 'id', other.chat_id), await count('messages', 'chat_id', other.chat_id)]).toEqual([
    1, 3,
  ]);
});
