import { CALLBACK_PATH } from '@sendlap/contract/screens.ts';

/** Every address of the app. `:name` is a parameter. */
export const PATHS = {
  root: '/',
  login: '/login',
  register: '/register',
  callback: CALLBACK_PATH,
  dashboard: '/dashboard',
  sportCenters: '/sport-centers',
  sportCenter: '/sport-centers/:id',
  history: '/activities',
  activity: '/activities/:id',
  scan: '/qr/scan',
  generate: '/qr/generate',
  decisions: '/qr/decisions',
  leaderboards: '/leaderboards',
  badges: '/badges',
  profile: '/profile',
  friends: '/friends',
  devices: '/profile/devices',
  account: '/profile/account',
  about: '/about',
  /** And everything below it. */
  kiosk: '/kiosk',
} as const;

/** The code by which friends find me. */
export const FRIEND_CODE_PATH = `${PATHS.generate}?show=friend`;
/** The home screen, with the guided tour begun. */
export const TOUR_PATH = `${PATHS.dashboard}?tour=start`;

export function activityPath(client_id: string): string {
  return `${PATHS.history}/${client_id}`;
}

/** The code of a finished activity, for the referee. */
export function codePath(client_id: string): string {
  return `${PATHS.generate}?activity=${client_id}`;
}

export function sportCenterPath(id: string): string {
  return `${PATHS.sportCenters}/${id}`;
}

const AUTH_PATHS: string[] = [PATHS.login, PATHS.register, PATHS.callback];

/** On these the session is not checked at start-up (spec, section 2). */
export function isAuthPath(path: string): boolean {
  return AUTH_PATHS.includes(withoutSlash(path));
}

/** A kiosk's pages are an app of their own: no session is looked for there, and nothing stands around them. */
export function isKioskPath(path: string): boolean {
  return `${path}/`.startsWith(`${PATHS.kiosk}/`);
}

/** Where the provider sends the browser; the periodic check is skipped there too (spec, section 4). */
export function isCallbackPath(path: string): boolean {
  return withoutSlash(path) === PATHS.callback;
}

/** The router takes `/login/` for `/login`. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
