/** Path to which the identity provider redirects the browser. */
export const CALLBACK_PATH = '/auth/callback';

/** The screens that the server links to. */
export const LOGIN_PATH = '/login';
export const REGISTER_PATH = '/register';
export const SPORT_CENTER_PATH = '/sport-centers/:id';
export const CENTER_MANAGEMENT_PATH = `${SPORT_CENTER_PATH}/manage`;
/** With an operator's one-time code in the fragment. */
export const SETUP_PATH = '/setup';
/** With the one-time code of a pairing in the fragment. */
export const KIOSK_PATH = '/kiosk';

/** A page of the own provider, the only one whose accounts sign in with a password here. */
export const FORGOT_PATH = '/oidc/forgot';

/** The first segment of every path of the app: the server serves the app there, and "not found" elsewhere. */
export const SCREEN_ROOTS = [
  '',
  'login',
  'register',
  'auth',
  'dashboard',
  'sport-centers',
  'activities',
  'qr',
  'leaderboards',
  'badges',
  'recap',
  'profile',
  'friends',
  'kiosk',
  'setup',
  'manage',
  'about',
] as const;

/** Returns whether the app may have a screen at this path, without its query. */
export function isScreen(path: string): boolean {
  return (SCREEN_ROOTS as readonly string[]).includes(path.split('/')[1] ?? '');
}
