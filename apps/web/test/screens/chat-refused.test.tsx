import { sendMessage } from '@sendlap/contract/chats.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { EVE, NORA } from '../people.ts';
import {
  findLog,
  findPanel,
  messagesShown,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  startChatWith,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';
import { useScreenReader } from '../scenes/screen-reader.ts';

const TOO_LONG = 'x'.repeat(20_001);
const buttonsIn = (log: HTMLElement) =>
  within(log)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent);

test('a refused message says why, holds up no later message, and can be retried or discarded', async () => {
  const phone = await openAppWithChats();
  const { user, server, chats } = phone;
  const reader = useScreenReader(phone);
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, TOO_LONG);
  await writeMessage(phone, 'short');
  await waitForStatus('short', 'Sent');
  await waitForStatus('xxx', 'Not sent');
  const log = await findLog();
  within(log).getByText(/^Failed to send message/);
  await reader.hears(/^Failed to send message$/m);

  const retried = server.hold(sendMessage);
  within(log).getByRole('button', { name: 'Retry' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(log);
  await retried.arrived;
  await waitForStatus('xxx', 'Sending');
  retried.release();
  await waitForStatus('xxx', 'Not sent');
  const countRefusals = () => reader.heard().filter((text) => text === 'Failed to send message').length;
  await vi.waitFor(() => expect(countRefusals()).toBe(2));
  await pressInPanel(phone, 'Discard');
  const findQuestion = async () => within(await screen.findByRole('dialog', { name: 'Discard for good?' }));
  await user.click((await findQuestion()).getByRole('button', { name: 'Keep' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard for good?' })).toBeNull());
  await waitForStatus('xxx', 'Not sent');
  await pressInPanel(phone, 'Discard');
  await user.click((await findQuestion()).getByRole('button', { name: 'Discard' }));
  await vi.waitFor(() => expect(messagesShown().map(({ textContent }) => textContent)).toHaveLength(1));
  await waitForStatus('short', 'Sent');
  expect(chats.messagesWith(EVE)).toEqual(['short']);
});

test('a screen reader announces each refused message, also beside an earlier one', async () => {
  const phone = await openAppWithChats();
  const reader = useScreenReader(phone);
  await startChatWith(phone, 'Eve');
  for (const count of [1, 2]) {
    await writeMessage(phone, TOO_LONG);
    await vi.waitFor(() => expect(screen.getAllByText('Not sent')).toHaveLength(count));
    await vi.waitFor(() =>
      expect(reader.heard().filter((text) => text === 'Failed to send message')).toHaveLength(count),
    );
  }
});

test('a screen reader does not announce an earlier message again when a refused one is discarded', async () => {
  const phone = await openAppWithChats();
  const reader = useScreenReader(phone);
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, 'short');
  await waitForStatus('short', 'Sent');
  await writeMessage(phone, TOO_LONG);
  await waitForStatus('xxx', 'Not sent');
  await pressInPanel(phone, 'Discard');
  const question = within(await screen.findByRole('dialog', { name: 'Discard for good?' }));
  await phone.user.click(question.getByRole('button', { name: 'Discard' }));
  await vi.waitFor(() => expect(messagesShown()).toHaveLength(1));
  expect(reader.heard().filter((text) => text === 'Sent')).toHaveLength(1);
});

test('a screen reader announces no earlier message when refused ones are discarded in a chat opened since', async () => {
  const phone = await openAppWithChats();
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, 'short');
  await waitForStatus('short', 'Sent');
  await writeMessage(phone, TOO_LONG);
  await writeMessage(phone, TOO_LONG);
  await vi.waitFor(() => expect(screen.getAllByText('Not sent')).toHaveLength(2));
  await phone.reload('/dashboard');
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(screen.getAllByText('Not sent')).toHaveLength(2));
  const reader = useScreenReader(phone);
  for (const left of [2, 1]) {
    await phone.user.click(
      within(await findPanel())
        .getAllByRole('button', { name: 'Discard' })
        .at(-1) as HTMLElement,
    );
    const question = within(await screen.findByRole('dialog', { name: 'Discard for good?' }));
    await phone.user.click(question.getByRole('button', { name: 'Discard' }));
    await vi.waitFor(() => expect(messagesShown()).toHaveLength(left));
    // While it closes, the question is still found, and the next press would be that of a question which has been answered.
    await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard for good?' })).toBeNull());
  }
  expect(reader.heard().filter((text) => /Sent|Failed/.test(text))).toEqual([]);
});

test('a screen reader does not announce that a message of another device is sent', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'hello') });
  await phone.server.stream.opened();
  await openChatWith(phone, 'Eve');
  const reader = useScreenReader(phone);
  phone.server.tell({ type: 'message_created', message: phone.chats.put(NORA, EVE, 'from my tablet') });
  await waitForStatus('from my tablet', 'Sent');
  phone.chats.write(EVE, 'good');
  await reader.hears(/good/);
  expect(reader.heard()).not.toContain('Sent');
});

test('an athlete whose friendship ends while the chat is open reads it at once, and a refused message can no longer be edited', async () => {
  const phone = await openAppWithChats();
  const { server, chats } = phone;
  await server.stream.opened();
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, TOO_LONG);
  await waitForStatus('xxx', 'Not sent');
  const log = await findLog();
  expect(buttonsIn(log)).toEqual(['Retry', 'Edit', 'Discard']);
  chats.endFriendship(EVE);
  const note = await within(await findPanel()).findByText(/you are no longer friends/);
  await vi.waitFor(() => expect(document.activeElement).toBe(note));
  // The chat no longer has a field to edit the message in.
  expect(buttonsIn(log)).toEqual(['Retry', 'Discard']);
});
