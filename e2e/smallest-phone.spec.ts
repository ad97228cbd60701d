import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { addPerson } from './people/athlete.ts';
import { writeHistory } from './people/chat-history.ts';
import { befriend, sendRequest } from './people/friends.ts';
import { messageField, openChat, panelOf, talk } from './screens/chat-page.ts';
import { join } from './screens/friends-page.ts';
import { widthOf } from './screens/layout.ts';
import type { Server } from './server/server.ts';

/** The widest possible name: one word of 40 letters. */
const LONG_NAME = 'Maximilianswolkensteinhausenburgenthaler';
const SMALLEST = { width: 320, height: 640 };

async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
}

/** Returns by how much the text of `part` exceeds its right edge, in px. */
function overflowOf(part: Locator): Promise<number> {
  return part.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth));
}

/** Returns the right edge of `part`, in px. */
async function endOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (!box) throw new Error('this is not on the screen');
  return Math.round(box.x + box.width);
}

/** Looks at the tour and, at text of 200 %, at the settings. */
async function lookAtTourAndSettings(page: Page): Promise<void> {
  await page.goto('/dashboard?tour=start');
  await expect(page.getByRole('dialog', { name: 'Welcome to Sendlap' })).toBeVisible();
  expect(await widthOf(page), 'the tour').toBeLessThanOrEqual(320);

  await page.evaluate(() => localStorage.setItem('preferred-language', 'es'));
  await page.goto('/profile');
  await doubleText(page);
  await page.getByRole('switch', { name: 'Horas de silencio' }).check();
  await expect(page.getByLabel('Hasta')).toHaveValue('07:00');
  for (const edge of ['Desde', 'Hasta']) expect(await endOf(page.getByLabel(edge))).toBeLessThanOrEqual(320);
  expect(await widthOf(page), 'the settings').toBeLessThanOrEqual(320);
  await page.context().setOffline(true);
  await expect(page.getByText('Podrás cambiarlo cuando vuelvas a tener conexión.')).toHaveCount(1);
  await expect(page.getByText(/se puede cambiar cuando haya conexión/i)).toHaveCount(1);
  expect(await widthOf(page), 'the settings without a network').toBeLessThanOrEqual(320);
  await page.context().setOffline(false);
  await page.evaluate(() => localStorage.setItem('preferred-language', 'en'));
}

/** Opens Ben with his friend Ida, a request from an athlete with a long name, and his own request to Cleo. */
async function openBen(browser: Browser, server: Server) {
  const [ana, cleo, ida] = [
    await addPerson(server, LONG_NAME),
    await addPerson(server, 'Cleo'),
    await addPerson(server, 'Ida'),
  ];
  const ben = await join(browser, server, 'Ben');
  await befriend(server, ben, ida);
  await sendRequest(server, ana, ben);
  await sendRequest(server, ben, cleo);
  return { ben, ida, cleo };
}

/** Expects the chat button, minimized or not, to be uncovered: a click waits until nothing covers its target. */
async function openAndMinimizeChat(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard');
  await doubleText(page);
  await openChat(page, name);
  await panelOf(page).getByRole('button', { name: 'Minimize chats' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await expect(messageField(page)).toBeVisible();
}

test('nothing in the tour, the settings, a chat or a report is wider than 320 px, also at text of 200 %', async ({
  browser,
  server,
}) => {
  const { ben, ida, cleo } = await openBen(browser, server);
  const { page, main, context } = ben;
  await page.setViewportSize(SMALLEST);
  await lookAtTourAndSettings(page);
  await writeHistory(server, ben, ida, talk(ben, ida));
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await openAndMinimizeChat(page, 'Ida');
  }

  await page.evaluate(() => localStorage.setItem('preferred-language', 'es'));
  await page.goto('/friends');
  await main.getByRole('textbox', { name: /^ID público de/ }).fill(cleo.public_id);
  await page.keyboard.press('Enter');
  await expect(main.getByRole('status').getByText('Cleo')).toBeVisible();
  await expect(main.getByRole('button', { name: /^Ida/ }).last()).toBeVisible();
  expect(await widthOf(page)).toBe(320);
  const row = main.getByRole('listitem').filter({ hasText: LONG_NAME });
  await expect(row).toBeVisible();
  await doubleText(page);
  await expect.poll(() => widthOf(page)).toBe(320);
  for (const button of await row.getByRole('button').all()) expect(await endOf(button)).toBeLessThanOrEqual(320);
  await row.getByRole('button').first().click();
  const sheet = page.getByRole('dialog');
  const badge = sheet.getByText('Te ha enviado una solicitud');
  await expect(badge).toBeVisible();
  expect(await endOf(badge)).toBeLessThanOrEqual(320);
  await sheet.getByRole('button', { name: 'Denunciar' }).click();
  await expect(sheet).toHaveAccessibleName(`Denunciar a ${LONG_NAME}`);
  expect(await overflowOf(sheet.getByRole('heading'))).toBe(0);
  for (const reason of await sheet.getByRole('group').getByRole('button').all())
    expect(await endOf(reason)).toBeLessThanOrEqual(320);
  await context.close();
});
