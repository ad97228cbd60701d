import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { ActivityView } from './activity-view.ts';
import { codePath } from './links.ts';
import { PointsCard } from './PointsCard.tsx';
import { ProofSteps } from './ProofSteps.tsx';
import { RefusedStep } from './RefusedStep.tsx';
import { ScoreSum } from './ScoreSum.tsx';
import { UndoFinish } from './UndoFinish.tsx';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;
const CELEBRATION_PATTERN_MS = [20, 50, 60];

/** After the finish: what it is worth, how far its proof has come, and the way to the code. */
export function FinishedActivity({ activity }: { activity: ActivityView }) {
  const [first_status] = useState(activity.status);
  const just_now = activity.status === 'validated' && first_status !== 'validated';
  useEffect(() => {
    if (just_now) navigator.vibrate?.(CELEBRATION_PATTERN_MS);
  }, [just_now]);
  return (
    <div className="mx-auto grid w-full max-w-[520px] grid-cols-1 content-start gap-4 wide:max-w-[960px] wide:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <UndoFinish key={activity.undo?.op_id} activity={activity} />
        {activity.refusal && <RefusedStep activity={activity} />}
        {/* A new key, so that the confirmed card comes in as a new one. */}
        <PointsCard key={activity.status} activity={activity} just_now={just_now} />
        {activity.status === 'finished' && <ShowCode activity={activity} />}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <ProofSteps activity={activity} />
        <ScoreSum activity={activity} />
      </div>
    </div>
  );
}

function ShowCode({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const over = useNow(MINUTE_MS) - Date.parse(activity.ended_at ?? '') > VALIDATION_WINDOW_MS;
  if (over) return <p className="px-2 text-center text-[0.9375rem] text-ink-soft">{t('finished.codeOver')}</p>;
  return (
    <div>
      <Link href={codePath(activity.client_id)} className={buttonClasses('primary', 'lg', true)}>
        <Icon name="qr" size={28} />
        {t('finished.showCode')}
      </Link>
      <p className="mt-2 px-2 text-center text-sm text-ink-soft">{t('finished.codeText')}</p>
    </div>
  );
}
