import { useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import type { ActivityView } from './activity-view.ts';
import { formatTimer } from './times.ts';
import { useFailureToast } from './use-failure-toast.ts';
import { UNDO_MS, useSteps } from './use-steps.ts';
import './undo-finish.css';

/** "Finished after 12:34 · Undo", for as long as the finish can be taken back. */
export function UndoFinish({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['activities', 'shell']);
  const fail = useFailureToast();
  const { reopenActivity } = useSteps();
  const [over, setOver] = useState(false);
  const undo = activity.undo;
  // By this device's own clock, as the time is.
  const [left_ms] = useState(() => (undo ? undo.until - Date.now() : 0));
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), left_ms);
    return () => clearTimeout(timer);
  }, [left_ms]);
  if (!undo || over || left_ms <= 0 || activity.ended_at === null) return null;

  async function takeBack(): Promise<void> {
    try {
      if (!(await reopenActivity(activity))) toast({ title: t('finished.undoTooLate') });
    } catch (error) {
      fail(error);
    }
  }

  const time = formatTimer(Date.parse(activity.ended_at) - Date.parse(activity.started_at));
  return (
    <div role="status" className="relative overflow-hidden rounded-lg bg-ink text-page">
      <div className="flex items-center gap-3 py-1 pr-1 pl-4">
        <Icon name="check" size={22} />
        <p className="figures flex-1 font-semibold">{t('finished.undo', { time })}</p>
        <button
          type="button"
          onClick={() => void takeBack()}
          className="pressable min-h-18 rounded-md px-6 text-lg font-bold underline underline-offset-4"
        >
          {t('shell:undo')}
        </button>
      </div>
      <span
        aria-hidden="true"
        className="undo-time absolute inset-x-0 bottom-0 h-1 bg-page/70"
        style={{ animationDuration: `${UNDO_MS}ms`, animationDelay: `${left_ms - UNDO_MS}ms` }}
      />
    </div>
  );
}
