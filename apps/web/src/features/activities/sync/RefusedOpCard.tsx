import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { findRunning } from '../data/activity-view.ts';
import { useActivities } from '../data/use-activities.ts';
import { ClockCard } from './ClockCard.tsx';
import { CorrectTimes, isCorrectable } from './CorrectTimes.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { OverlapCard } from './OverlapCard.tsx';
import { findOverlap, isClockUnsure, isOverlapRefusal } from './overlap.ts';
import { useRefusedOps } from './use-refused-ops.ts';

/** An op of this activity that the server refused: the reason and the athlete's options. */
export function RefusedOpCard({ activity }: { activity: ActivityView }) {
  const { activities } = useActivities();
  if (activity.refusal && isClockUnsure(activity.refusal)) return <ClockCard activity={activity} />;
  if (!isOverlapRefusal(activity)) return <Refused activity={activity} />;
  const overlap = findOverlap(activity, activities);
  const running = overlap.others.length === 0 ? findRunning(activities) : null;
  if (running) return <WaitsForRunning activity={activity} running={running} />;
  return <OverlapCard activity={activity} overlap={overlap} />;
}

/** The server takes one running activity at a time: this activity is sent when the running one ends. */
function WaitsForRunning({ activity, running }: { activity: ActivityView; running: ActivityView }) {
  const { t } = useTranslation('history');
  const { discard } = useRefusedOps(activity.client_id);
  return (
    <Card as="section" tone="accent" role="alert" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('overlap.waitsTitle')}</h2>
        <p className="mt-0.5 text-label">{t('overlap.waitsText', { center: running.sport_center_name })}</p>
      </div>
      <DiscardButton onDiscard={() => void discard()} />
    </Card>
  );
}

function Refused({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['activities', 'errors']);
  const { client_id, refusal } = activity;
  const { retry, discard } = useRefusedOps(client_id);
  if (!refusal) return null;
  const reason = isErrorCode(refusal.code) ? t(`errors:${refusal.code}`) : refusal.message;
  // Two phones ran at the same time, or the athlete forgot to finish: with corrected times the activity can be kept.
  const correctable = isCorrectable(refusal.code) && refusal.kinds.includes('finish');
  return (
    <Card as="section" tone="danger" role="alert" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-danger-ink">{t('refused.title')}</h2>
        <p className="mt-0.5 text-label">{reason}</p>
      </div>
      {correctable && (
        <CorrectTimes activity={activity} code={refusal.code} keep_start={!refusal.kinds.includes('start')} />
      )}
      <div className="flex flex-wrap gap-2 *:grow *:basis-[8rem]">
        <Button size="sm" kind={correctable ? 'secondary' : 'primary'} wide onClick={() => void retry()}>
          {t('refused.retry')}
        </Button>
        <DiscardButton onDiscard={() => void discard()} />
      </div>
    </Card>
  );
}
