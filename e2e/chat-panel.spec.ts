import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { addPerson, type Person, signUp } from './people/athlete.ts';
import { writeHistory } from './people/chat-history.ts';
import { befriend } from './people/friends.ts';
import { chatButton, log, messageField, openChat, panelOf, speak, talk, waitForStepBack } from './screens/chat-page.ts';
import { LANGUAGES, look } from './screens/look.ts';
import type { Server } from './server/server.ts';

/** The buttons and titles of the panel, in either language. */
const TITLE = 'Chats';
const START = /^(Start New Chat|Nuevo chat)$/;
const PICK = /^(Select Friend|Elige a un amigo)$/;
const MINIMIZE = /^(Minimize chats|Minimizar los chats)$/;
const BACK = /^(Back to chats|Volver a los chats)$/;
const NONE = /^(No chat selected|Ningún chat seleccionado)$/;

/** Walks through every view of the panel by keyboard, to a friend with three new messages; checks each view. */
async function walk(page: Page, friend: string, nameOf: (view: string) => string): Promise<void> {
  const button = chatButton(page);
  await expect(button).toHaveAccessibleName(/3/);
  await look(page, nameOf('button'));
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(panelOf(page)).toHaveAccessibleName(TITLE);
  const row = panelOf(page).getByRole('button', { name: new RegExp(friend) });
  await expect(row).toContainText('See you there!');
  await look(page, nameOf('list'));

  await panelOf(page).getByRole('button', { name: START }).press('Enter');
  await expect(panelOf(page)).toHaveAccessibleName(PICK);
  await expect(row).toBeVisible();
  await look(page, nameOf('picker'));
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toHaveAccessibleName(TITLE);

  await row.press('Enter');
  await expect(log(page).getByText('See you there!')).toBeInViewport();
  await expect(log(page).getByText(/^3 (new messages|mensajes nuevos)$/)).toBeVisible();
  await look(page, nameOf('messages'));
  await messageField(page).fill('On my way');
  await page.keyboard.press('Enter');
  await expect(log(page).getByText('On my way')).toBeInViewport();

  await panelOf(page).getByRole('button', { name: MINIMIZE }).press('Enter');
  await expect(panelOf(page)).toHaveCount(0);
  const bubble = page.getByRole('button', { name: new RegExp(`^${friend}`) });
  await expect(bubble).toBeFocused();
  await look(page, nameOf('minimized'));
  // A look in a low window hides it for a moment.
  await bubble.press('Enter');
  await expect(log(page).getByText('On my way')).toBeInViewport();
  await panelOf(page).getByRole('button', { name: BACK }).press('Enter');
  await expect(panelOf(page)).toHaveAccessibleName(TITLE);
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(button).not.toHaveAccessibleName(/\d/);

  await waitForStepBack(page);
  await page.goto('/dashboard?chat=abc');
  await expect(panelOf(page).getByText(NONE)).toBeVisible();
  await look(page, nameOf('none'));
}

/** Goes from board to profile and through the panel, and leaves all of it by the phone's Back. */
async function goBackThrough(page: Page): Promise<void> {
  await page.goto('/leaderboards');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await chatButton(page).click();
  await panelOf(page).getByRole('button', { name: 'Start New Chat' }).click();
  await expect(panelOf(page)).toHaveAccessibleName('Select Friend');
  await page.goBack();
  await expect(panelOf(page)).toHaveAccessibleName('Chats');
  await panelOf(page).getByRole('button', { name: /Bea/ }).click();
  await expect(messageField(page)).toBeVisible();
  await page.goBack();
  await expect(panelOf(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^Bea/ }).click();
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  await expect(panelOf(page)).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => 'chat_panel' in Object(history.state))).toBe(false);
  await expect(page).toHaveURL(/\/profile$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/leaderboards/);
}

/** A friend of Ana's for each language: a chat's messages are new only once. */
const FRIENDS = ['Bea', 'Cem'];

async function addFriend(server: Server, ana: Person, name: string): Promise<void> {
  const friend = await addPerson(server, name);
  await befriend(server, ana, friend);
  await writeHistory(server, ana, friend, talk(ana, friend));
}

test('every view of the panel by keyboard is without a barrier that axe knows, the composer grows to 120 px, and the phone’s Back leaves the panel, view by view, and the screen below only after that [spec 5.message.grow, 9.chat.input-height]', async ({
  browser,
  server,
}) => {
  const ana = await signUp(browser, server, 'Ana');
  const { page, context } = ana;
  for (const [index, language] of LANGUAGES.entries()) {
    const friend = FRIENDS[index] ?? '';
    await addFriend(server, ana, friend);
    await speak(page, language);
    await walk(page, friend, (view) => `chat-${view}-${language}`);
  }

  await speak(page, 'en');
  await openChat(page, 'Bea');
  const field = messageField(page);
  const height = async () => (await field.boundingBox())?.height ?? 0;
  const one_line = await height();
  await field.fill('  See you \n at the wall  ');
  expect(await height()).toBeGreaterThan(one_line);
  await field.press('Enter');
  const sent = log(page).getByRole('article').last().locator('p').first();
  await expect(sent).toHaveText('See you \n at the wall', { useInnerText: true });
  await field.fill('line\n'.repeat(50));
  expect(await height()).toBe(120);
  await field.fill('');
  await goBackThrough(page);
  await context.close();
});
