import { useMyCenters } from '#web/features/activities/data/use-activities.ts';
import { LeaderboardsPage } from '#web/features/leaderboards/LeaderboardsPage.tsx';
import { useSportCenter } from '#web/features/sport-centers/search/use-sport-center.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { useWelcome } from '../welcome/use-welcome.ts';

type QuestionProps = { is_due: boolean; is_inline: true };

const BodyQuestion = lazyPart<QuestionProps>(
  () => import('#web/features/bio-info/BodyQuestion.tsx').then((m) => m.BodyQuestion),
  ['users'],
);

/** The boards; the centers to choose from are those of the user's activities, plus the one in the address. */
export function LeaderboardsScreen() {
  const { is_body_due } = useWelcome();
  return (
    <LeaderboardsPage
      my_centers={useMyCenters()}
      renderCenterName={(id) => <CenterName id={id} />}
      bio_info_question={<BodyQuestion is_due={is_body_due} is_inline />}
    />
  );
}

function CenterName({ id }: { id: string }) {
  const { t } = useTranslation('leaderboards');
  const { data } = useSportCenter(id);
  return data?.name ?? t('otherCenter');
}
