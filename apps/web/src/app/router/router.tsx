import { CallbackPage } from '#web/features/auth/CallbackPage.tsx';
import { LoginPage } from '#web/features/auth/LoginPage.tsx';
import { RegisterPage } from '#web/features/auth/RegisterPage.tsx';
import type { Namespace } from '#web/shared/i18n/resources.ts';
import { PATHS } from '#web/shared/paths.ts';
import { eagerPage, lazyPage, type Page } from './page.ts';

/**
 * `anonymous`: for visitors; a signed-in user is sent home. `anyone`: needs no session. `signed-in`: a visitor is sent
 * to sign in and returns. `saved-offline`: the same, but an offline visitor may read the saved data.
 */
type RouteAccess = 'anonymous' | 'anyone' | 'signed-in' | 'saved-offline';

/** A list that stays beside the screen of one of its rows. */
export interface SideList {
  /** Of its own route. */
  path: string;
  page: Page;
  /** With nothing chosen the list fills the window, as it has more than rows: a map. */
  fills?: boolean;
}

export interface AppRoute {
  path: string;
  access: RouteAccess;
  page: Page;
  /** Shown beside the screen in a wide window; the list's own route has it too. */
  list?: SideList;
  /** Shown to a visitor in place of the sign-in page, which it leads to. */
  visitor_page?: Page;
  /** The visitor page is only for an address with a fragment. */
  needs_fragment?: boolean;
  /** Fills the screen without the navigation (camera, code). */
  bare?: boolean;
}

/** The page at `PATHS.kiosk` and below, which replaces the app. */
export const KIOSK_PAGE = lazyPage(() => import('../screens/KioskScreen.tsx').then((m) => m.KioskScreen), ['kiosk']);

/** A screen for signed-in users, loaded with its i18n namespaces. */
function signedInRoute(path: string, load: Parameters<typeof lazyPage>[0], namespaces: Namespace[]): AppRoute {
  return { path, access: 'signed-in', page: lazyPage(load, namespaces) };
}

const HISTORY: SideList = {
  path: PATHS.history,
  page: lazyPage(
    () => import('#web/features/activities/history/HistoryPage.tsx').then((m) => m.HistoryPage),
    ['activities', 'history'],
  ),
};

const CENTER_SEARCH: SideList = {
  path: PATHS.sportCenters,
  page: lazyPage(
    () => import('../screens/SportCentersScreen.tsx').then((m) => m.SportCentersScreen),
    ['sport-centers', 'center-search'],
  ),
  fills: true,
};

const SERVER_MANAGEMENT: Namespace[] = ['server-management', 'one-time-link'];
const loadServerManagement = () => import('#web/features/server-management/ServerManagementPage.tsx');

const PEOPLE: SideList = {
  path: PATHS.people,
  page: lazyPage(() => loadServerManagement().then((m) => m.PeopleList), SERVER_MANAGEMENT),
};

/** Every screen of the app. The first match wins. */
export const ROUTES: AppRoute[] = [
  { path: PATHS.login, access: 'anonymous', page: eagerPage(LoginPage) },
  { path: PATHS.register, access: 'anonymous', page: eagerPage(RegisterPage) },
  { path: PATHS.callback, access: 'anyone', page: eagerPage(CallbackPage) },
  signedInRoute(PATHS.dashboard, () => import('../screens/DashboardScreen.tsx').then((m) => m.DashboardScreen), [
    'dashboard',
    'activities',
    'leaderboards',
    'badges',
    'outbox',
    'qr',
    'tour',
  ]),
  {
    ...signedInRoute(
      PATHS.activity,
      () => import('#web/features/activities/ActivityPage.tsx').then((m) => m.ActivityPage),
      ['activities', 'outbox', 'history', 'proofs'],
    ),
    list: HISTORY,
  },
  { path: PATHS.history, access: 'signed-in', page: HISTORY.page, list: HISTORY },
  signedInRoute(
    PATHS.leaderboards,
    () => import('../screens/LeaderboardsScreen.tsx').then((m) => m.LeaderboardsScreen),
    ['leaderboards', 'activities'],
  ),
  signedInRoute(PATHS.badges, () => import('#web/features/badges/BadgesPage.tsx').then((m) => m.BadgesPage), [
    'badges',
  ]),
  signedInRoute(PATHS.recap, () => import('#web/features/dashboard/recap/RecapPage.tsx').then((m) => m.RecapPage), [
    'dashboard',
  ]),
  {
    ...signedInRoute(PATHS.generate, () => import('../screens/GenerateScreen.tsx').then((m) => m.GenerateScreen), [
      'qr',
      'proofs',
      'history',
    ]),
    bare: true,
  },
  { path: PATHS.sportCenters, access: 'saved-offline', page: CENTER_SEARCH.page, list: CENTER_SEARCH },
  {
    ...signedInRoute(
      PATHS.sportCenter,
      () => import('../screens/SportCenterScreen.tsx').then((m) => m.SportCenterScreen),
      ['sport-centers', 'activities', 'outbox', 'leaderboards', 'locations', 'proofs'],
    ),
    access: 'saved-offline',
    list: CENTER_SEARCH,
  },
  signedInRoute(
    PATHS.centerManagement,
    () => import('#web/features/center-management/CenterManagementPage.tsx').then((m) => m.CenterManagementPage),
    ['center-management', 'one-time-link'],
  ),
  {
    ...signedInRoute(PATHS.centerClaim, () => import('#web/features/claims/ClaimPage.tsx').then((m) => m.ClaimPage), [
      'claims',
    ]),
    visitor_page: lazyPage(
      () => import('../screens/ClaimVisitorScreen.tsx').then((m) => m.ClaimVisitorScreen),
      ['claims', 'auth'],
    ),
  },
  signedInRoute(
    PATHS.centerPoster,
    () => import('#web/features/claims/poster/PosterPage.tsx').then((m) => m.PosterPage),
    ['claims'],
  ),
  signedInRoute(PATHS.claims, () => import('#web/features/claims/ClaimsPage.tsx').then((m) => m.ClaimsPage), [
    'claims',
  ]),
  {
    ...signedInRoute(PATHS.scan, () => import('../screens/ScanScreen.tsx').then((m) => m.ScanScreen), ['qr', 'outbox']),
    bare: true,
  },
  signedInRoute(
    PATHS.decisions,
    () => import('#web/features/qr/decisions/DecisionsPage.tsx').then((m) => m.DecisionsPage),
    ['qr', 'outbox'],
  ),
  signedInRoute(PATHS.profile, () => import('../screens/ProfileScreen.tsx').then((m) => m.ProfileScreen), [
    'users',
    'history',
    'friends',
  ]),
  signedInRoute(PATHS.friends, () => import('../screens/FriendsScreen.tsx').then((m) => m.FriendsScreen), ['friends']),
  signedInRoute(PATHS.devices, () => import('#web/features/users/DevicesPage.tsx').then((m) => m.DevicesPage), [
    'users',
  ]),
  signedInRoute(PATHS.account, () => import('#web/features/users/AccountPage.tsx').then((m) => m.AccountPage), [
    'users',
  ]),
  {
    ...signedInRoute(PATHS.setup, () => import('../screens/SetupScreen.tsx').then((m) => m.SetupScreen), ['setup']),
    needs_fragment: true,
    visitor_page: lazyPage(
      () => import('../screens/SetupVisitorScreen.tsx').then((m) => m.SetupVisitorScreen),
      ['setup', 'auth'],
    ),
  },
  { path: PATHS.people, access: 'signed-in', page: PEOPLE.page, list: PEOPLE },
  {
    ...signedInRoute(PATHS.person, () => loadServerManagement().then((m) => m.ServerManagementPage), SERVER_MANAGEMENT),
    list: PEOPLE,
  },
  signedInRoute(
    `${PATHS.serverManagement}/*?`,
    () => loadServerManagement().then((m) => m.ServerManagementPage),
    SERVER_MANAGEMENT,
  ),
  {
    path: PATHS.about,
    access: 'anyone',
    page: lazyPage(() => import('#web/features/about/AboutPage.tsx').then((m) => m.AboutPage), ['about']),
  },
];
