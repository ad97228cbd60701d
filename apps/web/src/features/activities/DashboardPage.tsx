import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { formatAge } from '#web/shared/ui/format-age.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { ActivityRow } from './ActivityRow.tsx';
import { runningOf } from './activity-view.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { HISTORY_PATH } from './links.ts';
import { RunningCard } from './RunningCard.tsx';
import { type Activities, useActivities } from './use-activities.ts';
import { WeekCard } from './WeekCard.tsx';

const RECENT_COUNT = 10;

interface DashboardPageProps {
  /** The chip of this week's rank; it comes from another feature. */
  rank?: ReactNode;
  /** What stands beside the title. */
  actions?: ReactNode;
}

/** Home: what runs now, this week, and what was done lately. */
export function DashboardPage({ rank, actions }: DashboardPageProps) {
  const { t } = useTranslation('activities');
  const { name } = useUser();
  const known = useActivities();
  return (
    <Screen title={name ? t('dashboard.greeting', { name }) : t('dashboard.title')} actions={actions}>
      {known.loading ? <DashboardSkeleton /> : <DashboardContent known={known} rank={rank} />}
    </Screen>
  );
}

function DashboardContent({ known, rank }: { known: Activities; rank: ReactNode }) {
  const { t } = useTranslation('activities');
  const { activities, error, retry } = known;
  if (error) return <ErrorState title={t('dashboard.failed')} error={error} onRetry={retry} />;
  const running = runningOf(activities);
  const recent = activities.filter((activity) => activity !== running).slice(0, RECENT_COUNT);
  return (
    <div className="grid grid-cols-1 content-start gap-4 wide:grid-cols-2 wide:gap-6">
      <div className="flex min-w-0 flex-col gap-4">
        <OfflineAge cached_at={known.cached_at} />
        {running && <RunningCard activity={running} />}
        {activities.length === 0 && <FirstSteps />}
        <WeekCard activities={activities} rank={rank} />
      </div>
      {recent.length > 0 && (
        <section className="min-w-0">
          <div className="mb-1 flex flex-wrap items-center justify-between gap-x-2 px-1">
            <h2 className="text-xl font-bold">{t('dashboard.recent')}</h2>
            <Link
              href={HISTORY_PATH}
              className="pressable flex min-h-12 items-center gap-0.5 rounded-md px-2 font-semibold text-accent-ink"
            >
              {t('dashboard.all')}
              <Icon name="chevron-right" size={20} />
            </Link>
          </div>
          <ul className="flex flex-col gap-2">
            {recent.map((activity) => (
              <li key={activity.client_id}>
                <ActivityRow activity={activity} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Without the server: how old is what stands here. */
function OfflineAge({ cached_at }: Pick<Activities, 'cached_at'>) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  if (cached_at === null) return null;
  return (
    <p className="flex items-center gap-2 px-1 text-[0.9375rem] text-ink-soft">
      <Icon name="offline" size={18} />
      {t('dashboard.offline', { age: formatAge(cached_at, Date.now(), locale) })}
    </p>
  );
}

function DashboardSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className="grid content-start gap-4 wide:grid-cols-2">
      <Skeleton className="h-80 rounded-xl" />
      <div className="flex flex-col gap-2">
        <Skeleton className="mb-1 h-7 w-44" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
    </div>
  );
}
