/** Where this feature leads to. */
export const FRIENDS_PATH = '/friends';
export const PROFILE_PATH = '/profile';
export const SCAN_PATH = '/qr/scan';
/** The code by which friends find me. */
export const FRIEND_CODE_PATH = '/qr/generate?show=friend';
