import { type Browser, expect } from '@playwright/test';
import { launchWithCamera } from './browser/camera.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, passTime, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { finishAndShowCode, grantReferee, openPool, openScanner, scan, startSwimming } from './people/swimming.ts';
import { look, lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

/** Signs up a referee of the pool whose phone knows of that right, and who has opened the scanner once. */
async function signUpReferee(browser: Browser, server: Server, name: string): Promise<Athlete> {
  const referee = await signUp(browser, server, name, { permissions: ['camera'], ...WITH_WORKER });
  await grantReferee(server, referee);
  await openScanner(referee.page);
  await expect(referee.page.getByRole('heading', { level: 1 })).toBeVisible();
  await waitForWorker(referee.page);
  return referee;
}

/** Signs up an athlete who swims at the pool, on a phone that needs no further network. */
async function signUpSwimmer(browser: Browser, server: Server, name: string): Promise<Athlete> {
  const athlete = await signUp(browser, server, name, WITH_WORKER);
  await openPool(athlete, server);
  await startSwimming(athlete);
  await waitForWorker(athlete.page);
  return athlete;
}

async function confirm({ page }: Athlete): Promise<void> {
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

async function reject({ page }: Athlete, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('textbox').fill(reason);
  await page.getByRole('button', { name: 'Reject' }).click();
}

/** Looks at the screens of an activity with a decision; at the start, the page shows its validation. */
async function lookAtValidated(athlete: Athlete, server: Server): Promise<void> {
  const { page } = athlete;
  await expect(page.getByText('Confirmation by Rex, referee')).toBeVisible();
  // The celebration ends before the first look, and is too old by then to be repeated on the next page.
  const celebration = page.getByRole('heading', { name: '2 new badges!' });
  await expect(celebration).toBeVisible();
  await passTime(server, [athlete], 2);
  await expect(celebration).toHaveCount(0);
  await lookAtScreen(page, 'activity-validated');
  await page.getByRole('button', { name: 'Correct' }).click();
  await expect(page.getByRole('dialog').getByText('It will need a new proof')).toBeVisible();
  await look(page, 'activity-correct');
  for (const view of ['list', 'calendar']) {
    await page.goto(`/activities?view=${view}`);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await lookAtScreen(page, `history-${view}`);
  }
}

const recorded = ({ page }: Athlete) => page.getByText('Recorded. It will be confirmed when you are back online');

// An athlete and a referee, both online or both offline, are journeys of main-job.spec.ts.
test('of two referees who decide differently the first to scan stands, whoever of them is online first', async ({
  browser,
  server,
  launch,
}) => {
  // One camera each: Chromium's fake camera keeps its picture as long as a page has it open.
  const [rex_camera, rita_camera] = [await launchWithCamera(launch), await launchWithCamera(launch)];
  const [rex, rita, cleo, dora] = await Promise.all([
    signUpReferee(rex_camera.browser, server, 'Rex'),
    signUpReferee(rita_camera.browser, server, 'Rita'),
    signUpSwimmer(browser, server, 'Cleo'),
    signUpSwimmer(browser, server, 'Dora'),
  ]);
  await passTime(server, [cleo, dora, rex, rita], 45);
  const offline = async (is_offline: boolean, ...referees: Athlete[]) => {
    for (const { context } of referees) await context.setOffline(is_offline);
  };
  const scanBoth = async (athlete: Athlete) => {
    await offline(true, rex, rita);
    await finishAndShowCode(athlete);
    await scan(rex_camera, rex, athlete);
    await confirm(rex);
    await expect(recorded(rex)).toBeVisible();
    await passTime(server, [cleo, dora, rex, rita], 1);
    await scan(rita_camera, rita, athlete);
    await reject(rita, 'Somebody else swam');
    await expect(rita.page.getByText('Recorded')).toBeVisible();
  };

  await scanBoth(cleo);
  await offline(false, rex);
  await expect(cleo.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await scanBoth(dora);
  await offline(false, rita);
  await expect(dora.page.getByRole('heading', { name: 'This activity was rejected' })).toBeVisible();
  await dora.page.getByRole('link', { name: 'See the activity' }).click();
  await expect(dora.page.getByRole('heading', { name: 'Do you see it differently?' })).toBeVisible();
  await lookAtScreen(dora.page, 'activity-rejected');
  await offline(false, rex);
  await lookAtValidated(dora, server);
  for (const { page } of [dora, cleo]) {
    await page.goto('/dashboard');
    await expect(page.getByText('Validated', { exact: true })).toBeVisible();
    await expect(page.getByText('Rejected', { exact: true })).toHaveCount(0);
  }
  for (const { context } of [cleo, dora, rex, rita]) await context.close();
});
