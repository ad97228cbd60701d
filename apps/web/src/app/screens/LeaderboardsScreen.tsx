import { useQuery } from '@tanstack/react-query';
import { useMyCenters } from '#web/features/activities/record/use-activities.ts';
import { LeaderboardsPage } from '#web/features/leaderboards/LeaderboardsPage.tsx';
import { sportCenterQuery } from '#web/features/sport-centers/search/queries.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** The boards; the centers to choose from are those of the user's activities, plus the one in the address. */
export function LeaderboardsScreen() {
  return <LeaderboardsPage my_centers={useMyCenters()} renderCenterName={(id) => <CenterName id={id} />} />;
}

function CenterName({ id }: { id: string }) {
  const { t } = useTranslation('leaderboards');
  const { data } = useQuery(sportCenterQuery(id));
  return data?.center.name ?? t('otherCenter');
}
