import { listChats, listMessages } from '@sendlap/contract/chats.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { setVisible } from '../device/device.ts';
import { ChatModel } from '../models/chat-model.ts';
import { EVE, NORA } from '../people.ts';
import {
  findChatButton,
  findLog,
  findMessageField,
  findPanel,
  openAppWithChats,
  openChatWith,
  passTriesUntil,
  pressInPanel,
  putMessages,
  queryMessageField,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

const NOW = '2026-11-20T10:00:00Z';

/** Adds messages; Eve has not read the last one, which is Nora's. */
function talk(chats: ChatModel): void {
  const lines = ['one', 'two', 'three', 'four'].map((text) => ({ by: EVE, text, is_read: true }));
  putMessages(chats, [...lines, { by: NORA, text: 'five' }]);
}

const chatPath = `/dashboard?chat=${ChatModel.chatIdWith(EVE)}`;

test('a chat whose list cannot be read says why where messages are written, and Retry brings the field', async () => {
  const phone = await openAppWithChats({
    path: chatPath,
    now: NOW,
    prepare(chats, fake) {
      talk(chats);
      fake.replyRaw(listChats, () => new Response(null, { status: 500 }));
    },
  });
  const { server, user } = phone;
  await within(await findLog()).findByText('five');
  const panel = await findPanel();
  const alert = await passTriesUntil(phone, () => within(panel).getByRole('alert'));
  expect(alert.textContent).toContain('Failed to load chats');
  expect(queryMessageField()).toBeNull();

  const asked = server.asked(listChats).length;
  const retry = within(alert).getByRole('button', { name: 'Retry' });
  await user.click(retry);
  await vi.waitFor(() => expect(server.asked(listChats).length).toBeGreaterThan(asked));
  await passTriesUntil(phone, () => expect(retry.getAttribute('aria-busy')).not.toBe('true'));
  expect(within(panel).getByRole('alert').textContent).toContain('Failed to load chats');

  server.heal(listChats);
  await user.click(retry);
  await findMessageField();
  await vi.waitFor(() => expect(within(panel).queryByRole('alert')).toBeNull());
});

test('an athlete who reads a copy of a chat keeps their place when the answer comes', async () => {
  const phone = await openAppWithChats({ path: '/dashboard', prepare: talk });
  await openChatWith(phone, 'Eve');
  await waitForStatus('five', 'Sent');
  // Eve reads while the app is closed.
  phone.server.stream.setOpen(false);
  const answer = phone.server.hold(listMessages);
  phone.chats.read(EVE);
  await phone.reload(chatPath);
  await answer.arrived;
  await waitForStatus('five', 'Sent');
  const log = await findLog();
  log.focus();
  answer.release();
  await waitForStatus('five', 'Read');
  expect(screen.getByRole('log')).toBe(log);
  expect(document.activeElement).toBe(log);
});

test('messages that came before the answer to my waiting message are counted, also when the stream sends them later', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'Hi') });
  const { server, chats } = phone;
  await server.stream.opened();
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(chats.isRead(EVE, 'Hi')).toBe(true));
  // The tab learns of the messages only from the answer to its own one.
  server.stream.setOpen(false);
  phone.setOnline(false);
  await writeMessage(phone, 'waiting');
  await pressInPanel(phone, 'Close chats');
  for (const text of ['one', 'two', 'three']) chats.write(EVE, text);
  phone.setOnline(true);
  await vi.waitFor(() => expect(chats.messagesWith(EVE).at(-1)).toBe('waiting'));
  await findChatButton('3');
  // The stream resumes where it broke off: its late events must not be counted again.
  server.stream.setOpen(true);
  setVisible(true);
  await server.stream.opened();
  chats.write(EVE, 'four');
  await findChatButton('4');
  expect(chats.messagesWith(EVE)).toEqual(['Hi', 'one', 'two', 'three', 'waiting', 'four']);
});
