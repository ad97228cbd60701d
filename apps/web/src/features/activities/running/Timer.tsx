import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { formatTimer } from '../record/times.ts';

interface TimerProps {
  /** ISO 8601 */
  since: string;
  className?: string;
}

/** The time since a moment, updated every second. A screen reader reads it only on request. */
export function Timer({ since, className }: TimerProps) {
  const { t } = useTranslation('activities');
  const now = useServerNow(1000);
  return (
    <p role="timer" aria-label={t('running.elapsed')} className={`figures ${className ?? ''}`}>
      {formatTimer(now - Date.parse(since))}
    </p>
  );
}
