import type { Page, Request } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';

/** How long a tab may take to recover; after that it counts as stuck. */
const PATIENCE_MS = 60_000;
/** A user retries after this long if the screen shows nothing new. */
const TRY_AGAIN_MS = 5_000;
const LOOK_EVERY_MS = 20;
/** The live stream, which never ends. */
const EVENTS_PATH = '/v1/events';

/** The state of a tab after a fault. `stuck`: neither signed in nor out at the timeout. */
export type TabState = 'signed_in' | 'logged_out' | 'stuck';

/** A tab of the app, seen from outside: by its address and by the server's answers to it. */
export interface Tab {
  page: Page;
  /** Forgets earlier calls. */
  startRound(): void;
  /** Returns whether a call made in this round was answered as the signed-in user. */
  wasServed(): boolean;
  isLoggedOut(): boolean;
  /** Returns whether a call is in flight. */
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
export async function waitForState(tab: Tab): Promise<TabState> {
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

/** Waits until no call of any tab is in flight, except the streams. */
export async function waitUntilQuiet(tabs: Tab[]): Promise<void> {
  const isQuiet = () => !tabs.some((tab) => tab.isWaiting());
  if (!(await pollUntil(isQuiet, { patience_ms: PATIENCE_MS, interval_ms: LOOK_EVERY_MS })))
    throw new Error(`a call of a tab has had no answer for ${PATIENCE_MS} ms`);
}

/** Opens the app at `url` and returns the tab's state. */
export async function openApp(tab: Tab, url: string): Promise<TabState> {
  tab.startRound();
  await tab.page.goto(`${url}/dashboard`, { waitUntil: 'commit' });
  return waitForState(tab);
}

/** Brings the tab back to the front: the app then reloads data older than 5 minutes. */
export async function useApp({ page }: Tab): Promise<void> {
  // A loading tab sends its requests anyway.
  await page.evaluate(comeBack).catch(() => {});
}

function comeBack(): void {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
