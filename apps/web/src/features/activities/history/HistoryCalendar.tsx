import { localDate } from '@sendlap/domain/dates.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Swatch } from '#web/shared/ui/Swatch.tsx';
import type { HistoryFilter } from '../data/history-filter.ts';
import { formatLongDay, formatMonth } from '../data/times.ts';
import { ActivityRows } from './ActivityRow.tsx';
import { CalendarGrid } from './CalendarGrid.tsx';
import { addMonths, datesOfMonth, isMonth, monthOf } from './calendar.ts';
import { HistoryAge } from './HistoryAge.tsx';
import { LoadMoreFailed } from './LoadMoreFailed.tsx';
import { useHistory } from './use-history.ts';

const LEGEND = ['solid', 'hatched'] as const;

interface HistoryCalendarProps {
  filter: HistoryFilter;
  /** From the URL; anything other than 'YYYY-MM' means this month. */
  month: string | null;
  onMonth: (month: string) => void;
}

/** A month with a mark for each activity, and below it the activities of the chosen day. */
export function HistoryCalendar({ filter, month: requested_month, onMonth }: HistoryCalendarProps) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const timeZone = deviceTimeZone();
  const now = useServerNow();
  const today = localDate(now, timeZone);
  const month = isMonth(requested_month) ? requested_month : monthOf(today);
  const history = useHistory({ ...filter, ...datesOfMonth(month) });
  useLoadAllPages(history);
  const days = Map.groupBy(history.activities, (activity) => localDate(Date.parse(activity.started_at), timeZone));
  const [picked, setPicked] = useState(today);
  const newest = [...days.keys()].sort().at(-1);
  const first_choice = monthOf(today) === month ? today : (newest ?? `${month}-01`);
  const selected = monthOf(picked) === month ? picked : first_choice;
  if (history.error) return <ErrorState title={t('failed')} error={history.error} onRetry={history.retry} />;
  return (
    <>
      <HistoryAge cached_at={history.cached_at} />
      {history.retryMore && <LoadMoreFailed onRetry={history.retryMore} busy={history.loading_more} />}
      <section aria-busy={history.loading} className="@container rounded-xl bg-surface p-3">
        <div className="mb-1 flex flex-wrap items-center justify-between">
          <IconButton
            icon="chevron-left"
            label={t('calendar.previous')}
            onClick={() => onMonth(addMonths(month, -1))}
          />
          <h2
            aria-live="polite"
            className="min-w-0 flex-1 text-center text-lg font-bold first-letter:uppercase @max-[15rem]:order-first @max-[15rem]:basis-full"
          >
            {formatMonth(month, locale)}
          </h2>
          <IconButton
            icon="chevron-right"
            label={t('calendar.next')}
            disabled={month >= monthOf(today)}
            className="disabled:opacity-40"
            onClick={() => onMonth(addMonths(month, 1))}
          />
        </div>
        <CalendarGrid month={month} today={today} selected={selected} days={days} now={now} onSelect={setPicked} />
        {history.activities.length > 0 && <Legend />}
        {month !== monthOf(today) && (
          <Button kind="quiet" size="sm" wide onClick={() => onMonth(monthOf(today))}>
            {t('calendar.today')}
          </Button>
        )}
      </section>
      <section>
        <h3 className="mb-2 px-1 text-lg font-bold first-letter:uppercase">{formatLongDay(selected, locale)}</h3>
        {!days.has(selected) && <p className="px-1 text-ink-soft">{t('calendar.none')}</p>}
        <ActivityRows activities={days.get(selected) ?? []} />
      </section>
    </>
  );
}

/** The looks of the marks; the sport gives their colour. */
function Legend() {
  const { t } = useTranslation('history');
  return (
    <p className="mt-2 flex flex-wrap justify-center gap-x-5 gap-y-1 px-1 pb-1 text-sm text-ink-soft">
      {LEGEND.map((look) => (
        <span key={look} className="flex items-center gap-2">
          <Swatch look={look} className="h-2.5 w-6 text-ink-soft" />
          {t(`calendar.legend.${look}`)}
        </span>
      ))}
    </p>
  );
}

/** Loads all pages: a month is shown complete. */
function useLoadAllPages({ loadMore, loading_more }: ReturnType<typeof useHistory>): void {
  const should_load_more = loadMore !== null && !loading_more;
  const loadNext = useEffectEvent(() => loadMore?.());
  useEffect(() => {
    if (should_load_more) loadNext();
  }, [should_load_more]);
}
