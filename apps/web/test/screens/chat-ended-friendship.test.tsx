import { listChats } from '@sendlap/contract/chats.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { EVE, NORA } from '../people.ts';
import {
  fillMessage,
  findLog,
  findMessageField,
  findPanel,
  messagesShown,
  openAppWithChats,
  openChatWith,
  putMessages,
  queryMessageField,
  startChatWith,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

const noLongerFriends = async () => within(await findPanel()).findByText(/you are no longer friends/);

test('an athlete who is unfriended while offline learns it once online: queued messages are refused, and the draft can be copied', async () => {
  const phone = await openAppWithChats();
  await phone.server.stream.opened();
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, 'before');
  await waitForStatus('before', 'Sent');
  phone.setOnline(false);
  await writeMessage(phone, 'waits');
  await fillMessage(phone, 'half a sentence');
  phone.chats.endFriendship(EVE);
  phone.setOnline(true);
  await noLongerFriends();
  expect(queryMessageField()).toBeNull();
  await waitForStatus('waits', 'Not sent');
  expect(messagesShown().at(-1)?.textContent).toContain('waits');
  const draft = within(await findPanel()).getByRole('textbox', { name: /^What you were writing/ });
  expect(draft).toHaveProperty('value', 'half a sentence');
  expect(phone.chats.messagesWith(EVE)).toEqual(['before']);
  await within(await findPanel()).findByText(/To be friends again/);
  await phone.user.click(within(await findPanel()).getByRole('link', { name: 'Find friends' }));
  await screen.findByRole('heading', { level: 1, name: 'Friends' });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('without a live stream, the refusal of a message says that the two are no longer friends', async () => {
  const phone = await openAppWithChats({ prepare: (_, server) => server.stream.setOpen(false) });
  await startChatWith(phone, 'Eve');
  phone.chats.endFriendship(EVE);
  await findMessageField();
  await writeMessageThatClosesTheChat(phone);
  await noLongerFriends();
  expect(queryMessageField()).toBeNull();
  await waitForStatus('too late', 'Not sent');
  expect(messagesShown().at(-1)?.textContent).toContain('too late');
});

/** Writes a message without waiting for an empty field, which may disappear first. */
async function writeMessageThatClosesTheChat(phone: Parameters<typeof fillMessage>[0]): Promise<void> {
  await fillMessage(phone, 'too late');
  await phone.user.keyboard('{Enter}');
}

test('a device that was closed when a friend was erased keeps none of their messages, and all of mine', async () => {
  const phone = await openAppWithChats({
    path: '/friends',
    prepare: (chats) =>
      void putMessages(chats, [
        { by: EVE, text: 'Are you climbing on Friday?', is_read: true },
        { by: NORA, text: 'Yes! At seven, the new routes are up', is_read: true },
        { by: EVE, text: 'See you there!' },
      ]),
  });
  const { server, chats } = phone;
  const traces = async () => findTraces(await readStores(), { words: 'See you there!' });
  await openChatWith(phone, 'Eve');
  await within(await findLog()).findByText('See you there!');
  await vi.waitFor(async () => expect(await traces()).toContain('words in database sendlap-cache, store messages'));
  // The app is closed, so no event reaches it.
  server.stream.setOpen(false);
  const listed = server.hold(listChats);
  await phone.reload('/friends');
  await listed.arrived;
  chats.erase(EVE);
  listed.release();

  const openList = async () => phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  const findRow = async () => within(await findPanel()).findByRole('button', { name: /Deleted user/ });
  await openList();
  // Without the initials of a name that the user does not have.
  expect((await findRow()).textContent).toMatch(/^Deleted user.*This message was deleted\./);
  await vi.waitFor(async () => expect(await traces()).toEqual([]));
  // A chat that was not reopened since is shown from the copies.
  phone.setOnline(false);
  await phone.reload('/friends');
  await openList();
  await phone.user.click(await findRow());
  const log = await findLog();
  await within(log).findByText('Yes! At seven, the new routes are up');
  expect(within(log).getAllByText('This message was deleted.')).toHaveLength(2);
  expect(log.textContent).not.toContain('See you there!');
});
