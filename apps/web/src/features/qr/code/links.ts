/** The paths that this feature links to. */
export const HOME_PATH = '/dashboard';
export const SCAN_PATH = '/qr/scan';
export const DECISIONS_PATH = '/qr/decisions';
export const DEVICES_PATH = '/profile/devices';
export const SPORT_CENTERS_PATH = '/sport-centers';

export function activityPath(client_id: string): string {
  return `/activities/${client_id}`;
}
