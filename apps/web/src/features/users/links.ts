export const PROFILE_PATH = '/profile';
export const DEVICES_PATH = '/profile/devices';
export const ACCOUNT_PATH = '/profile/account';
/** The code by which friends find me. */
export const FRIEND_CODE_PATH = '/qr/generate?show=friend';
/** The home screen, with the guided tour begun. */
export const TOUR_PATH = '/dashboard?tour=start';
export const ABOUT_PATH = '/about';
