import { expect, type Locator, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, addPerson, type Person } from './people/athlete.ts';
import { fillBoard } from './people/crowded-board.ts';
import { befriend, sendRequest } from './people/friends.ts';
import { join, type Member, sentRequests } from './screens/friends-page.ts';
import { chooseLanguage, LANGUAGES, look, lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

const LONG_HEBREW_NAME = 'אברהם יצחק בן ציון הכהן מירושלים הבירה';

/** Renames an athlete, in the database. */
async function rename(server: Server, { email }: Person, name: string): Promise<void> {
  const operator = await openOperator(server);
  await operator.database.updateTable('users').set({ name, display_name: name }).where('email', '=', email).execute();
  await operator.close();
}

/**
 * Expects that the beginning of a name is shown. If it is too long for its row, it is cut off at its end, which of one from
 * right to left is on the left.
 */
async function expectBeginning(name: Locator, { is_cut }: { is_cut: boolean }): Promise<void> {
  const cut = await name.evaluate((shown) => {
    const text = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const first = document.createRange();
    first.setStart(text, 0);
    first.setEnd(text, 1);
    const [letter, row] = [first.getBoundingClientRect(), shown.getBoundingClientRect()];
    return { is_cut: shown.scrollWidth > shown.clientWidth, is_inside: letter.right <= row.right + 1 };
  });
  expect(cut).toEqual({ is_cut, is_inside: true });
}

/** Looks at friends, a request each way, and the sheets of a friend. */
async function lookAtFriends({ page, main }: Member, friend: { public_id: string }, language: string): Promise<void> {
  await page.goto('/friends');
  await expect(main.getByRole('button', { name: /^(Accept|Aceptar a) Ben$/ })).toBeVisible();
  await main.getByRole('textbox', { name: /^(Public ID of|ID público de)/ }).fill(friend.public_id);
  await page.keyboard.press('Enter');
  await expect(main.getByRole('button', { name: /^(Message|Mensaje)$/ })).toBeVisible();
  await expectBeginning(main.getByText(LONG_HEBREW_NAME).first(), { is_cut: false });
  await lookAtScreen(page, `friends-${language}`);
  await expectFitting(page);

  const row = main.getByRole('button', { name: /^Ida/ }).last();
  const sheet = page.getByRole('dialog', { name: /^(Profile|Perfil)$|Ida/ });
  await row.click();
  await expect(sheet).toHaveAccessibleName(/^(Profile|Perfil)$/);
  await look(page, `friends-person-${language}`);
  await sheet.getByRole('button', { name: /^(Report|Denunciar)$/ }).click();
  await expect(sheet).toHaveAccessibleName(/^(Report|Denunciar a) Ida$/);
  await look(page, `friends-report-${language}`);
  await page.keyboard.press('Escape');
  await row.click();
  await sheet.getByRole('button', { name: /^(Block|Bloquear)$/ }).click();
  await expect(sheet).toHaveAccessibleName(/^(Block|¿Bloquear a) Ida\?$/);
  await look(page, `friends-block-${language}`);
}

/** Looks at the board of a week with 60 athletes before this one. */
async function lookAtBoard({ page }: Athlete, language: string): Promise<void> {
  const main = page.getByRole('main');
  await page.goto('/leaderboards');
  await expect(main.locator('li[aria-current]')).toContainText(/61st|61\.º/);
  await expectBeginning(main.getByText(LONG_HEBREW_NAME), { is_cut: true });
  await lookAtScreen(page, `board-${language}`);
  await expectFitting(page);
}

/** Expects that nothing is wider than the screen of the smallest phone. */
async function expectFitting(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 390, height: 844 });
}

test('neither friends with their sheets nor a crowded board have a barrier that axe knows or are wider than 320 px', async ({
  browser,
  server,
}) => {
  const [ben, cleo, ida] = [
    await addPerson(server, 'Ben'),
    await addPerson(server, 'Cleo'),
    await addPerson(server, 'Ida'),
  ];
  const ana = await join(browser, server, 'Ana');
  await befriend(server, ana, ida);
  await sendRequest(server, ben, ana);
  await sendRequest(server, ana, cleo);
  await ana.page.reload();
  await expect(sentRequests(ana)).toHaveCount(1);
  await rename(server, cleo, LONG_HEBREW_NAME);
  await fillBoard(server, ana, LONG_HEBREW_NAME);
  for (const language of LANGUAGES) {
    await chooseLanguage(ana.page, language);
    await lookAtFriends(ana, ida, language);
    await lookAtBoard(ana, language);
  }
  await ana.context.close();
});
