import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { EVE } from '../people.ts';
import {
  fillMessage,
  findMessageField,
  findPanel,
  messagesShown,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  readTexts,
} from '../scenes/chat-panel.ts';

async function openComposer() {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'hello') });
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(readTexts()).toEqual(['hello']));
  const field = await findMessageField();
  return { phone, field, panel: within(await findPanel()) };
}

const sendButton = () => screen.getByRole('button', { name: 'Send' });

test('Enter sends, Shift+Enter begins a line, and white space alone is not sent [spec 5.message.enter, 5.message.shift-enter, 5.message.empty]', async () => {
  const { phone, field } = await openComposer();
  const { user, chats } = phone;
  field.focus();
  await user.keyboard('{Enter}');
  await user.paste('  \n ');
  await user.keyboard('{Enter}');
  expect(sendButton().getAttribute('aria-disabled')).toBe('true');
  expect(field.value).toBe('  \n ');
  await fillMessage(phone, 'one');
  expect(sendButton().getAttribute('aria-disabled')).toBe('false');
  await user.keyboard('{Shift>}{Enter}{/Shift}two');
  expect(field.value).toBe('one\ntwo');
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(chats.messagesWith(EVE)).toEqual(['hello', 'one\ntwo']));
  expect(field.value).toBe('');
  expect(messagesShown()).toHaveLength(2);
});

test('the composer counts from 1,001 characters on, and never blocks [spec 5.message.counter, 5.message.no-limit, 9.chat.counter-from, 9.chat.counter-of]', async () => {
  const { phone, panel } = await openComposer();
  await fillMessage(phone, '🧗'.repeat(1001));
  await panel.findByText('1001/5000');
  await fillMessage(phone, '🧗'.repeat(1000));
  expect(panel.queryByText(/\/5000/)).toBeNull();
  await fillMessage(phone, 'x'.repeat(5000));
  await panel.findByText('5000/5000');
  expect(panel.queryByText(/Long messages are hard/)).toBeNull();
  await fillMessage(phone, 'x'.repeat(5001));
  await panel.findByText(/5001\/5000/);
  panel.getByText(/Long messages are hard/);
  await fillMessage(phone, 'x'.repeat(20_001));
  await panel.findByText(/20001\/5000/);
  panel.getByText(/The server takes up to 20,000 characters/);
  expect(panel.queryByText(/Long messages are hard/)).toBeNull();
  expect(sendButton().getAttribute('aria-disabled')).toBe('false');
});

test('a draft is kept as written, and is sent without the white space at its ends [spec 5.message.trim]', async () => {
  const { phone, field } = await openComposer();
  const written = '  See you \n at the wall  ';
  await fillMessage(phone, written);
  await pressInPanel(phone, 'Close chats');
  await vi.waitFor(() => expect(field.isConnected).toBe(false));
  await openChatWith(phone, 'Eve');
  const reopened = await findMessageField();
  expect(reopened.value).toBe(written);
  reopened.focus();
  await phone.user.keyboard('{Enter}');
  await vi.waitFor(() => expect(readTexts()).toEqual(['hello', 'See you \n at the wall']));
  expect(reopened.value).toBe('');
  await vi.waitFor(() => expect(phone.chats.messagesWith(EVE)).toEqual(['hello', 'See you \n at the wall']));
});

test('a draft survives a reload without a network, and is gone once its message is queued', async () => {
  const { phone } = await openComposer();
  const traces = async () => findTraces(await readStores(), { draft: 'See you at the wall' });
  const inChat = async () => {
    await openChatWith(phone, 'Eve');
    return findMessageField();
  };
  await fillMessage(phone, 'See you at the wall');
  await vi.waitFor(async () => expect(await traces()).toEqual(['draft in database sendlap-cache, store metadata']));
  phone.setOnline(false);
  await phone.reload();
  const field = await inChat();
  await vi.waitFor(() => expect(field.value).toBe('See you at the wall'));
  field.focus();
  await phone.user.keyboard('{Enter}');
  await vi.waitFor(async () => expect(await traces()).not.toContain('draft in database sendlap-cache, store metadata'));
  await phone.reload();
  expect((await inChat()).value).toBe('');
});
