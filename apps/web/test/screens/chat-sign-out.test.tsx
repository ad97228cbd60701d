import { logout } from '@sendlap/contract/auth.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { EVE } from '../people.ts';
import {
  fillMessage,
  findLog,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  writeMessage,
} from '../scenes/chat-panel.ts';

const READ = 'Kletterhalle am Nordwall';
const WAITING = 'Schwimmbecken im Suedwind';
const DRAFT = 'Umkleide im Ostfluegel';

test('signing out with unsent messages asks; discarded they leave no trace, and neither do those that were read', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, READ) });
  const { user } = phone;
  await openChatWith(phone, 'Eve');
  await within(await findLog()).findByText(READ);
  phone.setOnline(false);
  await writeMessage(phone, WAITING);
  await fillMessage(phone, DRAFT);
  const traces = async () => findTraces(await readStores(), { read: READ, waiting: WAITING, draft: DRAFT });
  await vi.waitFor(async () =>
    expect(await traces()).toEqual([
      'draft in database sendlap-cache, store metadata',
      'read in database sendlap-cache, store messages',
      'read in database sendlap-cache, store metadata',
      'waiting in database sendlap-outbox, store messages',
    ]),
  );

  await pressInPanel(phone, 'Minimize chats');
  await user.click(await screen.findByRole('link', { name: 'Profile' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  const question = within(await screen.findByRole('dialog', { name: '1 thing is not sent yet' }));
  await user.click(question.getByRole('button', { name: 'Discard and sign out' }));
  await screen.findByRole('button', { name: 'Sign in' });
  expect(window.location.pathname).toBe('/login');
  await vi.waitFor(async () => expect(await traces()).toEqual([]));
  phone.setOnline(true);
  await vi.waitFor(() => expect(phone.server.asked(logout)).not.toEqual([]));
  expect(await traces()).toEqual([]);
  expect(phone.chats.messagesWith(EVE)).toEqual([READ]);
});
