import type { BrowserContext, Page } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { blockCamera } from '../browser/camera.ts';

/**
 * `unreached`: the server fails, and the screen goes on with what the device has. `refused`: by the server or by the
 * browser.
 */
export type State = 'loading' | 'error' | 'unreached' | 'offline' | 'refused';

interface StatefulScreen {
  path: string;
  /** The states in which the screen must be seen. */
  states: readonly State[];
}

const ONLINE: readonly State[] = ['loading', 'error'];
/** Of a screen that works without the server. */
const OWN: readonly State[] = ['loading', 'unreached', 'offline'];
const ALL: readonly State[] = [...ONLINE, 'offline'];
/** Of a screen that not everybody may open. */
const GUARDED: readonly State[] = [...ONLINE, 'refused'];

/** Returns every screen that waits for the server, the network or a permission, by the name of its pictures. */
export function listScreens(center_id: string, activity_id: string): Record<string, StatefulScreen> {
  const center = `/sport-centers/${center_id}`;
  return {
    dashboard: { path: '/dashboard', states: OWN },
    centers: { path: '/sport-centers', states: ALL },
    center: { path: center, states: ALL },
    activity: { path: `/activities/${activity_id}`, states: ALL },
    history: { path: '/activities', states: ALL },
    ranks: { path: '/leaderboards', states: ALL },
    badges: { path: '/badges', states: ALL },
    recap: { path: '/recap', states: ALL },
    friends: { path: '/friends', states: ALL },
    devices: { path: '/profile/devices', states: ALL },
    code: { path: `/qr/generate?activity=${activity_id}`, states: OWN },
    decisions: { path: '/qr/decisions', states: ALL },
    scan: { path: '/qr/scan', states: ['refused'] },
    // Known with the session, or needs nothing.
    profile: { path: '/profile', states: ['offline'] },
    account: { path: '/profile/account', states: ['offline'] },
    claim: { path: `${center}/claim`, states: ONLINE },
    manage: { path: `${center}/manage`, states: GUARDED },
    poster: { path: `${center}/poster`, states: GUARDED },
    claims: { path: '/manage/claims', states: GUARDED },
    server: { path: '/manage', states: GUARDED },
  };
}

/** Answered as ever: without a session every screen would be the sign-in page. */
const SESSION = /\/v1\/(auth|events)\b/;
const FAILURE = { success: false, error: { code: 'internal_error', message: 'Internal error' } };

/** From now on the pages of the context are in this state. Offline needs a worker that has stored the app. */
export async function bringAbout(context: BrowserContext, state: State): Promise<void> {
  if (state === 'offline') return context.setOffline(true);
  // The server itself refuses what an athlete may not do.
  if (state === 'refused') return void (await context.addInitScript(blockCamera));
  await context.route(/\/v1\//, async (route) => {
    if (SESSION.test(new URL(route.request().url()).pathname)) return route.fallback();
    // A request that waits for ever is loading.
    if (state !== 'loading') await route.fulfill({ status: 500, json: FAILURE });
  });
}

/** The app asks again a few times, later each time, before it gives up. Less than it gives a request. */
const AGAIN_MS = 2_000;
/** A failure that the test itself answers has arrived by then. */
const ANSWERED_MS = 50;
const PATIENCE_MS = 15_000;

/** Waits until the screen is in the state. Returns whether it ever was. Moves the clock of the page past its retries. */
export async function comesTo(page: Page, state: State, patience_ms = PATIENCE_MS): Promise<boolean> {
  const begun_at = Date.now();
  while (Date.now() - begun_at < patience_ms) {
    if (await page.evaluate(isIn, state)) return true;
    if (state === 'error' || state === 'unreached') await page.clock.fastForward(AGAIN_MS);
    await afterDelay(ANSWERED_MS);
  }
  return false;
}

/** Runs in the page. */
function isIn(state: State): boolean {
  const isShown = (selector: string) =>
    [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ visibilityProperty: true }));
  const text = document.body.innerText;
  if (!isShown('h1')) return false;
  if (state === 'loading') return isShown('main .anim-shimmer');
  if (state === 'error' || state === 'refused') return isShown('main [role=alert]');
  // It says so, loads nothing for ever, and shows no error.
  const says_so = (state === 'offline' ? /You're offline|[Ss]in conexión/ : /can't reach|No llegamos/).test(text);
  return says_so && !isShown('main .anim-shimmer') && !isShown('main [role=alert] h2');
}
