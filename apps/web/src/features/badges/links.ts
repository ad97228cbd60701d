/** The paths that this feature links to. */
export const HOME_PATH = '/dashboard';
export const BADGES_PATH = '/badges';

/** The shelf with one badge open. */
export function badgePath(id: string): string {
  return `${BADGES_PATH}?badge=${id}`;
}
