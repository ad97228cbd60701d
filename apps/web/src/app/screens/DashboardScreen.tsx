import { DashboardPage } from '#web/features/activities/DashboardPage.tsx';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';

/** Home, with this week's rank from the boards. */
export function DashboardScreen() {
  return <DashboardPage rank={<RankChip />} />;
}
