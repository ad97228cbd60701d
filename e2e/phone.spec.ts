import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { listInstallProblems, openProfile } from './browser/install.ts';
import { trustSwitch } from './browser/trust.ts';
import { WITH_WORKER, waitForWorker } from './people/athlete.ts';

test('the guide of npm start -- --phone notices that the device trusts the server, and opens the app, which then starts without signal; before that it says what to do', async ({
  launch,
  startWhole,
}) => {
  const server = await startWhole({ is_for_phones: true });
  const guide_url = server.url.replace('https:', 'http:');
  try {
    const stranger = await (await launch()).newPage();
    await stranger.goto(guide_url);
    await expect(stranger.getByText('This device does not trust the server yet.')).toBeVisible();
    await expect(stranger.getByRole('link', { name: 'Download the certificate' })).toBeVisible();
    await expect(stranger.goto(server.url)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');

    const context = await openProfile([await trustSwitch(new URL(server.url))], WITH_WORKER);
    const page = await context.newPage();
    await page.goto(guide_url);
    await expect(page.getByText('This device trusts the server.')).toBeVisible();
    await page.getByRole('link', { name: 'Open Sendlap' }).click();
    await expect(page).toHaveURL(`${server.url}/login`);
    await waitForWorker(page);
    expect(await listInstallProblems(page)).toEqual([]);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await context.close();
  } finally {
    await server.remove();
  }
});
