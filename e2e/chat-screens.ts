import { expect, type Locator, type Page } from '@playwright/test';

/** The open chat panel, in either language. */
export const chatLog = (page: Page): Locator => page.getByRole('log');
const field = (page: Page) => page.getByRole('textbox', { name: /^(Message to|Mensaje para) / });

/** From the floating button to the messages with somebody. */
export async function openChatWith(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(Open chats|Abrir los chats)/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(field(page)).toBeVisible();
}

/** By the picker, for a friend with whom there is no chat yet. */
export async function startChatWith(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(Open chats|Abrir los chats)/ }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: /^(Start New Chat|Nuevo chat)$/ }).click();
  await panel.getByRole('button', { name: new RegExp(name) }).click();
  await expect(field(page)).toBeVisible();
}

/** Writes and waits until the message is safe on the device. */
export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue('');
  await expect(page.getByRole('button', { name: /^(Send|Enviar)$/ })).toHaveAttribute('aria-busy', 'false');
}

/** All messages on the screen, oldest first. */
export async function readTexts(page: Page): Promise<string[]> {
  const texts = chatLog(page).locator('[data-message] > p:first-of-type');
  return (await texts.allInnerTexts()).map((text) => text.trim());
}
