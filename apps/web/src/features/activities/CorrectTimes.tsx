import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverClock } from '#web/shared/api/client.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Field } from '#web/shared/ui/Field.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import type { ActivityView } from './activity-view.ts';
import { type EditForm, editFormOf, freeTimes, readEdit, type TimeRange } from './edit.ts';
import { formatTimes, toLocalInput } from './times.ts';
import { useActivities } from './use-activities.ts';
import { useSteps } from './use-steps.ts';

const MINUTE_MS = 60_000;

interface CorrectTimesProps {
  activity: ActivityView;
  /** The server has the start already; only the end can still be said otherwise. */
  keep_start: boolean;
}

/** Two activities ran into each other: proposes the part that is free, and sends it instead. */
export function CorrectTimes({ activity, keep_start }: CorrectTimesProps) {
  const { t } = useTranslation('history');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" wide onClick={() => setAsking(true)}>
        {t('correct.action')}
      </Button>
      {asking && (
        <Sheet open onOpenChange={setAsking} title={t('correct.title')} description={t('correct.overlap')}>
          <TimesForm activity={activity} keep_start={keep_start} onDone={() => setAsking(false)} />
        </Sheet>
      )}
    </>
  );
}

function TimesForm({ activity, keep_start, onDone }: CorrectTimesProps & { onDone: () => void }) {
  const { t } = useTranslation('history');
  const { retryRefused } = useSteps();
  const others = useOverlapping(activity);
  const [form, setForm] = useState(() => freeForm(activity, others.map(rangeOf), keep_start));
  const { changes, wrong } = readEdit(form, activity, serverClock.correctedNow());
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!changes) return;
    const { started_at, ended_at } = changes;
    void retryRefused(activity.client_id, {
      ...(started_at ? { started_at } : {}),
      ...(ended_at ? { ended_at } : {}),
    });
    onDone();
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <ul className="flex flex-col gap-1 text-[0.9375rem] text-ink-soft">
        {others.map((other) => (
          <Other key={other.client_id} activity={other} />
        ))}
      </ul>
      {!keep_start && (
        <Field
          type="datetime-local"
          label={t('edit.started')}
          value={form.started}
          onChange={(event) => setForm({ ...form, started: event.target.value })}
        />
      )}
      <Field
        type="datetime-local"
        label={t('edit.ended')}
        value={form.ended}
        onChange={(event) => setForm({ ...form, ended: event.target.value })}
        error={wrong.times ? t('edit.timesWrong') : null}
      />
      <Button type="submit" wide disabled={!changes}>
        {t('correct.save')}
      </Button>
    </form>
  );
}

function Other({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation(['history', 'shell']);
  const language = useLanguage();
  const { from, to } = rangeOf(activity);
  const times = formatTimes(from, to, language);
  const about = { sport: t(`shell:sport.${activity.sport_type}`), center: activity.sport_center_name, times };
  return <li className="figures">{t('correct.overlapWith', about)}</li>;
}

/** A running one takes all the time from its start. */
function rangeOf({ started_at, ended_at }: ActivityView): TimeRange {
  return { from: Date.parse(started_at), to: ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at) };
}

function useOverlapping(activity: ActivityView): ActivityView[] {
  const { activities } = useActivities();
  const own = rangeOf(activity);
  return activities.filter((other) => {
    const { from, to } = rangeOf(other);
    // A rejected one still took its time.
    return other.client_id !== activity.client_id && other.proof !== 'refused' && from < own.to && to > own.from;
  });
}

function freeForm(activity: ActivityView, others: TimeRange[], keep_start: boolean): EditForm {
  const form = editFormOf(activity);
  const free = freeTimes(rangeOf(activity), others, keep_start);
  if (!free) return form;
  const { from, to } = free;
  const own = rangeOf(activity);
  return {
    ...form,
    // Fields know no seconds: the free part begins with the next full minute and ends with the last one.
    started: from === own.from ? form.started : toLocalInput(from + MINUTE_MS - 1),
    ended: to === own.to ? form.ended : toLocalInput(to),
  };
}
