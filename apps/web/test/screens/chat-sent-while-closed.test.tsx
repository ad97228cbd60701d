import { listMessages } from '@sendlap/contract/chats.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { createMessageStore } from '#web/shared/outbox/store/message-store.ts';
import { openOutbox } from '#web/shared/outbox/tabs.ts';
import { EVE, NORA } from '../people.ts';
import {
  findMessageField,
  messagesShown,
  openAppWithChats,
  openChatWith,
  readTexts,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

const store = createMessageStore({
  open: openOutbox,
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  freeSpace: async () => {},
  onChange: () => {},
});

/**
 * Nora writes to Eve without a network, and closes the app; the worker then sends the message. `overtaken`: Eve has
 * written before it arrived, which Nora's device does not know.
 */
async function sendWhileClosed({ is_overtaken = false } = {}) {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'see you?') });
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(phone.chats.isRead(EVE, 'see you?')).toBe(true));
  phone.setOnline(false);
  await writeMessage(phone, 'on my way');
  await waitForStatus('on my way', 'Waiting for a connection');
  if (is_overtaken) phone.chats.put(EVE, EVE, 'hello?');
  const [written] = await store.listMessages(NORA.id);
  const id = written?.client_id ?? '';
  await store.markAccepted(id, phone.chats.put(NORA, EVE, 'on my way', { id }));
  await phone.reload('/dashboard');
  return phone;
}

const countAccepted = async () => (await store.listAccepted(NORA.id)).length;

test('a message that the worker has sent is shown as sent when the app opens without a network, and leaves the outbox', async () => {
  const phone = await sendWhileClosed();
  await openChatWith(phone, 'Eve');
  await waitForStatus('on my way', 'Sent');
  await vi.waitFor(() => expect(readTexts()).toEqual(['see you?', 'on my way']));
  await vi.waitFor(async () => expect(await countAccepted()).toBe(0));
  expect(readTexts()).toEqual(['see you?', 'on my way']);
  expect(messagesShown()).toHaveLength(2);
});

test('a message after one that this device does not know is shown as sent, too, and in its place once there is a network', async () => {
  const phone = await sendWhileClosed({ is_overtaken: true });
  phone.server.fail(listMessages);
  await openChatWith(phone, 'Eve');
  await waitForStatus('on my way', 'Sent');
  await vi.waitFor(() => expect(readTexts()).toEqual(['see you?', 'on my way']));
  phone.server.heal(listMessages);
  phone.setOnline(true);
  await vi.waitFor(() => expect(readTexts()).toEqual(['see you?', 'hello?', 'on my way']));
  await vi.waitFor(async () => expect(await countAccepted()).toBe(0));
  await findMessageField();
  expect(readTexts()).toEqual(['see you?', 'hello?', 'on my way']);
});

test('a message whose page ended before it left the outbox waits no more once the app opens, also without a network', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'see you?') });
  await openChatWith(phone, 'Eve');
  phone.setOnline(false);
  await writeMessage(phone, 'on my way');
  const [waiting] = await store.listMessages(NORA.id);
  phone.setOnline(true);
  await waitForStatus('on my way', 'Sent');
  await vi.waitFor(async () => expect(await store.listMessages(NORA.id)).toEqual([]));
  if (waiting) await store.save(waiting);
  phone.setOnline(false);
  await phone.reload('/dashboard');
  await vi.waitFor(async () => expect(await store.listMessages(NORA.id)).toEqual([]));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: /pending/ })).toBeNull());
});
