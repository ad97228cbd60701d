import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { startLoneBrowser } from './browser/lone-browser.ts';
import { killAtStartUp, type Moment, signUpAlone } from './kills/killed-browser.ts';
import { findCenterId } from './people/athlete.ts';
import { finishAndShowCode, POOL, startSwimming } from './people/swimming.ts';
import { declineInstallAhead } from './people/welcome.ts';
import { startForwardProxy } from './server/forward-proxy.ts';
import type { Server } from './server/server.ts';

const SYNC_PATH = '/v1/activities/sync';
const MOMENTS: Moment[] = ['lost', 'unanswered', 'relayed'];

/** Reads the server's data of the one athlete: states of the activities, and kinds of the ops, with duplicates. */
async function readSteps(server: Server): Promise<{ activities: string[]; steps: string[] }> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const activities = await database.selectFrom('activities').select('status').execute();
    const steps = await database.selectFrom('activity_ops').select('kind').orderBy('kind').execute();
    return { activities: activities.map(({ status }) => status), steps: steps.map(({ kind }) => kind) };
  } finally {
    await operator.close();
  }
}

test('a browser is killed whenever it syncs, before, during and after it: every saved step arrives, and arrives once', async ({
  server,
}) => {
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  const start = async () => {
    const browser = await startLoneBrowser(profile_dir, proxy.address);
    await browser.page.setViewportSize({ width: 390, height: 844 });
    await declineInstallAhead(browser.page.context());
    return browser;
  };
  let browser = await start();
  const restart = async () => {
    browser = await start();
    return browser;
  };
  try {
    await signUpAlone(browser, server);
    // Chromium writes its cookies late; after this close, the killed browser is still signed in.
    await browser.close();
    browser = await start();
    proxy.follow(({ path }) => (path === SYNC_PATH ? 'lost' : 'pass'));
    await browser.page.goto(`${server.url}/sport-centers/${await findCenterId(server, POOL)}`);
    await startSwimming(browser);
    await finishAndShowCode(browser);
    await browser.kill();
    expect(await readSteps(server)).toEqual({ activities: [], steps: [] });

    for (const moment of MOMENTS) {
      await killAtStartUp(restart, { server, proxy, moment, path: SYNC_PATH });
    }
    browser = await start();
    await browser.page.goto(`${server.url}/dashboard`);
    await expect(browser.page.getByText('Not yet confirmed')).toBeVisible();
    await expect(browser.page.getByText(/pending|Sync failed/)).toHaveCount(0);
    expect(await readSteps(server)).toEqual({ activities: ['finished'], steps: ['finish', 'start'] });
  } finally {
    await browser.kill();
    await proxy.close();
    // Killed child processes may still be writing there.
    await rm(profile_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
});
