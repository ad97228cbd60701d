import { Link, useParams } from 'wouter';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { type ActivityLookup, useActivity } from './data/use-activities.ts';
import { FinishedActivity } from './FinishedActivity.tsx';
import { RunningActivity } from './running/RunningActivity.tsx';

/** One activity: the timer while it runs, its result afterwards. */
export function ActivityPage() {
  const { t } = useTranslation(['activities', 'shell']);
  const { id = '' } = useParams<{ id: string }>();
  const found = useActivity(id);
  // The finish, and its undo, replace the buttons that were pressed.
  const content = useRetainedFocus<HTMLDivElement>();
  const title = found.activity ? t(`shell:sport.${found.activity.sport_type}`) : t('finished.title');
  return (
    <Screen title={title} onBack={useGoBack(PATHS.dashboard)}>
      <div ref={content} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <ActivityContent found={found} />
      </div>
    </Screen>
  );
}

function ActivityContent({ found: { activity, loading, error, cached_at, retry } }: { found: ActivityLookup }) {
  const { t } = useTranslation('activities');
  if (loading)
    return (
      <Loading className="mx-auto flex w-full max-w-[520px] flex-col gap-4">
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-40 rounded-lg" />
      </Loading>
    );
  if (activity?.status === 'active') return <RunningActivity key={activity.client_id} activity={activity} />;
  if (activity) return <FinishedActivity key={activity.client_id} activity={activity} cached_at={cached_at} />;
  if (isUnreachable(error))
    return (
      <ErrorState
        title={t('finished.failed')}
        error={error}
        onRetry={retry}
        offline={{ title: t('finished.offlineTitle'), text: t('finished.offlineText') }}
      />
    );
  return (
    <EmptyState
      icon="search"
      title={t('finished.notFoundTitle')}
      text={t('finished.notFoundText')}
      action={
        <Link href={PATHS.dashboard} className={buttonClasses('primary', 'md')}>
          {t('finished.notFoundAction')}
        </Link>
      }
    />
  );
}
