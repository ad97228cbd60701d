/** Where this feature leads to. */
export const HOME_PATH = '/dashboard';
export const SPORT_CENTERS_PATH = '/sport-centers';
export const SCAN_PATH = '/qr/scan';

export function activityPath(client_id: string): string {
  return `/activities/${client_id}`;
}
