import { expect, type Locator } from '@playwright/test';
import { launchWithCamera } from './browser/camera.ts';
import { countTaps } from './browser/count-taps.ts';
import { test } from './browser/fixtures.ts';
import { openCenter, passTime, signUp, signUpByHand, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import {
  countFinished,
  finishAndShowCode,
  grantReferee,
  openPool,
  openScanner,
  POINTS_OF_45_MIN,
  POOL,
  readValidations,
  scan,
  startSwimming,
  typeDigits,
} from './people/swimming.ts';
import { MADRID } from './screens/centers.ts';

/** As for real users: with all motion, and with the worker. */
const BY_HAND = { ...MADRID, ...WITH_WORKER, reducedMotion: 'no-preference' as const };

/** Waits until one element ends where the other begins, or before: neither covers the other. */
async function expectAbove(upper: Locator, lower: Locator): Promise<void> {
  const gap = async () => {
    const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
    return above && below ? below.y - above.y - above.height : Number.NEGATIVE_INFINITY;
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
}

test('two athletes swim at a real pool, a referee scans their codes, and both see the board change without a reload', async ({
  browser,
  server,
  launch,
}) => {
  const camera = await launchWithCamera(launch);
  const [ada, ben] = [
    await signUpByHand(browser, server, 'Ada', BY_HAND),
    await signUpByHand(browser, server, 'Ben', BY_HAND),
  ];
  const rex = await signUp(camera.browser, server, 'Rex', { permissions: ['camera'] });
  const everybody = [ada, ben, rex];
  for (const athlete of [ada, ben]) {
    await openCenter(athlete.page, POOL);
    if (athlete === ada) await grantReferee(server, rex);
    await startSwimming(athlete);
  }

  await ben.page.setViewportSize({ width: 320, height: 568 });
  await expectAbove(
    ben.page.getByRole('button', { name: 'Add a length' }),
    ben.page.getByRole('button', { name: 'Pause' }),
  );
  await ben.page.setViewportSize({ width: 390, height: 844 });

  const finish = ada.page.getByRole('button', { name: 'Finish' });
  const mistake = ada.page.getByRole('button', { name: /^Started by mistake/ });
  await expect(mistake).toBeVisible();
  const finish_box = await finish.boundingBox();
  await passTime(server, everybody, 20);
  await expect(mistake).toBeHidden();
  expect(await finish.boundingBox(), 'Finish stays in its place').toEqual(finish_box);
  await finishAndShowCode(ben);
  await scan(camera, rex, ben);
  await rex.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(rex.page.getByText('Confirmed')).toBeVisible();
  await expect(ben.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await ben.page.getByRole('link', { name: 'See the activity' }).click();
  await ben.page.getByRole('link', { name: 'Ranks' }).click();
  const board = ben.page.getByRole('main');
  await expect(board.getByText('1st').first()).toBeVisible();
  await expect(board.getByText('2nd')).toHaveCount(0);

  await passTime(server, everybody, 25);
  await finishAndShowCode(ada);
  await scan(camera, rex, ada);
  await rex.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(rex.page.getByText('Confirmed')).toBeVisible();
  await expect(ada.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await expect(board.getByText('2nd').first()).toBeVisible();
  await expect(board.getByText('Ada').first()).toBeVisible();
  await expect(board.getByText(POINTS_OF_45_MIN).first()).toBeVisible();

  await ada.page.getByRole('link', { name: 'See the activity' }).click();
  await expect(ada.page.getByText('Confirmed').first()).toBeVisible();
  await ada.page.getByText('How was this computed?').click();
  await expect(ada.page.getByText(/^Rule met-2/)).toBeVisible();

  // The next time, each part of the main job takes two taps at most.
  const [taps, referee_taps] = [await countTaps(ada.context), await countTaps(rex.context)];
  await ada.page.goto('/dashboard');
  await ada.page.getByRole('button', { name: `Start swimming ${POOL}` }).click();
  await expect(ada.page.getByRole('button', { name: 'Finish' })).toBeVisible();
  expect(taps.count).toBe(1);
  await passTime(server, everybody, 25);
  await finishAndShowCode(ada);
  expect(taps.count).toBe(3);
  await scan(camera, rex, ada);
  await rex.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(rex.page.getByText('Confirmed')).toBeVisible();
  expect(referee_taps.count).toBe(2);
  for (const { context } of everybody) await context.close();
});

test('with the network off on both phones, start, finish and scan are kept and joined later: one validation, right points', async ({
  browser,
  server,
  launch,
}) => {
  const camera = await launchWithCamera(launch);
  const before = await readValidations(server);
  const cleo = await signUp(browser, server, 'Cleo', WITH_WORKER);
  const rita = await signUp(camera.browser, server, 'Rita', { permissions: ['camera'], ...WITH_WORKER });
  const both = [cleo, rita];
  await openPool(cleo, server);
  await grantReferee(server, rita);
  // The right has to be on this device before the network goes.
  const rights_read = rita.page.waitForResponse(
    async (reply) => reply.url().endsWith('/v1/referees/me') && (await reply.finished()) === null,
  );
  await openScanner(rita.page);
  await expect(rita.page.getByRole('heading', { level: 1 })).toBeVisible();
  await rights_read;
  for (const { page, context } of both) {
    await waitForWorker(page);
    await context.setOffline(true);
  }

  await startSwimming(cleo);
  await passTime(server, both, 45);
  await cleo.page.reload();
  await finishAndShowCode(cleo);
  await scan(camera, rita, cleo);
  await rita.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(rita.page.getByText('Recorded. It will be confirmed when you are back online')).toBeVisible();

  await rita.context.setOffline(false);
  await expect(rita.page.getByText('when the athlete is back online')).toBeVisible();
  expect((await readValidations(server)).scans).toBe(before.scans);
  await cleo.context.setOffline(false);
  await expect(cleo.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await expect(cleo.page.getByText(/^\+(235|241)$/)).toBeVisible();

  const after = await readValidations(server);
  expect(after.scans).toBe(before.scans + 1);
  expect(after.booked.slice(before.booked.length)).toEqual([expect.any(Number)]);
  expect(String(after.booked.at(-1))).toMatch(POINTS_OF_45_MIN);
  for (const { context } of both) await context.close();
});

test('the server is killed after every step and no acknowledged work is missing, not even by typed digits', async ({
  browser,
  wholeServer: server,
}) => {
  const dora = await signUp(browser, server, 'Dora');
  const rolf = await signUp(browser, server, 'Rolf');
  const both = [dora, rolf];
  const killAndStart = async () => {
    await server.kill();
    await server.start();
  };
  await openPool(dora, server);
  await grantReferee(server, rolf);
  await startSwimming(dora);
  await expect(dora.page.getByText('Saved on the server')).toBeVisible();
  await killAndStart();
  await passTime(server, both, 45);
  await finishAndShowCode(dora);
  // The referee's digits are looked up on the server.
  await expect.poll(() => countFinished(server, dora)).toBe(1);
  await killAndStart();
  await typeDigits(rolf, dora);
  await rolf.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(rolf.page.getByText('Confirmed')).toBeVisible();
  await killAndStart();
  // The longer the server was down, the longer a phone waits before it retries.
  await passTime(server, both, 1);
  await expect(dora.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await dora.page.goto('/leaderboards');
  await expect(dora.page.getByRole('main').getByText(POINTS_OF_45_MIN).first()).toBeVisible();
  for (const { context } of both) await context.close();
});
