import { CallbackPage } from '#web/features/auth/CallbackPage.tsx';
import { LoginPage } from '#web/features/auth/LoginPage.tsx';
import { RegisterPage } from '#web/features/auth/RegisterPage.tsx';
import { PATHS } from '#web/shared/paths.ts';
import { type Page, page, readyPage } from './page.ts';

/**
 * `anonymous`: for visitors; a signed-in user is sent home. `anybody`: no session needed.
 * `signed-in`: a visitor is sent to sign in and comes back. `saved-offline`: the same, but without network a visitor
 * may read what is saved on the device.
 */
type RouteAccess = 'anonymous' | 'anybody' | 'signed-in' | 'saved-offline';

export interface AppRoute {
  path: string;
  access: RouteAccess;
  page: Page;
  /** Fills the screen, without the navigation (camera, code). */
  bare?: boolean;
}

/** What stands at `PATHS.kiosk` and below, instead of the app. */
export const KIOSK_PAGE = page(() => import('./screens/KioskScreen.tsx').then((m) => m.KioskScreen), ['kiosk']);

/** Every screen of the app. The first match counts. */
export const ROUTES: AppRoute[] = [
  { path: PATHS.login, access: 'anonymous', page: readyPage(LoginPage) },
  { path: PATHS.register, access: 'anonymous', page: readyPage(RegisterPage) },
  { path: PATHS.callback, access: 'anybody', page: readyPage(CallbackPage) },
  {
    path: PATHS.dashboard,
    access: 'signed-in',
    page: page(
      () => import('./screens/DashboardScreen.tsx').then((m) => m.DashboardScreen),
      ['dashboard', 'activities', 'leaderboards', 'badges', 'outbox', 'qr', 'tour'],
    ),
  },
  {
    path: PATHS.activity,
    access: 'signed-in',
    page: page(
      () => import('#web/features/activities/ActivityPage.tsx').then((m) => m.ActivityPage),
      ['activities', 'outbox', 'history', 'proofs'],
    ),
  },
  {
    path: PATHS.history,
    access: 'signed-in',
    page: page(
      () => import('#web/features/activities/HistoryPage.tsx').then((m) => m.HistoryPage),
      ['activities', 'history'],
    ),
  },
  {
    path: PATHS.leaderboards,
    access: 'signed-in',
    page: page(
      () => import('./screens/LeaderboardsScreen.tsx').then((m) => m.LeaderboardsScreen),
      ['leaderboards', 'activities'],
    ),
  },
  {
    path: PATHS.badges,
    access: 'signed-in',
    page: page(() => import('#web/features/badges/BadgesPage.tsx').then((m) => m.BadgesPage), ['badges']),
  },
  {
    path: PATHS.generate,
    access: 'signed-in',
    bare: true,
    page: page(() => import('./screens/GenerateScreen.tsx').then((m) => m.GenerateScreen), ['qr', 'proofs', 'history']),
  },
  {
    path: PATHS.sportCenters,
    access: 'saved-offline',
    page: page(
      () => import('./screens/SportCentersScreen.tsx').then((m) => m.SportCentersScreen),
      ['sport-centers', 'center-search'],
    ),
  },
  {
    path: PATHS.sportCenter,
    access: 'saved-offline',
    page: page(
      () => import('./screens/SportCenterScreen.tsx').then((m) => m.SportCenterScreen),
      ['sport-centers', 'activities', 'outbox', 'leaderboards', 'locations', 'proofs'],
    ),
  },
  {
    path: PATHS.scan,
    access: 'signed-in',
    bare: true,
    page: page(() => import('./screens/ScanScreen.tsx').then((m) => m.ScanScreen), ['qr', 'outbox']),
  },
  {
    path: PATHS.decisions,
    access: 'signed-in',
    page: page(() => import('#web/features/qr/DecisionsPage.tsx').then((m) => m.DecisionsPage), ['qr', 'outbox']),
  },
  {
    path: PATHS.profile,
    access: 'signed-in',
    page: page(
      () => import('./screens/ProfileScreen.tsx').then((m) => m.ProfileScreen),
      ['users', 'history', 'friends'],
    ),
  },
  {
    path: PATHS.friends,
    access: 'signed-in',
    page: page(() => import('./screens/FriendsScreen.tsx').then((m) => m.FriendsScreen), ['friends']),
  },
  {
    path: PATHS.devices,
    access: 'signed-in',
    page: page(() => import('#web/features/users/DevicesPage.tsx').then((m) => m.DevicesPage), ['users']),
  },
  {
    path: PATHS.account,
    access: 'signed-in',
    page: page(() => import('#web/features/users/AccountPage.tsx').then((m) => m.AccountPage), ['users']),
  },
  {
    path: PATHS.about,
    access: 'anybody',
    page: page(() => import('#web/features/about/AboutPage.tsx').then((m) => m.AboutPage), ['about']),
  },
];
