import type { Visit } from '@sendlap/domain/recording/overlaps.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { formatTimeRange } from '#web/shared/time/format-time-range.ts';

/** Returns a function that formats the times of an activity: "10:00–11:15", "since 10:00". */
export function useTimesText(): (visit: Visit) => string {
  const { t } = useTranslation('history');
  const locale = useLocale();
  return ({ started_at, ended_at }) =>
    ended_at === null
      ? t('overlap.since', { time: formatClock(started_at, locale) })
      : formatTimeRange(started_at, ended_at, locale);
}
