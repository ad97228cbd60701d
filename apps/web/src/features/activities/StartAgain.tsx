import { useState } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { type ActivityView, runningOf } from './activity-view.ts';
import { IntensityChoice } from './IntensityChoice.tsx';
import { activityPath } from './links.ts';
import { SPORT_LOOKS } from './sport-look.ts';
import { useActivities } from './use-activities.ts';
import { useSteps } from './use-steps.ts';

/** The same place and sport again, once the athlete has said how hard. Nothing while another activity runs. */
export function StartAgain({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['history', 'shell']);
  const { activities } = useActivities();
  const [asking, setAsking] = useState(false);
  if (runningOf(activities)) return null;
  const { sport_center_name: center, sport_type } = activity;
  return (
    <div>
      <Button kind="secondary" icon="play" wide onClick={() => setAsking(true)}>
        {t('again.action')}
      </Button>
      <p className="mt-1.5 truncate text-center text-sm text-ink-soft">
        {t('again.text', { sport: t(`shell:sport.${sport_type}`), center })}
      </p>
      {asking && <StartSheet activity={activity} onClose={() => setAsking(false)} />}
    </div>
  );
}

function StartSheet({ activity, onClose }: { activity: ActivityView; onClose: () => void }) {
  const { t } = useTranslation(['history', 'activities']);
  const { startActivity } = useSteps();
  const errorText = useOutboxErrorText();
  const [, navigate] = useLocation();
  const [intensity, setIntensity] = useState(activity.intensity ?? 'moderate');
  const [saving, setSaving] = useState(false);
  const { sport_center_id: id, sport_center_name: name, sport_type } = activity;
  const { tone, icon } = SPORT_LOOKS[sport_type];
  async function start(): Promise<void> {
    setSaving(true);
    try {
      navigate(activityPath(await startActivity({ id, name, sports: [sport_type] }, sport_type, intensity)));
    } catch (error) {
      setSaving(false);
      toast({ title: t('activities:start.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
    }
  }
  return (
    <Sheet open onOpenChange={onClose} title={t('again.title')} description={name}>
      <div className="flex flex-col gap-4">
        <IntensityChoice value={intensity} onChange={setIntensity} />
        <Button kind={tone} icon={icon} size="lg" wide busy={saving} onClick={() => void start()}>
          {t(`activities:start.${sport_type}`)}
        </Button>
      </div>
    </Sheet>
  );
}
