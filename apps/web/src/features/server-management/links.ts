import { PATHS } from '#web/shared/paths.ts';

export const SERVER_MANAGEMENT_PATHS = {
  overview: PATHS.serverManagement,
  people: PATHS.people,
  person: PATHS.person,
  add: `${PATHS.serverManagement}/add`,
  centers: `${PATHS.serverManagement}/centers`,
  reports: `${PATHS.serverManagement}/reports`,
  reviews: `${PATHS.serverManagement}/reviews`,
  audit: `${PATHS.serverManagement}/audit`,
} as const;

export function personPath(public_id: string): string {
  return `${SERVER_MANAGEMENT_PATHS.people}/${encodeURIComponent(public_id)}`;
}
