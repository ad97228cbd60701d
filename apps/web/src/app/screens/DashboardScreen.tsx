import { DashboardPage } from '#web/features/activities/DashboardPage.tsx';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';
import { ScanLink } from '#web/features/qr/ScanLink.tsx';

/** Home, with this week's rank from the boards and the way to the scanner. */
export function DashboardScreen() {
  return <DashboardPage rank={<RankChip />} actions={<ScanLink />} />;
}
