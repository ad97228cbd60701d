import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { type Athlete, passTime, signUp } from './people/athlete.ts';
import { finishAndShowCode, grantReferee, openPool, startSwimming, typeDigits } from './people/swimming.ts';

/** My own row on the board, at any rank. */
const mine = (page: Page) => page.getByRole('main').locator('li[aria-current]');

/** The polite announcement of this sentence to screen readers. */
const said = (page: Page, sentence: string) => page.getByRole('status').filter({ hasText: sentence });

async function confirm(referee: Athlete, athlete: Athlete): Promise<void> {
  await finishAndShowCode(athlete);
  await typeDigits(referee, athlete);
  await referee.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(referee.page.getByRole('heading', { name: 'Confirmed', exact: true })).toBeVisible();
}

test('two athletes watch a board while a third is confirmed: its rows move without a reload, a voice says it, and who hides is gone for the others [spec 1.ranks.leaderboards]', async ({
  browser,
  server,
}) => {
  const [ada, ben, cleo, rex] = [
    await signUp(browser, server, 'Ada'),
    await signUp(browser, server, 'Ben'),
    await signUp(browser, server, 'Cleo'),
    await signUp(browser, server, 'Rex'),
  ];
  const everybody = [ada, ben, cleo, rex];
  await grantReferee(server, rex);
  for (const athlete of [ben, cleo]) {
    await openPool(athlete, server);
    await startSwimming(athlete);
  }
  await passTime(server, everybody, 20);
  await confirm(rex, ben);
  for (const { page } of [ada, ben]) await page.goto('/leaderboards');
  const podium = ada.page.getByRole('list', { name: 'The first three' }).getByRole('listitem');
  await expect(podium).toContainText([/1st.*Ben/]);
  await expect(ada.page.getByText('No points here yet')).toBeVisible();
  await expect(mine(ben.page)).toContainText('You lead');
  for (const { page } of [ada, ben]) await page.evaluate(() => document.body.setAttribute('data-same-page', ''));

  await passTime(server, everybody, 25);
  await confirm(rex, cleo);
  await expect(podium).toContainText([/1st.*Cleo/, /2nd.*Ben/]);
  await expect(said(ada.page, 'Cleo is 1st now')).toHaveCount(1);
  await expect(said(ben.page, 'You are 2nd now')).toHaveCount(1);
  await expect(mine(ben.page)).toContainText('points behind Cleo');

  await ben.page.getByRole('switch', { name: 'Show me on boards' }).click();
  await expect(mine(ben.page)).toContainText('Only you see this');
  await expect(ben.page.getByText("Others don't see you on boards.")).toBeVisible();
  await expect(said(ben.page, "Others don't see you on boards now")).toHaveCount(1);
  await expect(podium).toHaveCount(1);
  await expect(podium).toContainText('Cleo');
  for (const { page } of [ada, ben]) await expect(page.locator('body')).toHaveAttribute('data-same-page', '');
  for (const { context } of everybody) await context.close();
});
