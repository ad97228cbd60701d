import { expect } from '@playwright/test';
import { findCenterId, passNight, passTime, signUp, WITH_WORKER, waitForWorker } from './athlete.ts';
import { launchWithCamera } from './camera.ts';
import { test } from './fixtures.ts';
import { expectCode, findToken, inviteKiosk, openKiosk, openTablet, passTimeAt, scanKiosk } from './kiosk.ts';
import { LOOKS, lookAtScreen } from './look.ts';
import { POINTS_OF_45_MIN, POOL } from './swimming.ts';
import { serveUpdatingWorker } from './updating-worker.ts';

const DAY_MIN = 24 * 60;

test('a code that is wrong, used or offline pairs nothing, and neither does a tablet on which somebody is signed in', async ({
  browser,
  server,
}) => {
  const code = await inviteKiosk(server, await findCenterId(server, POOL));
  const { page, context } = await openTablet(browser, server);
  const pair = async (text: string) => {
    await page.getByRole('textbox', { name: 'One-time code' }).fill(text);
    await page.getByRole('button', { name: 'Pair' }).click();
  };
  await pair('hello');
  await expect(page.getByRole('alert')).toContainText('does not look like a code');
  await pair('aaaa-bbbb-cccc');
  await expect(page.getByRole('alert')).toContainText('not valid any more');
  await context.setOffline(true);
  await pair(code);
  await expect(page.getByRole('alert')).toContainText('Pairing needs a connection');
  await context.setOffline(false);
  await pair(code);
  await expectCode({ page, context });

  const other = await openTablet(browser, server);
  await other.page.goto(`/kiosk#${code}`);
  await expect(other.page.getByRole('alert')).toContainText('used already');
  expect(other.page.url()).not.toContain(code);

  const ada = await signUp(browser, server, 'Ada');
  await ada.page.goto('/kiosk');
  await expect(ada.page.getByRole('alert')).toContainText('Somebody is signed in');
  await expect(ada.page.getByRole('textbox')).toHaveCount(0);
  await ada.page.getByRole('link', { name: 'To the sign-out' }).click();
  await expect(ada.page).toHaveURL(/\/profile$/);
  for (const each of [ada, { context }, other]) await each.context.close();
});

test('un-paired on the tablet itself, it forgets its keys at once', async ({ browser, server }) => {
  const kiosk = await openKiosk(browser, server, await findCenterId(server, POOL));
  const { page, context } = kiosk;
  expect(await findToken(kiosk)).not.toEqual([]);
  await page.getByRole('link', { name: 'Set up this tablet' }).click();
  await expect(page.getByText('Right', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Un-pair this tablet' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Un-pair this tablet' }).click();
  await page.getByRole('button', { name: 'Yes, un-pair' }).click();
  await expect(page.getByRole('textbox', { name: 'One-time code' })).toBeVisible();
  expect(await findToken(kiosk)).toEqual([]);
  await context.close();
});

for (const [language, theme] of LOOKS) {
  test(`no screen of a kiosk has a barrier that axe knows, in ${language} and ${theme}`, async ({
    browser,
    server,
  }) => {
    const options = { colorScheme: theme, locale: language };
    const visitor = await openTablet(browser, server, options);
    await lookAtScreen(visitor.page, `kiosk-pairing-${language}-${theme}`);
    const { page, context } = await openKiosk(browser, server, await findCenterId(server, POOL), options);
    await lookAtScreen(page, `kiosk-${language}-${theme}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await lookAtScreen(page, `kiosk-small-${language}-${theme}`);
    await page.goto('/kiosk/set-up');
    await lookAtScreen(page, `kiosk-set-up-${language}-${theme}`);
    for (const each of [visitor, { context }]) await each.context.close();
  });
}

test('a kiosk looks for a new version by itself and loads it without asking once nobody is there', async ({
  browser,
  server,
}) => {
  const app = await serveUpdatingWorker(server);
  const context = await browser.newContext({ baseURL: app.url, ...WITH_WORKER });
  await context.clock.install({ time: server.now() });
  const page = await context.newPage();
  await page.goto('/kiosk/set-up');
  await waitForWorker(page);
  app.publish();
  await context.clock.fastForward(61 * 60_000);
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null))
    .toBe(true);
  const loaded = page.waitForEvent('load');
  await context.clock.fastForward(61_000);
  await loaded;
  await expect(page.getByRole('heading', { name: 'Set up this tablet' })).toBeVisible();
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null))
    .toBeNull();
  await context.close();
  await app.close();
});

test("an athlete scans the kiosk's code at start and finish: the venue confirms it, and the board in the room moves", async ({
  browser,
  server,
  launch,
}) => {
  await passNight(server, []);
  const camera = await launchWithCamera(launch);
  const bea = await signUp(camera.browser, server, 'Bea', { permissions: ['camera'] });
  const kiosk = await openKiosk(browser, server, await findCenterId(server, POOL));
  await expect(kiosk.page.getByRole('heading', { level: 1 })).toHaveText(POOL);
  await expect(kiosk.page.getByText('Be the first!')).toBeVisible();

  await scanKiosk(camera, bea, kiosk);
  await bea.page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(bea.page.getByText('Saved on the server')).toBeVisible();
  await passTimeAt([kiosk], server, [bea], 45);
  await scanKiosk(camera, bea, kiosk);
  await bea.page.getByRole('button', { name: 'Finish' }).click();
  await expect(bea.page).toHaveURL(/\/activities\//);
  // A code that comes a minute late proves nothing, and the tablet asks for the board once a minute.
  await expect(bea.page.getByText("Confirmed by the center's kiosk.")).toBeVisible();

  await passTimeAt([kiosk], server, [bea], 1);
  const board = kiosk.page.getByRole('list', { name: "This week's board" });
  await expect(board.getByText('Bea')).toBeVisible();
  await expect(board.getByText(POINTS_OF_45_MIN)).toBeVisible();
  for (const { context } of [bea, kiosk]) await context.close();
});

test('without network a kiosk goes on for seven days, also after a reload, and its codes are good; revoked, it keeps nothing', async ({
  browser,
  ownServer: server,
  launch,
}) => {
  const camera = await launchWithCamera(launch);
  const cleo = await signUp(camera.browser, server, 'Cleo', { permissions: ['camera'] });
  const center_id = await findCenterId(server, POOL);
  const kiosk = await openKiosk(browser, server, center_id, WITH_WORKER);
  await waitForWorker(kiosk.page);

  await kiosk.context.setOffline(true);
  await passTimeAt([kiosk], server, [cleo], 6 * DAY_MIN);
  await kiosk.page.reload();
  await expectCode(kiosk);
  await expect(kiosk.page.getByText('No connection. Codes go on until')).toBeVisible();
  await scanKiosk(camera, cleo, kiosk);
  await cleo.page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(cleo.page.getByText('Saved on the server')).toBeVisible();

  await passTime(server, [cleo], 2 * DAY_MIN);
  await kiosk.context.clock.fastForward(2 * DAY_MIN * 60_000);
  await expect(kiosk.page.getByRole('alert')).toContainText('No codes without a connection');
  await kiosk.context.setOffline(false);
  await expectCode(kiosk);

  expect(await findToken(kiosk)).toEqual(['database sendlap-kiosk, store facts']);
  await server.sendlap('kiosks', 'revoke', '--center', center_id);
  await kiosk.context.clock.fastForward(61_000);
  await expect(kiosk.page.getByRole('alert')).toContainText('not a kiosk any more');
  await kiosk.page.reload();
  await expect(kiosk.page.getByRole('textbox', { name: 'One-time code' })).toBeVisible();
  expect(await findToken(kiosk)).toEqual([]);
  for (const { context } of [cleo, kiosk]) await context.close();
});
