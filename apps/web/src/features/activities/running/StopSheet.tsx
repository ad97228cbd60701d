import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { fromLocalInput, toLocalInput } from '../data/times.ts';
import { canEndNow, proposedEnd, stopTimeError } from './stop.ts';

interface StopSheetProps {
  activity: Pick<ActivityView, 'started_at' | 'draft'>;
  /** ms epoch; undefined: now. */
  onStopped: (ended_at?: number) => void;
  onClose: () => void;
}

/** "When did you stop?": takes a past time, or now if the activity is not too long for that. */
export function StopSheet({ activity, onStopped, onClose }: StopSheetProps) {
  const { t } = useTranslation('activities');
  const now = useServerNow();
  const started_at = Date.parse(activity.started_at);
  const [text, setText] = useState(() => toLocalInput(Math.ceil(proposedEnd(activity) / MINUTE_MS) * MINUTE_MS));
  const ended_at = fromLocalInput(text);
  const problem = stopTimeError(ended_at, started_at, now);
  return (
    <Sheet open onOpenChange={onClose} title={t('running.forgottenAction')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) onStopped(ended_at);
        }}
      >
        <Field
          type="datetime-local"
          label={t('running.stoppedAt')}
          value={text}
          min={toLocalInput(started_at)}
          max={toLocalInput(Math.min(now, started_at + MAX_ACTIVITY_DURATION_MS))}
          onChange={(event) => setText(event.target.value)}
          error={problem === null ? null : t(problem === 'wrong' ? 'running.stoppedWrong' : 'running.stoppedTooLong')}
        />
        <Button type="submit" wide disabled={problem !== null}>
          {t('running.stoppedSave')}
        </Button>
        {canEndNow(activity, now) && (
          <Button kind="secondary" wide onClick={() => onStopped()}>
            {t('running.stoppedNow')}
          </Button>
        )}
      </form>
    </Sheet>
  );
}
