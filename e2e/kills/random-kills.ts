import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { type LoneBrowser, startLoneBrowser } from '../browser/lone-browser.ts';
import { openApp, type TabState, watchTab } from '../browser/tab.ts';
import { type Account, createAccount, openForm, submitForm } from '../people/visitor.ts';
import { startForwardProxy } from '../server/forward-proxy.ts';
import type { Server } from '../server/server.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** How long a phone is unused before its next start: within and beyond every grace period of the server. */
const AWAY_MS = [0, 20 * SECOND_MS, 65 * SECOND_MS, 11 * MINUTE_MS, 24 * 60 * MINUTE_MS];
/** A use ends before Chromium writes its cookies to disk, which takes up to 30 s. */
const LONGEST_USE_MS = 4 * SECOND_MS;
/** After so many kills the user signs in by hand, and the browser is killed within seconds of that. */
const SIGN_IN_EVERY = 20;

export interface KillOptions {
  kills: number;
  /** Starts its sessions with a key; otherwise without WebCrypto, so without one. */
  has_key: boolean;
}

/**
 * The life of one phone: a real Chromium on one profile is killed at random moments of its use and restarted, a moment
 * or a day later. Returns the app's state after each restart. A sign-out is followed by a sign-in, so that all kills
 * are made.
 */
export async function killAtRandom(server: Server, { kills, has_key }: KillOptions): Promise<TabState[]> {
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  const start = async () => {
    const browser = await startLoneBrowser(profile_dir, proxy.address);
    if (!has_key) await browser.page.addInitScript(removeWebCrypto);
    return browser;
  };
  const states: TabState[] = [];
  let browser = await start();
  try {
    const account = await createAccount(server, 'Phoenix');
    await signIn(browser.page, server, account);
    for (let kill = 1; kill <= kills; kill += 1) {
      await use(browser);
      await browser.kill();
      await server.passTime(AWAY_MS[Math.floor(Math.random() * AWAY_MS.length)] ?? 0);
      browser = await start();
      const state = await openApp(watchTab(browser.page), server.url);
      states.push(state);
      if (state === 'logged_out') await signIn(browser.page, server, account);
      else if (kill % SIGN_IN_EVERY === 0) browser = await signInAnew(browser, { server, account, start });
    }
    return states;
  } finally {
    await browser.kill();
    await proxy.close();
    await rm(profile_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

/** Loads the app up to three times, and stops in the middle of whatever it is doing. */
async function use({ page }: LoneBrowser): Promise<void> {
  const loads = Math.floor(Math.random() * 4);
  for (let load = 0; load < loads; load += 1) {
    page.reload({ waitUntil: 'commit' }).catch(() => {});
    await afterDelay((Math.random() * LONGEST_USE_MS) / Math.max(1, loads));
  }
}

interface SignInScene {
  server: Server;
  account: Account;
  start: () => Promise<LoneBrowser>;
}

/** Clears the profile's cookies, as "clear data" does, and signs the user in by hand. */
async function signInAnew(browser: LoneBrowser, { server, account, start }: SignInScene): Promise<LoneBrowser> {
  await browser.page.context().clearCookies();
  await browser.close();
  const next = await start();
  await signIn(next.page, server, account);
  return next;
}

async function signIn(page: Page, server: Server, account: Account): Promise<void> {
  await page.goto(`${server.url}/login`);
  await openForm(page);
  await submitForm(page, account);
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Runs in the page. */
export function removeWebCrypto(): void {
  Object.defineProperty(crypto, 'subtle', { value: undefined });
}
