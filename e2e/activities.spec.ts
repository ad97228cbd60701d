import { expect, type Page } from '@playwright/test';
import {
  type Athlete,
  passNight,
  passTime,
  postponeWelcome,
  signInElsewhere,
  signUp,
  stopTime,
  WITH_WORKER,
  waitForWorker,
} from './athlete.ts';
import { test } from './fixtures.ts';
import { look, lookAtScreen } from './look.ts';
import { repeatActivity } from './past-activities.ts';
import type { Server } from './server.ts';
import { grantReferee, openPool, savedLengths, startSwimming, typeDigits } from './swimming.ts';

const chip = (page: Page, text: string | RegExp) => page.getByRole('button', { name: text });
const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

/** At a pool since some minutes; then it is finished and its undo is over. */
async function swim(server: Server, athlete: Athlete, minutes: number): Promise<void> {
  const { page, context } = athlete;
  await openPool(athlete, server);
  await startSwimming(athlete);
  await passTime(server, [athlete], minutes);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('link', { name: 'Show my code' })).toBeVisible();
  await context.clock.fastForward(6_000);
  await expect(page.getByText('The server has it.')).toBeVisible();
}

test('an address of no activity says so and leads home [spec 8.other.activity]', async ({ browser, server }) => {
  const { page, context } = await signUp(browser, server, 'Nina');
  await page.goto('/activities/11111111-1111-4111-8111-111111111111');
  await expect(page.getByRole('heading', { name: 'Activity not found' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});

test('what is done without a network is counted by the chip, outlives a reload and is sent when the network is back [spec 1.activities.start, 1.offline.queue, 1.offline.sync, 7.activities.start, 7.activities.sync, 2.sync-chip.pending, 2.sync-chip.syncing, 2.sync-chip.synced, 4.sync.connectivity]', async ({
  browser,
  server,
}) => {
  const olga = await signUp(browser, server, 'Olga', WITH_WORKER);
  const { page, context } = olga;
  await openPool(olga, server);
  await waitForWorker(page);
  await context.setOffline(true);
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toBeVisible();
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(chip(page, /^1 pending/)).toBeVisible();
  await passTime(server, [olga], 45);
  await page.reload();
  await expect(page.getByRole('timer')).toHaveText(/^4[56]:/);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(chip(page, /^2 pending/)).toBeVisible();
  await expect(page.getByText('Goes out as soon as there is a network.')).toBeVisible();

  // The answer is held back for as long as it takes to look.
  let answer = () => {};
  const looked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route('**/v1/activities/sync', async (route) => {
    await looked;
    await route.continue();
  });
  // "Synced" is said for three seconds: of the phone's time, which stands still meanwhile.
  await stopTime(olga);
  await context.setOffline(false);
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toHaveCount(0);
  await context.clock.fastForward(6_000);
  await expect(chip(page, /^Syncing\.\.\./)).toBeVisible();
  answer();
  await expect(chip(page, /^Synced/)).toBeVisible();
  await context.clock.resume();
  await expect(page.getByText('The server has it.')).toBeVisible();
  await context.close();
});

test('a server that is down is told of, and Retry sends what waits [spec 2.sync-chip.failed, 2.sync-chip.retry]', async ({
  browser,
  server,
}) => {
  const frida = await signUp(browser, server, 'Frida', WITH_WORKER);
  const { page, context } = frida;
  await openPool(frida, server);
  await waitForWorker(page);
  await server.stop();
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(chip(page, /^Sync failed/)).toBeVisible();
  // The app tries again by itself too, and "Synced" is said for three seconds: the phone's time stands still meanwhile.
  await stopTime(frida);
  await server.start();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(chip(page, /^Synced/)).toBeVisible();
  await context.clock.resume();
  await expect(page.getByText('Saved on the server')).toBeVisible();
  await context.close();
});

test('lengths survive a reload and can be taken back, and a forgotten activity asks when it ended', async ({
  browser,
  server,
}) => {
  const lea = await signUp(browser, server, 'Lea');
  const { page, context } = lea;
  await openPool(lea, server);
  await page.getByRole('button', { name: 'Start swimming' }).click();
  const add = page.getByRole('button', { name: 'Add a length' });
  for (let length = 0; length < 5; length += 1) await add.click();
  await expect(page.getByText('125 m')).toBeVisible();
  await page.getByRole('button', { name: 'Take one back' }).click();
  await expect(page.getByText('100 m', { exact: true })).toBeVisible();
  await expect.poll(() => savedLengths(page)).toEqual([4]);
  await page.reload();
  await expect(page.getByText('100 m', { exact: true })).toBeVisible();
  await expect(page.getByText(/per 100 m$/)).toBeVisible();

  await passTime(server, [lea], 5 * 60);
  await page.getByRole('button', { name: 'When did you stop?' }).click();
  await page.getByRole('button', { name: 'Finish at this time' }).click();
  await expect(page.getByText(/100 m$/).first()).toBeVisible();
  await expect(page.getByText(/1 hr 30 min/).first()).toBeVisible();
  await context.close();
});

test('the history shows every activity once, by month and by day, filtered, by keyboard, and without a network', async ({
  browser,
  server,
}) => {
  const hana = await signUp(browser, server, 'Hana', WITH_WORKER);
  const { page, context } = hana;
  // The pool's day, by which the server counts, is the phone's day too.
  await passNight(server, [hana]);
  await swim(server, hana, 45);
  const date = await repeatActivity(server, hana.name, 65);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My activities' })).toBeVisible();
  await lookAtScreen(page, 'history-list');
  await expect.poll(() => scrolledRows(page)).toBe(66);
  await page.getByRole('button', { name: 'Climbing' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Climbing' }).click();
  await page.getByRole('button', { name: 'Validated' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Validated' }).click();

  await page.getByText('Calendar').click();
  const day = page.locator(`[data-date="${date}"]`);
  await expect(day).toHaveAttribute('aria-label', /, 1 activity$/);
  await day.click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Previous month' }).click();
  const first = page.locator('[data-date$="-01"]');
  await expect(first).toHaveAttribute('aria-label', /, 1 activity$/);
  await first.click();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-date$="-02"]')).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.locator('[data-date$="-01"]')).toHaveAttribute('aria-pressed', 'false');
  await lookAtScreen(page, 'history-calendar');
  await rows(page).getByRole('link').click();
  await expect(page.getByRole('link', { name: 'Show my code' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My activities' })).toBeVisible();

  await waitForWorker(page);
  await context.setOffline(true);
  await page.goto('/activities');
  await expect(page.getByText("You're offline. These are the ones this phone keeps", { exact: false })).toBeVisible();
  await expect.poll(() => scrolledRows(page)).toBe(66);
  await context.close();
});

async function scrolledRows(page: Page): Promise<number> {
  await page.mouse.wheel(0, 10_000);
  return rows(page).count();
}

test('a correction drops the proof and its points, a deletion can be taken back for five seconds, and again here starts anew', async ({
  browser,
  server,
}) => {
  const eva = await signUp(browser, server, 'Eva');
  const ref = await signUp(browser, server, 'Rolf');
  const { page, context } = eva;
  await swim(server, eva, 45);
  const address = new URL(page.url()).pathname;
  await grantReferee(server, ref);
  const celebration = Promise.withResolvers<void>();
  await page.route(/\/assets\/BadgeNews/, async (route) => {
    await celebration.promise;
    await route.continue();
  });
  await page.goto(address);
  await page.getByRole('link', { name: 'Show my code' }).click();
  await typeDigits(ref, eva);
  await ref.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  celebration.resolve();
  await expect(page.getByRole('heading', { name: '2 new badges!' })).toBeVisible();
  await page.goto(address);
  await expect(page.getByText('Confirmation by Rolf, referee')).toBeVisible();
  await page.getByText('How the points came about').click();
  await expect(page.getByText(/^\+(331|338)$/)).toBeVisible();

  await lookAtScreen(page, 'activity-validated');
  await page.getByRole('button', { name: 'Correct' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('It will need a new proof')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Save the correction' })).toBeDisabled();
  await look(page, 'activity-correct');
  await sheet.getByLabel('Distance in metres').fill('2000');
  await sheet.getByRole('button', { name: 'Save the correction' }).click();
  await expect(page.getByRole('heading', { name: 'Corrected', exact: true })).toBeVisible();
  await expect(page.getByText('The server has it.')).toBeVisible();
  await expect(page.getByText('points waiting')).toBeVisible();
  await expect(page.getByText('2,000 m').first()).toBeVisible();
  await expect(page.getByText(/^-(331|338)$/)).toBeVisible();

  // Where the mouse stands on it a toast stays, and this one lies over the button.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('heading', { name: 'Corrected', exact: true })).toHaveCount(0);
  // Of the five seconds some milliseconds pass with each look, however slow the screen is.
  await stopTime(eva);
  await page.getByRole('button', { name: 'Delete' }).click();
  const nothing = page.getByRole('heading', { name: 'Nothing here yet' });
  await expect.poll(() => context.clock.runFor(50).then(() => nothing.isVisible())).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await context.clock.resume();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link').click();
  await page.getByRole('button', { name: 'Again here' }).click();
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible();
  await page.mouse.move(0, 0);
  await page.goto(address);
  await page.getByRole('button', { name: 'Delete' }).click();
  await context.clock.fastForward(6_000);
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Activity not found' })).toBeVisible();
  for (const athlete of [eva, ref]) await athlete.context.close();
});

test("a referee's no comes with its reason, and one tap asks another referee", async ({ browser, server }) => {
  const ida = await signUp(browser, server, 'Ida');
  const ref = await signUp(browser, server, 'Rita');
  const { page } = ida;
  await swim(server, ida, 45);
  const address = new URL(page.url()).pathname;
  await grantReferee(server, ref);
  await page.goto(address);
  await page.getByRole('link', { name: 'Show my code' }).click();
  await typeDigits(ref, ida);
  await ref.page.getByRole('button', { name: 'Reject' }).click();
  await ref.page.getByRole('textbox').fill('You were in the cafeteria');
  await ref.page.getByRole('button', { name: 'Reject' }).click();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Do you see it differently?' })).toBeVisible();
  await expect(page.getByText('“You were in the cafeteria”').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Correct' })).toHaveCount(0);
  await lookAtScreen(page, 'activity-rejected');
  await page.getByRole('button', { name: 'Ask another referee' }).click();
  await expect(page.getByText('Asked. Show your code to another referee.')).toBeVisible();
  await expect(page.getByText('The server has it.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show my code' })).toBeVisible();
  for (const { context } of [ida, ref]) await context.close();
});

test('two phones that ran at the same time: the later one offers the time that is free', async ({
  browser,
  server,
}) => {
  const tess = await signUp(browser, server, 'Tess', WITH_WORKER);
  const other = await signInElsewhere(browser, server, tess);
  await postponeWelcome(other.page);
  await other.context.clock.install({ time: server.now() });
  await openPool(tess, server);
  await waitForWorker(tess.page);
  await tess.context.setOffline(true);
  await tess.page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(chip(tess.page, /^1 pending/)).toBeVisible();
  await passTime(server, [tess], 30);
  await swim(server, other, 20);
  await passTime(server, [tess], 20);
  await tess.page.getByRole('button', { name: 'Finish' }).click();
  await tess.context.setOffline(false);
  await tess.context.clock.fastForward(7_000);
  await tess.page.getByRole('button', { name: 'Correct the time' }).click();
  await tess.page.getByRole('button', { name: 'Save with this time' }).click();
  await expect(tess.page.getByText('The server has it.')).toBeVisible();
  // From her start to the other's: the journey itself takes some of it.
  await expect(tess.page.getByText(/^(29|30|31) mins?/).first()).toBeVisible();
  for (const { context } of [tess, other]) await context.close();
});
