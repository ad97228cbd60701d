import { createChat, listMessages } from '@sendlap/contract/chats.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { widenScreen } from '../device/wide-screen.ts';
import { EVE } from '../people.ts';
import {
  findChatButton,
  findLog,
  findMessageField,
  findPanel,
  openAppWithChats,
  openChatWith,
  passTriesUntil,
  pressInPanel,
} from '../scenes/chat-panel.ts';

/** Waits until the focus is inside the panel. */
async function focusIsInPanel(): Promise<void> {
  const panel = await findPanel();
  await vi.waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
}

test.each([
  { window: 'on a phone', is_wide: false },
  { window: 'in a wide window', is_wide: true },
])('by keyboard the focus stays in the panel from view to view $window', async ({ is_wide }) => {
  if (is_wide) widenScreen();
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'hello') });
  const { user } = phone;
  const press = async (name: string | RegExp) => {
    (await within(await findPanel()).findByRole('button', { name })).focus();
    await user.keyboard('{Enter}');
  };
  (await findChatButton('1')).focus();
  await user.keyboard('{Enter}');
  const panel = await findPanel('Chats');
  // In a wide window, the page next to the panel stays usable.
  expect(screen.queryByRole('link', { name: 'Ranks' }) !== null).toBe(is_wide);
  await press(/Eve/);
  await findLog();
  await focusIsInPanel();
  await press('Back to chats');
  await within(panel).findByRole('heading', { name: 'Chats' });
  await focusIsInPanel();
  await press('Start New Chat');
  await within(panel).findByRole('heading', { name: 'Select Friend' });
  await focusIsInPanel();
  await user.keyboard('{Escape}');
  await findPanel('Chats');
});

test('a chat that is started when the panel was minimized does not open it; restored, the panel shows that chat', async () => {
  const phone = await openAppWithChats();
  const { user, server, chats } = phone;
  await user.click(await findChatButton());
  await server.stream.opened();
  await pressInPanel(phone, 'Start New Chat');
  const answer = server.hold(createChat);
  await pressInPanel(phone, /Eve/);
  await answer.arrived;
  await pressInPanel(phone, 'Minimize chats');
  const minimized = await screen.findByRole('button', { name: 'Chats' });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer.release();
  // An event sent after the answer has arrived, so the answer has, too.
  chats.write(EVE, 'hello');
  await within(minimized).findByText('1 unread message');
  expect(screen.queryByRole('button', { name: 'Minimize chats' })).toBeNull();
  await user.click(minimized);
  await findMessageField();
  await within(await findLog()).findByText('hello');
});

test('a chat that is not in my list has a name and nowhere to write', async () => {
  const phone = await openAppWithChats({
    path: `/dashboard?chat=${crypto.randomUUID()}`,
    now: '2026-11-20T10:00:00Z',
    prepare(chats, server) {
      chats.put(EVE, EVE, 'hello');
      server.fail(listMessages);
    },
  });
  const panel = within(await findPanel('Chats'));
  await passTriesUntil(phone, () => panel.getByRole('button', { name: 'Retry' }));
  expect(panel.queryByRole('textbox')).toBeNull();
  phone.server.heal(listMessages);
  await pressInPanel(phone, 'Close chats');
  await openChatWith(phone, 'Eve');
});

test('a panel that is restored before the browser took its history entry back stays open, and Back leaves it', async () => {
  const { chats, ...phone } = await openAppWithChats({ prepare: (model) => void model.put(EVE, EVE, 'hello') });
  await openChatWith(phone, 'Eve');
  await vi.waitFor(() => expect(chats.isRead(EVE, 'hello')).toBe(true));
  // A browser whose `history.back` is late.
  const going_back = vi.spyOn(history, 'back').mockImplementation(() => {});
  await pressInPanel(phone, 'Minimize chats');
  await vi.waitFor(() => expect(going_back).toHaveBeenCalled());
  await phone.user.click(screen.getByRole('button', { name: 'Eve' }));
  await findMessageField();
  going_back.mockRestore();
  const went_back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.back();
  await went_back;
  await vi.waitFor(() => expect(history.state).toEqual({ chat_panel: true }));
  await findMessageField();

  history.back();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByRole('button', { name: 'Eve' });
  expect(window.location.pathname).toBe('/dashboard');
});

test('a panel that is closed, opened and closed before the browser goes back takes back one entry, not two', async () => {
  const phone = await openAppWithChats({ path: '/leaderboards' });
  await phone.user.click(await findChatButton());
  await findPanel('Chats');
  // A browser whose `history.back` is late.
  const going_back = vi.spyOn(history, 'back').mockImplementation(() => {});
  await pressInPanel(phone, 'Close chats');
  await vi.waitFor(() => expect(going_back).toHaveBeenCalledOnce());
  await phone.user.click(await findChatButton());
  await pressInPanel(phone, 'Close chats');
  await runTurns();
  expect(going_back).toHaveBeenCalledOnce();
  going_back.mockRestore();
  const went_back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.back();
  await went_back;

  // The next panel has its own entry again, which its end takes back.
  await phone.user.click(await findChatButton());
  await vi.waitFor(() => expect(history.state).toMatchObject({ chat_panel: true }));
  await pressInPanel(phone, 'Close chats');
  await vi.waitFor(() => expect(history.state).not.toMatchObject({ chat_panel: true }));
  expect(window.location.pathname).toBe('/leaderboards');
});
