import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { openApp, type Tab, useApp, waitForState, waitUntilQuiet, watchTab } from '../browser/tab.ts';
import { signUp } from '../people/athlete.ts';
import type { ForwardProxy } from '../server/forward-proxy.ts';
import type { Server } from '../server/server.ts';

/** A token lives for 10 minutes. */
const STALE_AFTER_MS = 15 * 60_000;

/** The states of the tabs after a round. */
export interface RoundOutcome {
  logged_out: number;
  /** Tabs neither signed in nor out at the timeout. */
  stuck: number;
}

export interface TabGroup {
  context: BrowserContext;
  /**
   * 15 minutes pass for all tabs and the server, all tabs are used at once, and each must get an answer as the
   * signed-in user.
   */
  refreshAtOnce(): Promise<RoundOutcome>;
  /** As `refreshAtOnce`, but reloads all tabs: the token was only in memory. */
  reloadAtOnce(): Promise<RoundOutcome>;
  /** Opens the app again in every signed-out tab. Returns false if that does not sign all of them in again. */
  recover(): Promise<boolean>;
}

interface TabGroupOptions {
  browser: Browser;
  server: Server;
  proxy: ForwardProxy;
  count: number;
  /** Whether the tabs have Web Locks and BroadcastChannel; without them each tab is isolated. */
  locks: boolean;
}

/** For programs outside Playwright's test runner. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** Opens a browser with so many tabs of the app, signed in by one real sign-up. */
export async function openTabGroup({ browser, server, proxy, count, locks }: TabGroupOptions): Promise<TabGroup> {
  const { context, page: first } = await signUp(browser, server, 'Tabs', { proxy: { server: proxy.address } });
  if (!locks) await context.addInitScript(forgetLocks);
  const pages = [first];
  while (pages.length < count) pages.push(await context.newPage());
  const tabs = pages.map(watchTab);
  for (const tab of tabs) {
    const state = await openApp(tab, server.url);
    if (state !== 'signed_in') throw new Error(`a new tab is ${state}`);
  }
  await waitUntilQuiet(tabs);

  async function playRound(begin: (tab: Tab) => Promise<void>): Promise<RoundOutcome> {
    await server.passTime(STALE_AFTER_MS);
    await context.clock.fastForward(STALE_AFTER_MS);
    const states = await Promise.all(tabs.map((tab) => begin(tab).then(() => waitForState(tab))));
    // A tab's second refresh can fail too. The next 15 minutes pass in a moment, so a call in flight would arrive with
    // a token that has expired by then.
    await waitUntilQuiet(tabs);
    return {
      logged_out: tabs.filter((tab) => tab.isLoggedOut()).length,
      stuck: states.filter((state) => state === 'stuck').length,
    };
  }

  return {
    context,
    refreshAtOnce: () =>
      playRound((tab) => {
        tab.startRound();
        return useApp(tab);
      }),
    reloadAtOnce: () =>
      playRound(async (tab) => {
        await tab.page.reload({ waitUntil: 'commit' });
        tab.startRound();
      }),
    async recover() {
      const states = [];
      for (const tab of tabs) if (tab.isLoggedOut()) states.push(await openApp(tab, server.url));
      await waitUntilQuiet(tabs);
      return states.every((state) => state === 'signed_in');
    },
  };
}

/** Runs in the page before the app. */
function forgetLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined });
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
}
