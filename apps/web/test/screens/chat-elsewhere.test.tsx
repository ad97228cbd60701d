import { getMe } from '@sendlap/contract/auth.ts';
import { listChats } from '@sendlap/contract/chats.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import {
  findChatButton,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  readTexts,
  startChatWith,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';

/** Opens a full-height screen, which has no chat button. */
async function openCode({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('link', { name: 'My code' }));
  await screen.findByRole('img', { name: /QR code of your public ID/ });
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: /^Open chats/ })).toBeNull());
}

test('a message that comes while a screen without a chat button is shown counts once the button is back', async () => {
  const phone = await openAppWithChats({ path: '/friends', prepare: (chats) => void chats.put(EVE, EVE, 'one') });
  await phone.server.stream.opened();
  await findChatButton('1');
  await openCode(phone);
  phone.chats.write(EVE, 'two');
  history.back();
  await findChatButton('2');
});

test('a message that went out while a screen without a chat button was shown is in its chat without a network', async () => {
  const phone = await openAppWithChats({ path: '/friends' });
  await startChatWith(phone, 'Eve');
  await writeMessage(phone, 'first');
  await waitForStatus('first', 'Sent');
  phone.setOnline(false);
  await writeMessage(phone, 'second');
  await waitForStatus('second', 'Waiting for a connection');
  await pressInPanel(phone, 'Close chats');
  await openCode(phone);
  phone.setOnline(true);
  await vi.waitFor(() => expect(phone.chats.messagesWith(EVE)).toEqual(['first', 'second']));
  phone.setOnline(false);
  history.back();
  await openChatWith(phone, 'Eve');
  await waitForStatus('second', 'Sent');
  expect(readTexts()).toEqual(['first', 'second']);
});

test('a message that another tab received during the start of this tab is counted here', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'one', { read_at: READ_AT }) });
  await findChatButton();
  // The other tab reads the stream: this tab gets events only from it.
  phone.server.stream.setOpen(false);
  const me = phone.server.hold(getMe);
  const listed = phone.server.asked(listChats).length;
  await phone.reload();
  await me.arrived;
  await vi.waitFor(() => expect(phone.server.asked(listChats).length).toBeGreaterThan(listed));
  await findChatButton();
  const message = phone.chats.put(EVE, EVE, 'third');
  const other_tab = new BroadcastChannel('sendlap-live');
  other_tab.postMessage({ type: 'event', user_id: NORA.id, id: '1', event: { type: 'message_created', message } });
  await heardByTabs();
  expect(screen.queryByRole('button', { name: /unread/ })).toBeNull();
  me.release();
  await findChatButton('1');
  other_tab.close();
});

const READ_AT = '2026-11-20T10:00:00.000Z';

/** Other tabs receive a tab's messages in order: once this one arrives, all earlier ones have. */
async function heardByTabs(): Promise<void> {
  const [ear, mouth] = [new BroadcastChannel('sendlap-live'), new BroadcastChannel('sendlap-live')];
  const heard = new Promise((resolve) => ear.addEventListener('message', resolve));
  mouth.postMessage({ type: 'position', user_id: EVE.id, id: '1' });
  await heard;
  ear.close();
  mouth.close();
}
