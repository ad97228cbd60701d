import { useMyCenters } from '#web/features/activities/record/use-activities.ts';
import { LeaderboardsPage } from '#web/features/leaderboards/LeaderboardsPage.tsx';
import { useSportCenter } from '#web/features/sport-centers/search/use-sport-center.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** The boards; the centers to choose from are those of the user's activities, plus the one in the address. */
export function LeaderboardsScreen() {
  return <LeaderboardsPage my_centers={useMyCenters()} renderCenterName={(id) => <CenterName id={id} />} />;
}

function CenterName({ id }: { id: string }) {
  const { t } = useTranslation('leaderboards');
  const { data } = useSportCenter(id);
  return data?.name ?? t('otherCenter');
}
