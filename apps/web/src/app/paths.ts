/** Every address of the app. `:name` is a parameter. */
export const PATHS = {
  root: '/',
  login: '/login',
  register: '/register',
  /** CALLBACK_PATH of the contract, which the first script does without; a test keeps them equal. */
  callback: '/auth/callback',
  dashboard: '/dashboard',
  sportCenters: '/sport-centers',
  sportCenter: '/sport-centers/:id',
  activity: '/activities/:id',
  scan: '/qr/scan',
  generate: '/qr/generate',
  leaderboards: '/leaderboards',
  profile: '/profile',
} as const;

/** On these the session is not checked at start-up (spec, section 2). */
export function isAuthPath(path: string): boolean {
  return path === PATHS.login || path === PATHS.register || path === PATHS.callback;
}
