import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, expect } from '@playwright/test';
import { launchOptions, NO_MAP, test } from './browser/fixtures.ts';
import { fillStorage, giveRoom, isRefused, ROOM_BYTES, TOO_MANY_BYTES } from './browser/room.ts';
import { signUp, WITH_WORKER, WORKER_TIMEOUT_MS, waitForWorker } from './people/athlete.ts';
import { countFinished, openPool } from './people/swimming.ts';
import { emptyStore, MADRID } from './screens/centers.ts';
import type { Server } from './server/server.ts';

const PHONE = { ...MADRID, ...WITH_WORKER };
/** Less than the app itself takes. */
const TOO_FEW_BYTES = 3 * 1024 * 1024;

/** On a device without room for the app itself the athlete is told that it opens only with a network. */
async function expectNoInstall(browser: Browser, server: Server): Promise<void> {
  const { page, context } = await signUp(browser, server, 'Tight', PHONE, giveRoom(server, TOO_FEW_BYTES));
  const told = page.getByRole('region', { name: 'This device is full' });
  // Shown once the worker has fetched that much of the app.
  await expect(told).toContainText('it opens only with a network', { timeout: WORKER_TIMEOUT_MS });
  await told.getByRole('button', { name: 'Got it' }).click();
  await expect(told).toHaveCount(0);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active ?? null)).toBeNull();
  await context.close();
}

test('a device without room for the app says so; on one whose 5 MB are full of map an activity begins and ends without network and is sent later, whether or not a saved city needs the map', async ({
  browser,
  server,
}) => {
  await expectNoInstall(browser, server);
  const profiles: string[] = [];
  /** With a profile: a browser without one stores everything in memory, where deleted data keeps its room. */
  const newContext = async (options?: BrowserContextOptions) => {
    const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
    profiles.push(profile_dir);
    return chromium.launchPersistentContext(profile_dir, { ...launchOptions(NO_MAP), ...options });
  };
  for (const kind of ['loose', 'pinned'] as const) {
    const name = kind === 'loose' ? 'Loose' : 'Pinned';
    const athlete = await signUp({ newContext }, server, name, PHONE, giveRoom(server, ROOM_BYTES));
    const { page, context } = athlete;
    await waitForWorker(page);
    await openPool(athlete, server);
    // The reserve was used up before: only evicting the map can make room.
    if (kind === 'pinned') await emptyStore(page, 'ballast');
    // Without network first: a copy that arrives on a full device evicts the map.
    await context.setOffline(true);
    await page.evaluate(fillStorage, kind);
    expect(await page.evaluate(isRefused, TOO_MANY_BYTES)).toBe(true);
    await page.getByRole('button', { name: 'Start swimming' }).click();
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0);
    expect(await countFinished(server, athlete)).toBe(0);
    await context.setOffline(false);
    await expect.poll(() => countFinished(server, athlete)).toBe(1);
    await context.close();
  }
  for (const profile_dir of profiles) await rm(profile_dir, { recursive: true, force: true, maxRetries: 20 });
});
