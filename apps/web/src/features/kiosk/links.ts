/** Where this feature leads to. The app's router knows the same addresses. */
export const KIOSK_PATH = '/kiosk';
export const SET_UP_PATH = '/kiosk/set-up';
/** Where somebody signs out. */
export const PROFILE_PATH = '/profile';
