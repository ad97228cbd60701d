import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { type LoneBrowser, startLoneBrowser } from '../browser/lone-browser.ts';
import { openApp, type TabState, watchTab } from '../browser/tab.ts';
import { signUpWithoutScreens } from '../people/athlete.ts';
import { answerAhead } from '../people/welcome.ts';
import { type ForwardProxy, startForwardProxy } from '../server/forward-proxy.ts';
import type { Server } from '../server/server.ts';

const REFRESH_PATH = '/v1/auth/refresh';
/** Within this time, the app begins to use the answer. */
const KILLED_WITHIN_MS = 300;
const DAY_MS = 86_400_000;

/**
 * `lost`: the request never left. `unanswered`: the server carried it out. `relayed`: a moment after its answer came.
 */
export type Moment = 'lost' | 'unanswered' | 'relayed';

/** When a browser is killed, and how long after that it is restarted. */
const KILLS: { moment: Moment; away_ms: number }[] = [
  { moment: 'lost', away_ms: DAY_MS },
  { moment: 'unanswered', away_ms: 0 },
  { moment: 'unanswered', away_ms: DAY_MS },
  // Chromium writes cookies to its disk within 30 s: after this kill, the browser presents the previous token.
  { moment: 'relayed', away_ms: 0 },
  { moment: 'relayed', away_ms: DAY_MS },
];

/**
 * Kills a browser at the refresh of its start-up and restarts it on the same profile, so many times for each kind of
 * kill. Returns the app's state after each; ends early at a sign-out.
 */
export async function restartKilledBrowser(server: Server, times: number): Promise<TabState[]> {
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  const states: TabState[] = [];
  let browser = await startLoneBrowser(profile_dir, proxy.address);
  const start = async () => {
    browser = await startLoneBrowser(profile_dir, proxy.address);
    return browser;
  };
  try {
    await signUpAlone(browser, server);
    for (const { moment, away_ms } of Array.from({ length: times }, () => KILLS).flat()) {
      await browser.close();
      await killAtStartUp(start, { server, proxy, moment, path: REFRESH_PATH });
      await server.passTime(away_ms);
      await start();
      states.push(await openApp(watchTab(browser.page), server.url));
      if (states.at(-1) !== 'signed_in') break;
    }
    return states;
  } finally {
    await browser.kill();
    await proxy.close();
    // Killed child processes may still be writing there.
    await rm(profile_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

/** Signs up a new user on this profile, who has declined the question of body data. */
export async function signUpAlone({ page }: LoneBrowser, server: Server): Promise<{ email: string }> {
  const { email, user_id } = await signUpWithoutScreens(page.context(), server, 'Phoenix');
  await answerAhead(page.context(), user_id);
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return { email };
}

interface Scene {
  server: Server;
  proxy: ForwardProxy;
  moment: Moment;
  /** Path of the request at which the browser is killed. */
  path: string;
}

/**
 * Starts a browser, opens the app in it, and kills it at the first request of this path. The page may not be the first
 * to send it: a browser that starts with a network wakes the worker.
 */
export async function killAtStartUp(
  start: () => Promise<LoneBrowser>,
  { server, proxy, moment, path }: Scene,
): Promise<void> {
  const started = Promise.withResolvers<LoneBrowser>();
  const killed = Promise.withResolvers<void>();
  const kill = async () => {
    proxy.follow(undefined);
    await (await started.promise).kill();
    killed.resolve();
  };
  const stop = proxy.onRelayed((relayed) => {
    if (relayed !== path) return;
    stop();
    if (moment === 'relayed')
      afterDelay(Math.random() * KILLED_WITHIN_MS)
        .then(kill)
        .catch(killed.reject);
  });
  proxy.follow(async ({ path: asked }) => {
    if (asked !== path || moment === 'relayed') return 'pass';
    await kill();
    return moment;
  });
  const browser = await start();
  started.resolve(browser);
  // The browser is killed before the page loads.
  browser.page.goto(`${server.url}/dashboard`).catch(() => {});
  await killed.promise;
}
