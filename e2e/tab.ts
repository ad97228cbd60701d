import type { Page, Request } from '@playwright/test';
import { pollUntil } from '../apps/api/test/delays.ts';

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
  let tried_at = Date.now();
  const ended = async () => {
    if (tab.isLoggedOut() || tab.wasServed()) return true;
    if (Date.now() - tried_at > TRY_AGAIN_MS) {
      tried_at = Date.now();
      await useApp(tab);
    }
    return false;
  };
  if (!(await pollUntil(ended, { patience_ms: PATIENCE_MS, interval_ms: LOOK_EVERY_MS }))) return 'stuck';
  return tab.isLoggedOut() ? 'logged_out' : 'signed_in';
}

/** Until no call of any tab is on its way, the streams apart. */
export async function waitUntilQuiet(tabs: Tab[]): Promise<void> {
  const isQuiet = () => !tabs.some((tab) => tab.isWaiting());
  if (!(await pollUntil(isQuiet, { patience_ms: PATIENCE_MS, interval_ms: LOOK_EVERY_MS })))
    throw new Error(`a call of a tab has had no answer for ${PATIENCE_MS} ms`);
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
