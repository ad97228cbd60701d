import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { addPerson, type Person, signUp } from '../people/athlete.ts';
import type { WrittenLine } from '../people/chat-history.ts';
import { befriend } from '../people/friends.ts';
import type { Server } from '../server/server.ts';
import type { Language } from './look.ts';

/** The parts of the panel, in either language. */
export const chatButton = (page: Page): Locator => page.getByRole('button', { name: /^(Open chats|Abrir los chats)/ });
export const panelOf = (page: Page): Locator => page.getByRole('dialog');
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: /^(Message to|Mensaje para) / });
export const log = (page: Page): Locator => page.getByRole('log');

/** As `openFriends`, with a friend who has no browser. */
export async function openWithFriend(browser: Browser, server: Server, options: Parameters<typeof signUp>[3] = {}) {
  const ana = await signUp(browser, server, 'Ana', options);
  const bea = await addPerson(server, 'Bea');
  await befriend(server, ana, bea);
  return { ana, bea, page: ana.page };
}

/** Two friends who have written to each other; the test looks at Ana's browser. */
export async function openFriends(browser: Browser, server: Server, options: Parameters<typeof signUp>[3] = {}) {
  const ana = await signUp(browser, server, 'Ana', options);
  const bea = await signUp(browser, server, 'Bea');
  await befriend(server, ana, bea);
  return { ana, bea, page: ana.page };
}

export async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
  await page.reload();
}

/** Two days with every kind of message; the last three are unread for Ana. */
export function talk(ana: Person, bea: Person): WrittenLine[] {
  return [
    { by: bea, text: 'Are you climbing on Friday?', minutes_ago: 60 * 26, is_read: true },
    {
      by: ana,
      text: 'Yes! At seven, the new routes are up: https://wall.example/routes?week=47',
      minutes_ago: 60 * 25,
      is_read: true,
    },
    { by: ana, text: '🧗‍♀️🔥', minutes_ago: 60 * 25, is_read: true },
    { by: bea, text: 'مرحبا، أراك في السابعة', minutes_ago: 40, is_read: true },
    {
      by: ana,
      text: 'Bring the rope, please. Mine is old, and I no longer trust it on the long routes of the north wall.',
      minutes_ago: 39,
    },
    { by: bea, text: 'I will.', minutes_ago: 5 },
    { by: bea, text: 'And chalk.', minutes_ago: 4 },
    { by: bea, text: 'See you there!', minutes_ago: 3 },
  ];
}

/** Opens a chat with a person, starting at the chat button. */
export async function openChat(page: Page, name: string): Promise<void> {
  await chatButton(page).click();
  await panelOf(page)
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(messageField(page)).toBeVisible();
}

/** Starts a chat by the picker, with a friend who has no chat yet. */
export async function startChat(page: Page, name: string): Promise<void> {
  await chatButton(page).click();
  await panelOf(page)
    .getByRole('button', { name: /^(Start New Chat|Nuevo chat)$/ })
    .click();
  await panelOf(page)
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(messageField(page)).toBeVisible();
}

/** Sends a message and waits until it is stored on the device. */
export async function write(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await messageField(page).press('Enter');
  await expect(messageField(page)).toHaveValue('');
  await expect(page.getByRole('button', { name: /^(Send|Enviar)$/ })).toHaveAttribute('aria-busy', 'false');
}

/** Returns all messages on the screen, oldest first. */
export async function readTexts(page: Page): Promise<string[]> {
  const texts = log(page).locator('[data-message] > p:first-of-type');
  return (await texts.allInnerTexts()).map((text) => text.trim());
}

/**
 * Call it before a reload: shortly after it was closed, the panel goes back one history entry, which would abort the
 * reload.
 */
export async function waitForStepBack(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => 'chat_panel' in Object(history.state))).toBe(false);
}
