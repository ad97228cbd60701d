export const PROFILE_PATH = '/profile';
export const DEVICES_PATH = '/profile/devices';
export const ACCOUNT_PATH = '/profile/account';
