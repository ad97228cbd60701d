import { PATHS } from '#web/shared/paths.ts';

export const MANAGE_PATHS = {
  overview: PATHS.manage,
  people: `${PATHS.manage}/people`,
  person: `${PATHS.manage}/people/:public_id`,
  add: `${PATHS.manage}/add`,
  centers: `${PATHS.manage}/centers`,
  reports: `${PATHS.manage}/reports`,
  reviews: `${PATHS.manage}/reviews`,
  audit: `${PATHS.manage}/audit`,
} as const;

export function personPath(public_id: string): string {
  return `${MANAGE_PATHS.people}/${encodeURIComponent(public_id)}`;
}
