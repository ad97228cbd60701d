import { useMyCenters } from '#web/features/activities/use-activities.ts';
import { LeaderboardsPage } from '#web/features/leaderboards/LeaderboardsPage.tsx';

/** The boards; the centers to choose from are those of my activities. */
export function LeaderboardsScreen() {
  return <LeaderboardsPage my_centers={useMyCenters()} />;
}
