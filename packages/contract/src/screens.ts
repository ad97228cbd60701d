/** Where the identity provider sends the browser back to. */
export const CALLBACK_PATH = '/auth/callback';

/** The first part of every address of the app: the server has its page there, and "not found" everywhere else. */
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
  'profile',
  'friends',
  'kiosk',
  'about',
] as const;

/** Whether the app may have a screen at this path, without its query. */
export function isScreen(path: string): boolean {
  return (SCREEN_ROOTS as readonly string[]).includes(path.split('/')[1] ?? '');
}
