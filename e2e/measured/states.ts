import type { BrowserContext, Page } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { blockCamera } from '../browser/camera.ts';
import { chatButton } from '../screens/chat-page.ts';
import type { StaffScene } from './staff-screens.ts';

/**
 * `unreached`: the server fails, and the screen goes on with what the device has. `refused`: by the server or by the
 * browser.
 */
export type State = 'loading' | 'error' | 'unreached' | 'offline' | 'refused';

/** `staff`: an operator who manages the center. `tablet`: its paired kiosk. */
export type Viewer = 'visitor' | 'athlete' | 'staff' | 'tablet';

export interface StatefulScreen {
  path: string;
  /** The states in which the screen must be seen; none if it needs neither the server nor a permission. */
  states: readonly State[];
  /** An athlete by default. A screen of the staff is refused to an athlete. */
  viewer?: Viewer;
  /** What opens the part of the screen that has the states. */
  open?: (page: Page) => Promise<void>;
  /** Selector of that part: `main` by default. */
  part?: string;
  /** What the screen says when it is refused or offline, if not what all others do. */
  says?: RegExp;
}

const ONLINE: readonly State[] = ['loading', 'error'];
/** Of a screen that works without the server. */
const OWN: readonly State[] = ['loading', 'unreached', 'offline'];
const ALL: readonly State[] = [...ONLINE, 'offline'];
/** Of a screen that not everybody may open. */
const GUARDED: readonly State[] = [...ALL, 'refused'];
/** A screen that leads on at once, or needs nothing that could fail. */
const NONE: readonly State[] = [];
/** A chat that the device has never seen. */
const UNKNOWN_CHAT = '00000000-0000-4000-8000-000000000000';

const openChats = (page: Page) => chatButton(page).click();
const pair = async (page: Page) => {
  await page.getByRole('textbox', { name: /One-time code|Código de un solo uso/ }).fill('ABCD-2345');
  await page.getByRole('button', { name: /^(Pair|Vincular)$/ }).click();
};

interface Ids extends Pick<StaffScene, 'center_id' | 'unclaimed_id' | 'referee_public_id'> {
  /** Of the athlete who looks. */
  activity_id: string;
}

/** The paths of the app, and the parts of a screen that load by themselves. */
type ScreenName = keyof typeof PATHS | 'chats' | 'chat' | 'pairing';

/** Returns every screen, by the name of its pictures. The check of types refuses a path that has no row here. */
export function listScreens({ center_id, unclaimed_id, referee_public_id, activity_id }: Ids) {
  const fill = (path: string, id: string) => path.replace(/:\w+/, id);
  const staff = (path: string) => ({ path, states: GUARDED, viewer: 'staff' as const });
  return {
    root: { path: PATHS.root, states: NONE },
    login: { path: PATHS.login, states: ['offline'], viewer: 'visitor' },
    register: { path: PATHS.register, states: ['offline'], viewer: 'visitor' },
    callback: { path: PATHS.callback, states: NONE },
    about: { path: PATHS.about, states: NONE },
    dashboard: { path: PATHS.dashboard, states: OWN },
    chats: { path: PATHS.dashboard, states: ALL, open: openChats, part: '[role=dialog]' },
    chat: { path: `${PATHS.dashboard}?chat=${UNKNOWN_CHAT}`, states: ALL, part: '[role=dialog]' },
    sportCenters: { path: PATHS.sportCenters, states: ALL },
    sportCenter: { path: fill(PATHS.sportCenter, center_id), states: ALL },
    history: { path: PATHS.history, states: ALL },
    activity: { path: fill(PATHS.activity, activity_id), states: ALL },
    leaderboards: { path: PATHS.leaderboards, states: ALL },
    badges: { path: PATHS.badges, states: ALL },
    recap: { path: PATHS.recap, states: ALL },
    friends: { path: PATHS.friends, states: ALL },
    devices: { path: PATHS.devices, states: ALL },
    generate: { path: `${PATHS.generate}?activity=${activity_id}`, states: OWN },
    decisions: { path: PATHS.decisions, states: ALL },
    scan: { path: PATHS.scan, states: ['refused'] },
    // Known with the session.
    profile: { path: PATHS.profile, states: ['offline'] },
    account: { path: PATHS.account, states: ['offline'] },
    centerClaim: { path: fill(PATHS.centerClaim, unclaimed_id), states: ALL },
    centerManagement: staff(fill(PATHS.centerManagement, center_id)),
    centerPoster: staff(fill(PATHS.centerPoster, center_id)),
    claims: staff(PATHS.claims),
    setup: { ...staff(PATHS.setup), says: /for the operator|Solo para quien administra|offline|[Ss]in conexión/ },
    serverManagement: staff(PATHS.serverManagement),
    people: staff(PATHS.people),
    person: staff(fill(PATHS.person, referee_public_id)),
    newPerson: staff(PATHS.newPerson),
    staffedCenters: staff(PATHS.staffedCenters),
    reports: staff(PATHS.reports),
    reviews: staff(PATHS.reviews),
    audit: staff(PATHS.audit),
    kiosk: {
      path: PATHS.kiosk,
      states: ['unreached', 'offline'],
      viewer: 'tablet',
      says: /No connection\. Codes go on|Sin conexión\. Hay códigos/,
    },
    pairing: {
      path: PATHS.kiosk,
      states: ['error', 'offline'],
      viewer: 'visitor',
      open: pair,
      says: /Pairing needs a connection|Para vincular hace falta conexión/,
    },
    kioskSetUp: { path: PATHS.kioskSetUp, states: NONE },
  } satisfies Record<ScreenName, StatefulScreen>;
}

/** Returns who sees the screen in this state. */
export function viewerIn(state: State, { viewer = 'athlete' }: StatefulScreen): Viewer {
  return state === 'refused' && viewer === 'staff' ? 'athlete' : viewer;
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
export async function comesTo(
  page: Page,
  state: State,
  { part = 'main', says }: Pick<StatefulScreen, 'part' | 'says'> = {},
  patience_ms = PATIENCE_MS,
): Promise<boolean> {
  const begun_at = Date.now();
  while (Date.now() - begun_at < patience_ms) {
    if (await page.evaluate(isIn, { state, part, says: (says ?? WORDS[state])?.source })) return true;
    if (state === 'error' || state === 'unreached') await page.clock.fastForward(AGAIN_MS);
    await afterDelay(ANSWERED_MS);
  }
  return false;
}

/** What a screen says in a state that has no look of its own. */
const WORDS: Partial<Record<State, RegExp>> = {
  offline: /You're offline|[Ss]in conexión/,
  unreached: /can't reach|No se puede conectar con el servidor/,
};

/** Runs in the page. */
function isIn({ state, part, says }: { state: State; part: string; says: string | undefined }): boolean {
  const isShown = (selector: string) =>
    [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ visibilityProperty: true }));
  if (!isShown('h1')) return false;
  if (state === 'loading') return isShown(`${part} .anim-shimmer`);
  if (state === 'error' || !says) return isShown(`${part} [role=alert]`);
  // It says so, loads nothing for ever, and shows no error.
  const says_so = new RegExp(says).test(document.body.innerText);
  return says_so && !isShown(`${part} .anim-shimmer`) && !isShown(`${part} [role=alert] h2`);
}
