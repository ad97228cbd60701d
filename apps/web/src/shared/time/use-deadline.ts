import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { daysAgo } from './days-ago.ts';
import { formatClock } from './format-clock.ts';
import { useServerNow } from './use-now.ts';

/** Returns a deadline of the next hours as '18:05' or, after midnight, '8:05 tomorrow'. */
export function useDeadline(epoch_ms: number): string {
  const { t } = useTranslation('shell');
  const time = formatClock(epoch_ms, useLocale());
  return daysAgo(epoch_ms, useServerNow()) < 0 ? t('tomorrowAt', { time }) : time;
}
