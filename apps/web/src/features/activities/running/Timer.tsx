import { type Pause, pausedMs } from '@sendlap/domain/recording/pauses.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { formatTimer } from '../data/times.ts';

interface TimerProps {
  /** ISO 8601 */
  since: string;
  pauses: readonly Pause[];
  className?: string;
}

/** The active time since a moment, updated every second. A screen reader reads it only on request. */
export function Timer({ since, pauses, className }: TimerProps) {
  const { t } = useTranslation('activities');
  const { active_ms } = useTimes({ since, pauses });
  return (
    <p
      role="timer"
      aria-label={t(pauses.length === 0 ? 'running.elapsed' : 'running.active')}
      className={`figures ${className ?? ''}`}
    >
      {formatTimer(active_ms)}
    </p>
  );
}

/** The time at rest, once there is any. */
export function RestTimer({ since, pauses, className }: TimerProps) {
  const { t } = useTranslation('activities');
  const { paused_ms } = useTimes({ since, pauses });
  if (pauses.length === 0) return null;
  return (
    <p className={`figures ${className ?? ''}`}>
      {t('running.rest')}{' '}
      <span role="timer" aria-label={t('running.rest')}>
        {formatTimer(paused_ms)}
      </span>
    </p>
  );
}

function useTimes({ since, pauses }: Pick<TimerProps, 'since' | 'pauses'>): { active_ms: number; paused_ms: number } {
  const now = useServerNow(1000);
  const started_at = Date.parse(since);
  const paused_ms = pausedMs(pauses, { started_at, ended_at: Math.max(started_at, now) });
  return { active_ms: now - started_at - paused_ms, paused_ms };
}
