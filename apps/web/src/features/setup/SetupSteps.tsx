import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { LoadingCards } from '#web/shared/ui/feedback/LoadingCards.tsx';
import { CentersStep } from './CentersStep.tsx';
import { InviteStep } from './InviteStep.tsx';
import { NameStep } from './NameStep.tsx';
import { serverProfileQuery } from './queries.ts';
import { StreetsStep } from './StreetsStep.tsx';
import { TownStep } from './TownStep.tsx';

/** What an operator decides on the first day; each step can be changed at any time. */
export function SetupSteps() {
  const { t } = useTranslation('setup');
  const { data: profile, error, refetch } = useQuery(serverProfileQuery);
  if (!profile && error)
    return (
      <ErrorState
        title={t('failed')}
        error={error}
        onRetry={() => void refetch()}
        offline={{ title: t('offline.title'), text: t('offline.text') }}
      />
    );
  if (!profile) return <LoadingCards />;
  return (
    <>
      <NameStep name={profile.name} />
      <TownStep town={profile.town} />
      <CentersStep profile={profile} />
      <StreetsStep profile={profile} />
      <InviteStep url={profile.join_url} />
      <Link href={PATHS.dashboard} className={buttonClasses('primary', 'md', true)}>
        {t('finish')}
      </Link>
    </>
  );
}
