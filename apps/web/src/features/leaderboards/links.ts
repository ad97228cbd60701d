/** Where this feature leads to. */
export const LEADERBOARDS_PATH = '/leaderboards';
export const SPORT_CENTERS_PATH = '/sport-centers';
export const PROFILE_PATH = '/profile';
export const FRIEND_CODE_PATH = '/qr/generate?show=friend';

export function sportCenterPath(id: string): string {
  return `${SPORT_CENTERS_PATH}/${id}`;
}
