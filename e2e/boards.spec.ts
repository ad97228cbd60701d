import { expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/operator.ts';
import { addAthlete, tellOfScores, writeScore } from '../apps/api/test/rank-rows.ts';
import { isoWeekKey, localDate } from '../packages/domain/src/dates.ts';
import { type Athlete, findCenterId, passNight, passTime, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { LOOKS, lookAtScreen } from './look.ts';
import type { Server } from './server.ts';
import { finishAndShowCode, grantReferee, openPool, POOL, startSwimming, typeDigits } from './swimming.ts';

const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';
const CROWD = 60;

/** The board of this week is full: 60 athletes with 1,060 to 470 points before `athlete`, who has 465. */
async function fillBoard(server: Server, { email }: Athlete): Promise<void> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const everybody = {
      period: isoWeekKey(localDate(server.now(), 'UTC')),
      sport: 'all',
      sport_center_id: ALL_CENTERS,
    } as const;
    const write = (user_id: string, points: number, on = {}) =>
      writeScore(database, user_id, points, { ...everybody, ...on });
    for (let place = 0; place < CROWD; place++) await write(await addAthlete(database), 1060 - 10 * place);
    const { id } = await database.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    await write(id, 465);
    await write(id, 465, { sport: 'climbing' });
    await write(id, 465, { sport_center_id: await findCenterId(server, POOL) });
    await tellOfScores(database);
  } finally {
    await operator.close();
  }
}

/** My own row on the board, wherever it stands. */
const mine = (page: Page) => page.getByRole('main').locator('li[aria-current]');

/** What a screen reader was told politely. */
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
  await passNight(server, everybody);
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

test('one of many finds herself: those around her, by sport, center and week, by keyboard, and without a network [spec 2.ranks.filter-sport, 2.ranks.filter-center, 2.ranks.surrounding]', async ({
  browser,
  // Its clock stands in this week: where it was moved on, late on a Sunday, that is the next.
  ownServer: server,
}) => {
  const dora = await signUp(browser, server, 'Dora');
  const { page, context } = dora;
  const main = page.getByRole('main');
  const rows = main.getByRole('listitem');
  await passNight(server, [dora]);
  await fillBoard(server, dora);

  await page.goto('/leaderboards');
  await expect(mine(page)).toContainText('61st');
  await expect(mine(page)).toContainText('5 points to the next');
  await expect(main.getByRole('list', { name: 'Around you' }).getByRole('listitem').first()).toContainText('58th');
  await expect(main.getByText(/6\d athletes$/)).toBeVisible();
  for (const [language, theme] of LOOKS) {
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    await page.emulateMedia({ colorScheme: theme });
    await page.reload();
    await expect(mine(page)).toBeVisible();
    await lookAtScreen(page, `board-${language}-${theme}`);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.setViewportSize({ width: 390, height: 844 });
  }
  await page.evaluate(() => localStorage.setItem('preferred-language', 'en'));
  await page.goto('/leaderboards');
  await main.getByRole('button', { name: 'Show more' }).focus();
  await page.keyboard.press('Enter');
  await expect(main.locator('li:focus')).toContainText('51st');
  await expect(main.getByRole('list', { name: 'Around you' })).toHaveCount(0);
  await expect(mine(page)).toContainText('5 points behind Athlete');

  await main.getByRole('button', { name: 'Climbing' }).click();
  await expect(page).toHaveURL('/leaderboards?sport=climbing');
  await expect(mine(page)).toContainText('1st');
  await page.goto(`/leaderboards?sport=curling&center=${await findCenterId(server, POOL)}`);
  await expect(main.getByRole('button', { name: POOL, pressed: true })).toBeVisible();
  await expect(mine(page)).toContainText('1st');
  await main.getByRole('button', { name: 'Climbing' }).click();
  await expect(main.getByRole('link', { name: 'Start here' })).toBeVisible();

  await page.goto('/leaderboards');
  await expect(mine(page)).toBeVisible();
  await page.getByRole('radio', { name: 'Week' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/leaderboards?period=season');
  await expect(main.getByRole('heading', { name: 'This season' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await main.getByRole('button', { name: 'Week before' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?key=20\d\d-W\d\d$/);
  await page.reload();
  await expect(main.getByRole('heading', { name: 'Last week' })).toBeVisible();
  await expect(main.getByText('Nobody had points here')).toBeVisible();

  await context.setOffline(true);
  await main.getByRole('button', { name: 'Week after' }).click();
  await expect(page).toHaveURL('/leaderboards');
  await expect(main.getByText("You're offline. Last updated: now.")).toBeVisible();
  await expect(mine(page)).toContainText('61st');
  await expect(page.getByRole('switch', { name: 'Show me on boards' })).toBeDisabled();
  await page.getByRole('radio', { name: 'All time' }).click();
  await expect(main.getByRole('heading', { name: 'Ranks need a network' })).toBeVisible();
  await expect(rows).toHaveCount(0);
  await context.close();
});
