import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { signUp } from './athlete.ts';
import { launchOptions } from './fixtures.ts';
import type { ForwardProxy } from './forward-proxy.ts';
import type { Server } from './server.ts';
import { openApp, type Tab, useApp, waitForEnd, waitUntilQuiet, watchTab } from './tab.ts';

/** A token lives for 10 minutes. */
const STALE_AFTER_MS = 15 * 60_000;

/** How the tabs of a round came out. */
export interface RoundOutcome {
  logged_out: number;
  /** Neither signed in nor out when patience ended. */
  stuck: number;
}

export interface TabGroup {
  context: BrowserContext;
  /** Everybody's 15 minutes pass, all tabs are used at once, and each must get an answer as the signed-in user. */
  refreshAtOnce(): Promise<RoundOutcome>;
  /** The same by loading all tabs anew: the token was in memory only. */
  reloadAtOnce(): Promise<RoundOutcome>;
  /** Opens the app again in every tab that was logged out. False when that does not bring all of them back. */
  recover(): Promise<boolean>;
}

interface TabGroupOptions {
  browser: Browser;
  server: Server;
  proxy: ForwardProxy;
  count: number;
  /** Web Locks and BroadcastChannel; without them each tab is alone. */
  locks: boolean;
}

/** For programs that are no tests. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** A browser with so many tabs of the app, signed in by one real sign-up. */
export async function openTabGroup({ browser, server, proxy, count, locks }: TabGroupOptions): Promise<TabGroup> {
  const { context, page: first } = await signUp(browser, server, 'Tabs', { proxy: { server: proxy.address } });
  if (!locks) await context.addInitScript(forgetLocks);
  const pages = [first];
  while (pages.length < count) pages.push(await context.newPage());
  const tabs = pages.map(watchTab);
  for (const tab of tabs) {
    const end = await openApp(tab, server.url);
    if (end !== 'signed_in') throw new Error(`a new tab is ${end}`);
  }
  await waitUntilQuiet(tabs);

  async function playRound(begin: (tab: Tab) => Promise<void>): Promise<RoundOutcome> {
    await server.passTime(STALE_AFTER_MS);
    await context.clock.fastForward(STALE_AFTER_MS);
    const ends = await Promise.all(tabs.map((tab) => begin(tab).then(() => waitForEnd(tab))));
    // Also a second refresh of a tab may go wrong, and the next 15 minutes pass in a moment: what is on its way then
    // would arrive with a token that has expired meanwhile.
    await waitUntilQuiet(tabs);
    return {
      logged_out: tabs.filter((tab) => tab.isLoggedOut()).length,
      stuck: ends.filter((end) => end === 'stuck').length,
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
      const ends = [];
      for (const tab of tabs) if (tab.isLoggedOut()) ends.push(await openApp(tab, server.url));
      await waitUntilQuiet(tabs);
      return ends.every((end) => end === 'signed_in');
    },
  };
}

/** Runs in the page before the app. */
function forgetLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined });
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
}
