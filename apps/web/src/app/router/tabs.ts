import { PATHS } from '#web/shared/paths.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';

/** The four tabs of the navigation, in order. */
export const TABS = [
  { path: PATHS.dashboard, icon: 'home', name: 'home' },
  { path: PATHS.sportCenters, icon: 'map-pin', name: 'sportCenters' },
  { path: PATHS.leaderboards, icon: 'trophy', name: 'ranks' },
  { path: PATHS.profile, icon: 'user', name: 'profile' },
] as const satisfies readonly { path: string; icon: IconName; name: string }[];

export function isTab(path: string): boolean {
  return TABS.some((tab) => tab.path === path);
}
