import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { type ActivityView, findRunning } from './data/activity-view.ts';
import { useActivities } from './data/use-activities.ts';
import { useStart } from './use-start.ts';

/**
 * Starts the same sport at the same center again; the screen that opens can delete it. Hidden while another activity
 * runs.
 */
export function StartAgain({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['history', 'shell']);
  const { activities } = useActivities();
  const { saving, start } = useStart();
  if (findRunning(activities)) return null;
  const { sport_center_id: id, sport_center_name: name, sport_type, intensity } = activity;
  return (
    <div>
      <Button
        kind="secondary"
        icon="play"
        wide
        busy={saving !== null}
        onClick={() => void start({ id, name, sports: [sport_type] }, sport_type, intensity)}
      >
        {t('again.action')}
      </Button>
      <p className="mt-1.5 text-center text-sm text-ink-soft wrap-break-word">
        {t('again.text', { sport: t(`shell:sport.${sport_type}`), center: name })}
      </p>
    </div>
  );
}
