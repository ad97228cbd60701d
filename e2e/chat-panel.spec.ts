import { expect } from '@playwright/test';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf, speak, talk, waitForStepBack } from './chat-page.ts';
import { test } from './fixtures.ts';
import { LOOKS, look } from './look.ts';

const WORDS = {
  en: {
    open: /^Open chats/,
    title: 'Chats',
    start: 'Start New Chat',
    pick: 'Select Friend',
    minimize: 'Minimize chats',
    close: 'Close chats',
    back: 'Back to chats',
    send: 'Send',
    new: '3 new messages',
    none: 'No chat selected',
    noId: 'No valid chat ID found. Cannot send messages.',
    format: 'Chat ID is not a valid UUID format: abc',
    message: /^Message to Bea/,
  },
  es: {
    open: /^Abrir los chats/,
    title: 'Chats',
    start: 'Nuevo chat',
    pick: 'Elige a un amigo',
    minimize: 'Minimizar los chats',
    close: 'Cerrar los chats',
    back: 'Volver a los chats',
    send: 'Enviar',
    new: '3 mensajes nuevos',
    none: 'Ningún chat seleccionado',
    noId: 'No se ha encontrado un ID de chat válido. No se pueden enviar mensajes.',
    format: 'El ID de chat no tiene formato UUID: abc',
    message: /^Mensaje para Bea/,
  },
} as const;

for (const [language, theme] of LOOKS) {
  test(`every state of the panel by keyboard, in ${language} and ${theme} [spec 2.chat.button, 2.chat.list-title, 2.chat.start-new, 2.chat.select-friend, 2.chat.list-view, 2.chat.messages-view, 2.chat.minimize, 2.chat.close]`, async ({
    browser,
    server,
  }) => {
    const words = WORDS[language];
    const { ana, bea, page } = await openFriends(browser, server, { colorScheme: theme });
    await writeHistory(server, ana, bea, talk(ana, bea));
    await speak(page, language);
    const name = (state: string) => `chat-${state}-${language}-${theme}`;

    const button = page.getByRole('button', { name: words.open });
    await expect(button).toHaveAccessibleName(/3/);
    await look(page, name('button'));
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(panelOf(page)).toHaveAccessibleName(words.title);
    const row = panelOf(page).getByRole('button', { name: /Bea/ });
    await expect(row).toContainText('See you there!');
    await look(page, name('list'));

    await panelOf(page).getByRole('button', { name: words.start }).press('Enter');
    await expect(panelOf(page)).toHaveAccessibleName(words.pick);
    await expect(panelOf(page).getByRole('button', { name: /Bea/ })).toBeVisible();
    await look(page, name('picker'));
    await page.keyboard.press('Escape');
    await expect(panelOf(page)).toHaveAccessibleName(words.title);
    // Neither opening the list nor the picker has marked anything read.
    await expect(row).toHaveAccessibleName(/3/);

    await row.press('Enter');
    await expect(log(page).getByText('See you there!')).toBeVisible();
    await expect(log(page).getByText(words.new)).toBeVisible();
    await look(page, name('messages'));
    await messageField(page).fill('On my way');
    await page.keyboard.press('Enter');
    await expect(log(page).getByText('On my way')).toBeVisible();
    await expect(messageField(page)).toHaveValue('');

    await panelOf(page).getByRole('button', { name: words.minimize }).press('Enter');
    await expect(panelOf(page)).toHaveCount(0);
    const bar = page.getByRole('button', { name: /^Bea/ });
    await expect(bar).toBeFocused();
    await look(page, name('minimized'));
    await page.keyboard.press('Enter');
    await expect(log(page).getByText('On my way')).toBeVisible();
    await panelOf(page).getByRole('button', { name: words.back }).press('Enter');
    await expect(panelOf(page)).toHaveAccessibleName(words.title);
    await page.keyboard.press('Escape');
    await expect(panelOf(page)).toHaveCount(0);
    await expect(button).toBeFocused();
    await expect(button).not.toHaveAccessibleName(/\d/);

    await waitForStepBack(page);
    await page.goto('/dashboard?chat=abc');
    await expect(panelOf(page).getByRole('alert')).toHaveText(words.format);
    await expect(panelOf(page).getByText(words.none)).toBeVisible();
    await expect(panelOf(page).getByText(words.noId)).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await look(page, name('none'));
    for (const { context } of [ana, bea]) await context.close();
  });
}

test('the composer grows to 120 px, counts from 1,001 on, never blocks and keeps its draft [spec 5.message.enter, 5.message.shift-enter, 5.message.grow, 5.message.counter, 5.message.no-limit, 5.message.empty, 5.message.trim, 9.chat.counter-from, 9.chat.counter-of, 9.chat.input-height]', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await writeHistory(server, ana, bea, talk(ana, bea));
  await page.reload();
  await openChat(page, 'Bea');
  const field = messageField(page);
  const height = async () => (await field.boundingBox())?.height ?? 0;
  const sent = log(page).getByRole('article');

  const one_line = await height();
  await field.press('Enter');
  await field.fill('  \n ');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true');
  await field.fill('one');
  await field.press('Shift+Enter');
  await field.pressSequentially('two');
  await expect(field).toHaveValue('one\ntwo');
  expect(await height()).toBeGreaterThan(one_line);
  await field.fill('line\n'.repeat(50));
  expect(await height()).toBe(120);

  const counter = (text: string) => panelOf(page).getByText(text, { exact: true });
  await field.fill('🧗'.repeat(1000));
  await expect(panelOf(page).getByText(/\/5000/)).toHaveCount(0);
  await field.fill('🧗'.repeat(1001));
  await expect(counter('1001/5000')).toBeVisible();
  await field.fill('x'.repeat(5001));
  await expect(panelOf(page).getByText(/5001\/5000/)).toBeVisible();
  await expect(panelOf(page).getByText(/The server takes up to 5,000 characters/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'false');

  await field.fill('  See you \n at the wall  ');
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  await openChat(page, 'Bea');
  await expect(field).toHaveValue('  See you \n at the wall  ');
  await field.press('Enter');
  await expect(sent.last()).toContainText('See you');
  await expect(sent.last().locator('p').first()).toHaveText('See you \n at the wall', { useInnerText: true });
  await expect(field).toHaveValue('');
  for (const { context } of [ana, bea]) await context.close();
});
