import { localDate } from '@sendlap/domain/dates.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'wouter';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import type { HistoryFilter } from '../data/history-filter.ts';
import { formatMonth } from '../data/times.ts';
import { ActivityRows } from './ActivityRow.tsx';
import { monthOf } from './calendar.ts';
import { HistoryAge } from './HistoryAge.tsx';
import { LoadMoreFailed } from './LoadMoreFailed.tsx';
import { useHistory } from './use-history.ts';

/** The next page is fetched this far before its end scrolls into view. */
const PREFETCH_MARGIN = '600px';

interface HistoryListProps {
  filter: HistoryFilter;
  /** Clears the filter. */
  onClear: () => void;
}

/** The activities that match the filter, grouped by month, loaded page by page. */
export function HistoryList({ filter, onClear }: HistoryListProps) {
  const { t } = useTranslation('history');
  const { activities, loading, error, cached_at, loadMore, retryMore, loading_more, retry } = useHistory(filter);
  const timeZone = deviceTimeZone();
  const monthOfStart = ({ started_at }: ActivityView) => monthOf(localDate(Date.parse(started_at), timeZone));
  const filtered = Object.values(filter).some(Boolean);
  if (loading)
    return (
      <Loading className="flex flex-col gap-2">
        <Skeleton className="mb-1 h-7 w-44" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </Loading>
    );
  if (error) return <ErrorState title={t('failed')} error={error} onRetry={retry} />;
  return (
    <>
      <HistoryAge cached_at={cached_at} />
      {activities.length === 0 && !loadMore && !retryMore && <EmptyHistory onClear={filtered ? onClear : null} />}
      {[...Map.groupBy(activities, monthOfStart)].map(([month, group]) => (
        <Month key={month} month={month} activities={group} />
      ))}
      {loadMore && <LoadMore onMore={loadMore} busy={loading_more} />}
      {retryMore && <LoadMoreFailed onRetry={retryMore} busy={loading_more} />}
    </>
  );
}

/** `month`: 'YYYY-MM' */
function Month({ month, activities }: { month: string; activities: ActivityView[] }) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const points = activities.reduce((sum, activity) => sum + activity.points, 0);
  const count = t('count', { count: activities.length });
  const sum = points > 0 ? t('monthSum', { count, points: t('points', { count: points }) }) : count;
  return (
    <section>
      <h2 className="px-1 text-xl font-bold first-letter:uppercase">{formatMonth(month, locale)}</h2>
      <p className="figures mb-2 px-1 text-label text-ink-soft">{sum}</p>
      <ActivityRows activities={activities} />
    </section>
  );
}

/** Loads the next page when the end of the list comes near; the button is for users who do not scroll. */
function LoadMore({ onMore, busy }: { onMore: () => void; busy: boolean }) {
  const { t } = useTranslation('history');
  const end = useRef<HTMLDivElement>(null);
  const loadIfIdle = useEffectEvent(() => {
    if (!busy) onMore();
  });
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadIfIdle(), {
      rootMargin: PREFETCH_MARGIN,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end}>
      <Button kind="secondary" wide busy={busy} onClick={onMore}>
        {t('more')}
      </Button>
    </div>
  );
}

/** `onClear`: null if no filter is set. */
function EmptyHistory({ onClear }: { onClear: (() => void) | null }) {
  const { t } = useTranslation('history');
  if (onClear) {
    return (
      <EmptyState
        icon="search"
        title={t('noneTitle')}
        text={t('noneText')}
        action={<Button onClick={onClear}>{t('filter.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="calendar"
      title={t('emptyTitle')}
      text={t('emptyText')}
      action={
        <Link href={PATHS.sportCenters} className={buttonClasses('primary', 'md')}>
          {t('emptyAction')}
        </Link>
      }
    />
  );
}
