import { visitOf } from '@sendlap/domain/recording/overlaps.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { CorrectTimes } from './CorrectTimes.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { useRefusedOps } from './use-refused-ops.ts';
import { useTimesText } from './use-times-text.ts';

/** The device's clock was moved without a network, at a time that nothing tells: asks when the activity was. */
export function ClockCard({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const timesText = useTimesText();
  const { retry, discard } = useRefusedOps(activity.client_id);
  const kinds = activity.refusal?.kinds ?? [];
  return (
    <Card as="section" tone="accent" role="alert" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('clock.title')}</h2>
        <p className="mt-0.5 text-label">{t('clock.text')}</p>
      </div>
      <div className="flex flex-col gap-2">
        {activity.refusal?.proposals.map(({ started_at, ended_at }) => (
          <Button
            key={`${started_at} ${ended_at}`}
            size="sm"
            wide
            onClick={() => void retry({ started_at, ...(ended_at === null ? {} : { ended_at }) })}
          >
            {t('overlap.when', {
              day: formatDay(Date.parse(started_at), locale),
              times: timesText(visitOf({ started_at, ended_at })),
            })}
          </Button>
        ))}
        {kinds.includes('finish') && (
          <CorrectTimes
            activity={activity}
            code={activity.refusal?.code ?? ''}
            keep_start={!kinds.includes('start')}
            label={t('clock.other')}
          />
        )}
        <DiscardButton onDiscard={() => void discard()} />
      </div>
    </Card>
  );
}
