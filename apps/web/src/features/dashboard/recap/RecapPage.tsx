import type { Recap } from '@sendlap/contract/stats.ts';
import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { noonOf, shortDateFormat } from '#web/shared/time/format-date.ts';
import { formatDateRange } from '#web/shared/time/format-date-range.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { PeriodCard } from './PeriodCard.tsx';
import { PersonalBests } from './PersonalBests.tsx';
import { useRecap } from './use-recap.ts';

/** A look back: points in total, the last week, the season so far, and my personal bests. */
export function RecapPage() {
  const { t } = useTranslation('dashboard');
  return (
    <Screen title={t('recap.title')} onBack={useGoBack(PATHS.dashboard)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-1 flex-col gap-4">
        <RecapContent />
      </div>
    </Screen>
  );
}

function RecapContent() {
  const { t } = useTranslation('dashboard');
  const { recap, error, cached_at, retry } = useRecap();
  if (error) {
    const offline = { title: t('recap.offlineTitle'), text: t('recap.offlineText') };
    return <ErrorState title={t('recap.failed')} error={error} onRetry={retry} offline={offline} />;
  }
  if (!recap) return <RecapSkeleton />;
  return (
    <>
      {cached_at !== null && <OfflineAge cached_at={cached_at} />}
      {recap.bests.length > 0 ? <Periods recap={recap} /> : <NothingConfirmed />}
    </>
  );
}

/** Each period from the moment on when it has an activity. */
function Periods({ recap }: { recap: Recap }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const { lifetime_points, last_week, season } = recap;
  return (
    <>
      <div className="px-1">
        <p className="figures text-figure leading-tight font-extrabold">
          {t('recap.total', { count: lifetime_points })}
        </p>
        <p className="text-label text-ink-soft">{t('recap.counts', { minutes: MIN_SCORED_MINUTES })}</p>
      </div>
      {last_week && (
        <PeriodCard title={t('recap.lastWeek')} dates={formatDateRange(last_week, locale)} recap={last_week} />
      )}
      {season && (
        <PeriodCard
          title={t('recap.season')}
          dates={t('recap.since', { date: shortDateFormat(locale).format(noonOf(season.starts_on)) })}
          recap={season}
        />
      )}
      <PersonalBests recap={recap} />
    </>
  );
}

function NothingConfirmed() {
  const { t } = useTranslation('dashboard');
  return (
    <EmptyState
      icon="tally"
      title={t('recap.emptyTitle')}
      text={t('recap.emptyText')}
      action={
        <Link href={PATHS.sportCenters} className={buttonClasses('primary', 'md')}>
          {t('recap.emptyAction')}
        </Link>
      }
    />
  );
}

function RecapSkeleton() {
  return (
    <Loading className="flex flex-col gap-4">
      <Skeleton className="h-18 w-56" />
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-18 rounded-lg" />
      <Skeleton className="h-18 rounded-lg" />
    </Loading>
  );
}
