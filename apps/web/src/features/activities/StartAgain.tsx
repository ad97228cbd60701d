import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { type ActivityView, findRunning } from './record/activity-view.ts';
import { useActivities } from './record/use-activities.ts';
import { StartButtons } from './StartActivity.tsx';

/**
 * Starts the same sport at the same center again, after asking for the intensity. Hidden while another activity runs.
 */
export function StartAgain({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['history', 'shell']);
  const { activities } = useActivities();
  const [is_open, setOpen] = useState(false);
  if (findRunning(activities)) return null;
  const { sport_center_id: id, sport_center_name: center, sport_type } = activity;
  return (
    <div>
      <Button kind="secondary" icon="play" wide onClick={() => setOpen(true)}>
        {t('again.action')}
      </Button>
      <p className="mt-1.5 truncate text-center text-sm text-ink-soft">
        {t('again.text', { sport: t(`shell:sport.${sport_type}`), center })}
      </p>
      {is_open && (
        <Sheet open onOpenChange={setOpen} title={t('again.title')} description={center}>
          <StartButtons center={{ id, name: center, sports: [sport_type] }} intensity={activity.intensity} />
        </Sheet>
      )}
    </div>
  );
}
