import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { widenScreen } from '../device/wide-screen.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { EVE, NORA } from '../people.ts';
import { findLog, openAppWithChats, putMessages } from '../scenes/chat-panel.ts';

const EN = {
  language: 'en',
  open: 'Open chats',
  open_unread: 'Open chats, 3 unread messages',
  title: 'Chats',
  unread: '3 unread messages',
  start: 'Start New Chat',
  pick: 'Select Friend',
  minimize: 'Minimize chats',
  close: 'Close chats',
  back: 'Back to chats',
  send: 'Send',
  new: '3 new messages',
  none: 'No chat selected',
  no_id: 'No valid chat ID found. Cannot send messages.',
  format: 'Chat ID is not a valid UUID format: abc',
  field: 'Message to Eve',
} as const;

const ES = {
  language: 'es',
  open: 'Abrir los chats',
  open_unread: 'Abrir los chats, 3 mensajes sin leer',
  title: 'Chats',
  unread: '3 mensajes sin leer',
  start: 'Nuevo chat',
  pick: 'Elige a un amigo',
  minimize: 'Minimizar los chats',
  close: 'Cerrar los chats',
  back: 'Volver a los chats',
  send: 'Enviar',
  new: '3 mensajes nuevos',
  none: 'Ningún chat seleccionado',
  no_id: 'No se ha encontrado un ID de chat válido. No se pueden enviar mensajes.',
  format: 'El ID de chat no tiene formato UUID: abc',
  field: 'Mensaje para Eve',
} as const;

/** Adds messages, of which the last three are unread for Nora. */
function talk(chats: ChatModel): void {
  putMessages(chats, [
    { by: EVE, text: 'Are you climbing on Friday?', is_read: true },
    { by: NORA, text: 'Yes! At seven', is_read: true },
    { by: EVE, text: 'I will.' },
    { by: EVE, text: 'And chalk.' },
    { by: EVE, text: 'See you there!' },
  ]);
}

/** Presses this button by keyboard. */
async function press(user: Awaited<ReturnType<typeof openAppWithChats>>['user'], button: HTMLElement): Promise<void> {
  button.focus();
  await user.keyboard('{Enter}');
}

const findPanelNamed = (name: string) => screen.findByRole('dialog', { name });
const waitUntilPanelIsGone = () => vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test.each([EN, ES])(
  'every view of the panel is reached by keyboard and has its words in $language [spec 2.chat.button, 2.chat.list-title, 2.chat.start-new, 2.chat.select-friend, 2.chat.list-view, 2.chat.messages-view, 2.chat.minimize, 2.chat.close]',
  async (words) => {
    const { user, chats } = await openAppWithChats({ language: words.language, prepare: talk });
    await press(user, await screen.findByRole('button', { name: words.open_unread }));
    const panel = within(await findPanelNamed(words.title));
    const findRow = () => panel.findByRole('button', { name: /Eve/ });
    expect((await findRow()).textContent).toContain('See you there!');
    panel.getByRole('button', { name: words.close });

    await press(user, panel.getByRole('button', { name: words.start }));
    await findPanelNamed(words.pick);
    await findRow();
    await user.keyboard('{Escape}');
    await findPanelNamed(words.title);
    // Neither the list nor the picker has marked a message as read.
    expect((await findRow()).textContent).toContain(words.unread);
    expect(chats.isRead(EVE, 'I will.')).toBe(false);

    await press(user, await findRow());
    const log = within(await findLog());
    await log.findByText(words.new);
    log.getByText('See you there!');
    const field = await panel.findByRole('textbox', { name: words.field });
    panel.getByRole('button', { name: words.send });
    field.focus();
    await user.keyboard('On my way{Enter}');
    await log.findByText('On my way');
    await vi.waitFor(() => expect(field).toHaveProperty('value', ''));

    await press(user, panel.getByRole('button', { name: words.minimize }));
    await waitUntilPanelIsGone();
    const bar = screen.getByRole('button', { name: 'Eve' });
    await vi.waitFor(() => expect(document.activeElement).toBe(bar));
    await user.keyboard('{Enter}');
    await within(await findLog()).findByText('On my way');
    await press(user, screen.getByRole('button', { name: words.back }));
    await findPanelNamed(words.title);
    await user.keyboard('{Escape}');
    await waitUntilPanelIsGone();
    const button = await screen.findByRole('button', { name: words.open });
    await vi.waitFor(() => expect(document.activeElement).toBe(button));
  },
);

test.each([EN, ES])('an address with an invalid id says so in $language', async (words) => {
  await openAppWithChats({ language: words.language, path: '/dashboard?chat=abc', prepare: talk });
  const panel = within(await findPanelNamed(words.title));
  await vi.waitFor(() => expect(panel.getByRole('alert').textContent).toBe(words.format));
  panel.getByText(words.none);
  panel.getByText(words.no_id);
  await vi.waitFor(() => expect(window.location.search).toBe(''));
});

test.each(['/dashboard', '/sport-centers', '/leaderboards'])(
  'on %s the chat button is an item of the navigation, where it covers nothing, and minimizes the panel that it opened',
  async (path) => {
    widenScreen();
    const { user } = await openAppWithChats({ path });
    const bar = within(await screen.findByRole('navigation'));
    const button = await bar.findByRole('button', { name: 'Open chats' });
    await user.click(button);
    await findPanelNamed('Chats');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await user.click(button);
    await waitUntilPanelIsGone();
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await user.click(button);
    await findPanelNamed('Chats');
  },
);
