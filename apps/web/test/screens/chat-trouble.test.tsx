import { listMessages, sendMessage } from '@sendlap/contract/chats.ts';
import { within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { EVE } from '../people.ts';
import {
  fillMessage,
  findChatButton,
  findLog,
  findMessageField,
  findPanel,
  messagesShown,
  openAppWithChats,
  openChatWith,
  passTriesUntil,
  pressInPanel,
  putMessages,
  readTexts,
  startChatWith,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

const NOW = '2026-11-20T10:00:00Z';

test('new messages are announced where the device has the earlier ones', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'first') });
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(phone.chats.isRead(EVE, 'first')).toBe(true));
  for (let count = 1; count <= 20; count += 1) phone.chats.put(EVE, EVE, `unread ${count}`);
  // The device's copy is shown first, then the answer replaces it.
  const answer = phone.server.hold(listMessages);
  await phone.reload('/dashboard');
  await findChatButton('20');
  await openChatWith(phone, 'Eve');
  const copied = within(await findLog());
  await copied.findByText('first');
  answer.release();
  await vi.waitFor(async () => within(await findLog()).getByText('20 new messages'));
  await vi.waitFor(async () => within(await findLog()).getByText('unread 1'));
});

test('a page of older messages that does not come says so, and Retry brings it', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({ by: EVE, text: `message ${index + 1}`, is_read: true }));
  const phone = await openAppWithChats({ now: NOW, prepare: (chats) => void putMessages(chats, lines) });
  const { server } = phone;
  const older = () => server.asked(listMessages).filter(({ query }) => query.before !== undefined);
  const page = server.hold(listMessages);
  await openChatWith(phone, 'Eve');
  await page.arrived;
  // The first page is answered, the next one is refused.
  page.release();
  const refusing = server.hold(listMessages);
  await refusing.arrived;
  server.fail(listMessages);
  refusing.release();
  const panel = await findPanel();
  const alert = await passTriesUntil(phone, () => within(panel).getByRole('alert'));
  expect(alert.textContent).toContain('Failed to load older messages');
  const asked = older().length;
  server.heal(listMessages);
  await phone.user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(within(panel).queryByRole('alert')).toBeNull());
  await vi.waitFor(() => expect(older().length).toBeGreaterThan(asked));
  const log = await findLog();
  await vi.waitFor(() => {
    log.scrollTop = 0;
    log.dispatchEvent(new Event('scroll'));
    expect(readTexts()[0]).toBe('message 1');
  });
});

test('a refused message keeps its position and can be edited; a message that no server would accept is not stored', async () => {
  const phone = await openAppWithChats();
  const { server, chats } = phone;
  const long = 'y'.repeat(20_001);
  await server.stream.opened();
  await startChatWith(phone, 'Eve');
  // The chat's first message is still being sent when the next one is written, which must follow it.
  const sending = server.hold(sendMessage);
  await writeMessage(phone, 'before');
  await writeMessage(phone, long);
  await sending.arrived;
  sending.release();
  await within(await findLog()).findByText('Not sent');
  await writeMessage(phone, 'after');
  await waitForStatus('after', 'Sent');
  chats.write(EVE, 'answer');
  await within(await findLog()).findByText('answer');
  const starts = () => readTexts().map((text) => text.slice(0, 6));
  expect(starts()).toEqual(['before', 'yyyyyy', 'after', 'answer']);

  await fillMessage(phone, 'draft');
  await pressInPanel(phone, 'Edit');
  const field = await findMessageField();
  await vi.waitFor(() => expect(field.value).toBe(`${long}\ndraft`));
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
  await vi.waitFor(() => expect(readTexts()).toEqual(['before', 'after', 'answer']));
  expect(messagesShown().some((message) => message.textContent?.includes('Not sent'))).toBe(false);

  const huge = 'see http://a.example/x '.repeat(12_000);
  await fillMessage(phone, huge);
  await phone.user.keyboard('{Enter}');
  const panel = within(await findPanel());
  expect((await panel.findByRole('alert')).textContent).toContain('A message can have up to 20,000 characters');
  expect(field.value).toBe(huge);
  panel.getByText(/276000\/5000/);
  expect(readTexts()).toEqual(['before', 'after', 'answer']);
  expect(chats.messagesWith(EVE)).toEqual(['before', 'after', 'answer']);
});
