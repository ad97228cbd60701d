import { type FormEvent, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { useActivityOps } from '../ops/use-activity-ops.ts';
import { useFailureToast } from '../ops/use-failure-toast.ts';

/** The API contract's limit, in characters. */
const MAX_REASON = 500;

/** A rejected activity can be appealed once to another referee: one tap, with or without a reason. */
export function AppealCard({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('proofs');
  const { appealActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const [reason, setReason] = useState('');
  const [saving, setSaving] = useState(false);
  if (!activity.can_appeal) return <p className="px-2 text-center text-label text-ink-soft">{t('appeal.used')}</p>;
  async function appeal(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaving(true);
    try {
      await appealActivity(activity, reason.trim());
      toast({ title: t('appeal.done'), tone: 'success' });
    } catch (error) {
      setSaving(false);
      showFailure(error, t('appeal.notSaved'));
    }
  }
  return (
    <Card as="section">
      <form className="flex flex-col gap-3" onSubmit={(event) => void appeal(event)}>
        <div>
          <h2 className="font-bold">{t('appeal.title')}</h2>
          <p className="text-label text-ink-soft">{t('appeal.text')}</p>
        </div>
        <Field
          label={t('appeal.reason')}
          value={reason}
          maxLength={MAX_REASON}
          onChange={(event) => setReason(event.target.value)}
          className="[&_div]:bg-sunken"
        />
        <Button type="submit" wide busy={saving}>
          {t('appeal.action')}
        </Button>
      </form>
    </Card>
  );
}
