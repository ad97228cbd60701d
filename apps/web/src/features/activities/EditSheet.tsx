import { countsIntensity, hasDistance, MAX_DISTANCE_M } from '@sendlap/domain/sports.ts';
import { floorToUnit } from '@sendlap/domain/units.ts';
import { type FormEvent, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import type { ActivityView } from './data/activity-view.ts';
import { useMyCenters } from './data/use-activities.ts';
import { isConfirmable } from './data/week.ts';
import { type EditForm, parseEditForm, toEditForm } from './ops/edit.ts';
import { useActivityOps } from './ops/use-activity-ops.ts';
import { useFailureToast } from './ops/use-failure-toast.ts';
import { IntensityChoice } from './running/IntensityChoice.tsx';

interface EditSheetProps {
  activity: ActivityView;
  onClose: () => void;
}

/** Corrects the activity's details; warns beforehand if the correction voids a proof. Works offline. */
export function EditSheet({ activity, onClose }: EditSheetProps) {
  const { t } = useTranslation('history');
  const { editActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const centers = useMyCenters();
  const { swimming: unit } = useUnits();
  const [form, setForm] = useState<EditForm>(() => toEditForm(activity, unit));
  const [saving, setSaving] = useState(false);
  const { changes, invalid } = parseEditForm(form, activity, serverClock.correctedNow(), unit);
  const set = (change: Partial<EditForm>) => setForm({ ...form, ...change });

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!changes) return;
    setSaving(true);
    try {
      await editActivity(activity, changes, centers.find((center) => center.id === changes.sport_center_id)?.name);
      toast({ title: t('edit.saved'), tone: 'success' });
      onClose();
    } catch (error) {
      setSaving(false);
      showFailure(error, t('edit.notSaved'));
    }
  }

  return (
    <Sheet open onOpenChange={onClose} title={t('edit.title')}>
      <form className="flex flex-col gap-5" onSubmit={(event) => void save(event)}>
        {activity.status === 'validated' && <Warning ended_at={changes?.ended_at ?? activity.ended_at} />}
        <div className="flex flex-col gap-3">
          <Field
            type="datetime-local"
            label={t('edit.started')}
            value={form.started}
            onChange={(event) => set({ started: event.target.value })}
          />
          <Field
            type="datetime-local"
            label={t('edit.ended')}
            value={form.ended}
            onChange={(event) => set({ ended: event.target.value })}
            error={invalid.times ? t('edit.timesWrong') : null}
          />
          <Field
            inputMode="numeric"
            label={t('edit.paused')}
            value={form.paused}
            onChange={(event) => set({ paused: event.target.value })}
            error={invalid.pause && !invalid.times ? t('edit.pausedWrong') : null}
          />
        </div>
        {hasDistance(activity.sport_type) && (
          <Field
            inputMode="numeric"
            label={t(`edit.distance.${unit}`)}
            hint={t('edit.distanceHint')}
            value={form.distance}
            onChange={(event) => set({ distance: event.target.value })}
            error={
              invalid.distance ? t(`edit.distanceWrong.${unit}`, { max: floorToUnit(MAX_DISTANCE_M, unit) }) : null
            }
          />
        )}
        {countsIntensity(activity.sport_type) && (
          <IntensityChoice value={form.intensity} onChange={(intensity) => set({ intensity })} />
        )}
        {centers.length > 1 && (
          <Centers value={form.sport_center_id} centers={centers} onChange={(id) => set({ sport_center_id: id })} />
        )}
        <div>
          <Button type="submit" wide busy={saving} disabled={!changes}>
            {t('edit.save')}
          </Button>
          {!changes && !Object.values(invalid).includes(true) && (
            <p className="mt-2 text-center text-sm text-ink-soft">{t('edit.nothing')}</p>
          )}
        </div>
      </form>
    </Sheet>
  );
}

/** A proof is given within 12 hours of the end (ISO 8601); after that, a voided proof cannot be replaced. */
function Warning({ ended_at }: { ended_at: string | null }) {
  const { t } = useTranslation('history');
  const provable = isConfirmable({ status: 'finished', ended_at }, serverClock.correctedNow());
  return (
    <Card tone="accent">
      <p className="font-bold text-accent-ink">{t(provable ? 'edit.warnTitle' : 'edit.warnOverTitle')}</p>
      <p className="mt-0.5 text-label">{t(provable ? 'edit.warnText' : 'edit.warnOverText')}</p>
    </Card>
  );
}

interface CentersProps {
  value: string;
  centers: { id: string; name: string }[];
  onChange: (sport_center_id: string) => void;
}

/** The center where the activity really was, chosen from the centers of my last activities. */
function Centers({ value, centers, onChange }: CentersProps) {
  const { t } = useTranslation('history');
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-label font-medium text-ink-soft">{t('edit.center')}</legend>
      <div className="flex flex-wrap gap-2 [&>button]:max-w-full [&>button]:bg-sunken [&>button[aria-pressed=true]]:bg-accent">
        {centers.map(({ id, name }) => (
          <Chip key={id} selected={id === value} onClick={() => onChange(id)}>
            {name}
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}
