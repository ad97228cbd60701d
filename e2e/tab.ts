import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from '@playwright/test';

/** How long a tab may take to be well again; longer, and it counts as stuck. */
const PATIENCE_MS = 60_000;
/** Somebody whose screen shows nothing new tries again. */
const TRY_AGAIN_MS = 5_000;
const LOOK_EVERY_MS = 20;
/** The stream that never ends. */
const EVENTS_PATH = '/v1/events';

/** How a tab came out of what it met. `stuck`: neither signed in nor out when patience ended. */
export type TabEnd = 'signed_in' | 'logged_out' | 'stuck';

/** A tab of the app, seen from outside: by its address and by what the server answers it. */
export interface Tab {
  page: Page;
  /** Forgets what was asked before. */
  startRound(): void;
  /** Whether a call made in this round was answered as the signed-in user. */
  wasServed(): boolean;
  isLoggedOut(): boolean;
  /** Whether a call is on its way. */
  isWaiting(): boolean;
}

/** Watches a page from now on. */
export function watchTab(page: Page): Tab {
  let asked = new WeakSet<Request>();
  let served = false;
  const waiting = new Set<Request>();
  page.on('request', (request) => {
    asked.add(request);
    const path = pathOf(request.url());
    if (path.startsWith('/v1/') && path !== EVENTS_PATH) waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  page.on('response', (response) => {
    const request = response.request();
    if (response.ok() && asked.has(request) && request.headers().authorization) served = true;
  });
  return {
    page,
    startRound() {
      asked = new WeakSet();
      served = false;
    },
    wasServed: () => served,
    isLoggedOut: () => pathOf(page.url()) === '/login',
    isWaiting: () => waiting.size > 0,
  };
}

/** Waits for the first call of this round that the server answers, or for the sign-in screen. */
export async function waitForEnd(tab: Tab): Promise<TabEnd> {
  const begun_at = Date.now();
  let tried_at = begun_at;
  for (;;) {
    if (tab.isLoggedOut()) return 'logged_out';
    if (tab.wasServed()) return 'signed_in';
    const now = Date.now();
    if (now - begun_at > PATIENCE_MS) return 'stuck';
    if (now - tried_at > TRY_AGAIN_MS) {
      tried_at = now;
      await useApp(tab);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Until no call of any tab is on its way, the streams apart. */
export async function waitUntilQuiet(tabs: Tab[]): Promise<void> {
  while (tabs.some((tab) => tab.isWaiting())) await pause(LOOK_EVERY_MS);
}

/** Opens the app at `url` and gives how that came out. */
export async function openApp(tab: Tab, url: string): Promise<TabEnd> {
  tab.startRound();
  await tab.page.goto(`${url}/dashboard`, { waitUntil: 'commit' });
  return waitForEnd(tab);
}

/** Comes back to the tab: the app then asks anew for what is older than 5 minutes. */
export async function useApp({ page }: Tab): Promise<void> {
  // A tab that is just loading asks anyway.
  await page.evaluate(comeBack).catch(() => {});
}

function comeBack(): void {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
