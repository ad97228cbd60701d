import { expect } from '@playwright/test';
import { launchWithCamera } from './browser/camera.ts';
import { test } from './browser/fixtures.ts';
import { findCenterId, passTime, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { actAtKiosk, expectCode, findToken, openKiosk, passTimeAt } from './people/kiosk.ts';
import { POOL } from './people/swimming.ts';

const DAY_MIN = 24 * 60;

test('without network a kiosk works for seven days, also after a reload, and its codes are good; revoked, it keeps nothing', async ({
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
  await actAtKiosk(camera, cleo, kiosk, 'Start swimming');
  await expect(cleo.page.getByText('Saved on the server')).toBeVisible();

  await passTime(server, [cleo, kiosk], 2 * DAY_MIN);
  await expect(kiosk.page.getByRole('alert')).toContainText('No codes without a connection');
  await expect(kiosk.page.getByText('Codes go on until')).toHaveCount(0);
  await kiosk.context.setOffline(false);
  await expectCode(kiosk);

  expect(await findToken(kiosk)).toEqual(['database sendlap-kiosk, store facts']);
  await server.sendlap('kiosks', 'revoke', '--center', center_id);
  await kiosk.context.clock.fastForward(61_000);
  await expect(kiosk.page.getByRole('alert')).toContainText('no longer a kiosk');
  await kiosk.page.reload();
  await expect(kiosk.page.getByRole('textbox', { name: 'One-time code' })).toBeVisible();
  expect(await findToken(kiosk)).toEqual([]);
  for (const { context } of [cleo, kiosk]) await context.close();
});
