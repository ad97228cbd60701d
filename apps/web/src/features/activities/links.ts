/** Where this feature leads to. */
export const HOME_PATH = '/dashboard';
export const HISTORY_PATH = '/activities';
export const SPORT_CENTERS_PATH = '/sport-centers';

export function activityPath(client_id: string): string {
  return `/activities/${client_id}`;
}

/** The code of a finished activity, for the referee. */
export function codePath(client_id: string): string {
  return `/qr/generate?activity=${client_id}`;
}
