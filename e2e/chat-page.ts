import { type Browser, expect, type Page } from '@playwright/test';
import { type Athlete, signUp } from './athlete.ts';
import type { WrittenLine } from './chat-history.ts';
import { befriend } from './friends.ts';
import type { Language } from './look.ts';
import type { Server } from './server.ts';

export const panelOf = (page: Page) => page.getByRole('dialog');
export const messageField = (page: Page) => page.getByRole('textbox', { name: /^(Message to|Mensaje para) / });
export const log = (page: Page) => page.getByRole('log');

/** Two friends who have written to each other; Ana's browser is looked at. */
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

/** Two days with everything that a chat may hold; the last three are new to Ana. */
export function talk(ana: Athlete, bea: Athlete): WrittenLine[] {
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
      text: 'Bring the rope, please. Mine is old, and I do not trust it any more on the long routes of the north wall.',
      minutes_ago: 39,
    },
    { by: bea, text: 'I will.', minutes_ago: 5 },
    { by: bea, text: 'And chalk.', minutes_ago: 4 },
    { by: bea, text: 'See you there!', minutes_ago: 3 },
  ];
}

/** From the floating button into the chat with somebody. */
export async function openChat(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Open chats/ }).click();
  await panelOf(page)
    .getByRole('button', { name: new RegExp(`^${name}|${name}`) })
    .click();
  await expect(messageField(page)).toBeVisible();
}

/** Before a page is loaded anew: a moment after it was closed the panel takes its step back, which would break that off. */
export async function waitForStepBack(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => 'chat_panel' in Object(history.state))).toBe(false);
}
