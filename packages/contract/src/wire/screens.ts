/** Path to which the identity provider redirects the browser. */
export const CALLBACK_PATH = '/auth/callback';

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
