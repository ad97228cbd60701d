import {
  CALLBACK_PATH,
  CENTER_MANAGEMENT_PATH,
  KIOSK_PATH,
  LOGIN_PATH,
  REGISTER_PATH,
  SETUP_PATH,
  SPORT_CENTER_PATH,
} from '@sendlap/contract/wire/screens.ts';

/** Every path of the app. `:name` is a parameter. */
export const PATHS = {
  root: '/',
  login: LOGIN_PATH,
  register: REGISTER_PATH,
  callback: CALLBACK_PATH,
  dashboard: '/dashboard',
  sportCenters: '/sport-centers',
  sportCenter: SPORT_CENTER_PATH,
  centerManagement: CENTER_MANAGEMENT_PATH,
  centerClaim: '/sport-centers/:id/claim',
  centerPoster: '/sport-centers/:id/poster',
  claims: '/manage/claims',
  history: '/activities',
  activity: '/activities/:id',
  scan: '/qr/scan',
  generate: '/qr/generate',
  decisions: '/qr/decisions',
  leaderboards: '/leaderboards',
  badges: '/badges',
  recap: '/recap',
  profile: '/profile',
  friends: '/friends',
  devices: '/profile/devices',
  account: '/profile/account',
  about: '/about',
  setup: SETUP_PATH,
  /** And every path below it. */
  serverManagement: '/manage',
  people: '/manage/people',
  person: '/manage/people/:public_id',
  newPerson: '/manage/add',
  staffedCenters: '/manage/centers',
  reports: '/manage/reports',
  reviews: '/manage/reviews',
  audit: '/manage/audit',
  /** And every path below it. */
  kiosk: KIOSK_PATH,
  kioskSetUp: '/kiosk/set-up',
} as const;

/** Shows the code by which friends find me. */
export const FRIEND_CODE_PATH = `${PATHS.generate}?show=friend`;
/** The home screen, which starts the guided tour. */
export const TOUR_PATH = `${PATHS.dashboard}?tour=start`;

/** The query parameter that opens this chat on any screen. */
export const CHAT_PARAM = 'chat';

/** The home screen with a chat open. */
export function chatPath(chat_id: string): string {
  return `${PATHS.dashboard}?${CHAT_PARAM}=${chat_id}`;
}

/** All badges, with one of them open. */
export function badgePath(id: string): string {
  return `${PATHS.badges}?badge=${id}`;
}

export function activityPath(client_id: string): string {
  return `${PATHS.history}/${client_id}`;
}

/** Names a friend in the address of the list of friends. */
export const FRIEND_PARAM = 'friend';

/** The list of friends with the profile card of one of them. */
export function friendPath(public_id: string): string {
  return `${PATHS.friends}?${FRIEND_PARAM}=${encodeURIComponent(public_id)}`;
}

/** Shows the code of a finished activity to the referee. */
export function codePath(client_id: string): string {
  return `${PATHS.generate}?activity=${client_id}`;
}

export function sportCenterPath(id: string): string {
  return PATHS.sportCenter.replace(':id', id);
}

/** Where managers of a center, and operators, run it. */
export function centerManagementPath(id: string): string {
  return PATHS.centerManagement.replace(':id', id);
}

/** Where a member of a center's staff proves to run it. */
export function centerClaimPath(id: string): string {
  return `${sportCenterPath(id)}/claim`;
}

/** Where a manager prints the poster of a center. */
export function centerPosterPath(id: string): string {
  return `${sportCenterPath(id)}/poster`;
}

/** A person, as operators see them. */
export function personPath(public_id: string): string {
  return `${PATHS.people}/${encodeURIComponent(public_id)}`;
}

const AUTH_PATHS: string[] = [PATHS.login, PATHS.register, PATHS.callback];

/** On these paths the session is not checked at start-up (spec, section 2). */
export function isAuthPath(path: string): boolean {
  return AUTH_PATHS.includes(stripTrailingSlash(path));
}

/** A kiosk's pages are a separate app: without a session, and without the layout of the app. */
export function isKioskPath(path: string): boolean {
  return `${path}/`.startsWith(`${PATHS.kiosk}/`);
}

/** The page to which the provider redirects; the periodic check is skipped there too (spec, section 4). */
export function isCallbackPath(path: string): boolean {
  return stripTrailingSlash(path) === PATHS.callback;
}

/** The router treats `/login/` as `/login`. */
function stripTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
