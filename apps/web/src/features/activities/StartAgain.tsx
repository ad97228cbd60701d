import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { type ActivityView, runningOf } from './activity-view.ts';
import { activityPath } from './links.ts';
import { useActivities } from './use-activities.ts';
import { useSteps } from './use-steps.ts';

/** The same again: same place, same sport, same intensity. Nothing while another one runs. */
export function StartAgain({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['history', 'shell', 'activities']);
  const { activities } = useActivities();
  const { startActivity } = useSteps();
  const errorText = useOutboxErrorText();
  const [, navigate] = useLocation();
  const [saving, setSaving] = useState(false);
  const { sport_center_id, sport_center_name, sport_type, intensity } = activity;
  if (runningOf(activities)) return null;
  async function start(): Promise<void> {
    setSaving(true);
    try {
      const place = { id: sport_center_id, name: sport_center_name, sports: [sport_type] };
      navigate(activityPath(await startActivity(place, sport_type, intensity ?? 'moderate')));
    } catch (error) {
      setSaving(false);
      toast({ title: t('activities:start.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
    }
  }
  return (
    <div>
      <Button kind="secondary" icon="play" wide busy={saving} onClick={() => void start()}>
        {t('again.action')}
      </Button>
      <p className="mt-1.5 truncate text-center text-sm text-ink-soft">
        {t('again.text', { sport: t(`shell:sport.${sport_type}`), center: sport_center_name })}
      </p>
    </div>
  );
}
