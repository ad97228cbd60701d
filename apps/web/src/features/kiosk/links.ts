/** The paths that this feature links to. The app's router has the same ones. */
export const KIOSK_PATH = '/kiosk';
export const SET_UP_PATH = '/kiosk/set-up';
/** Where the user signs out. */
export const PROFILE_PATH = '/profile';
