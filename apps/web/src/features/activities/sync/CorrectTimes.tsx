import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { visitOf } from '@sendlap/domain/recording/overlaps.ts';
import { MAX_ACTIVITY_DURATION_MS, USUAL_VISIT_MS } from '@sendlap/domain/scan-checks.ts';
import { type FormEvent, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CLOCK_UNSURE } from '#web/shared/outbox/store/records.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { toLocalInput } from '../data/times.ts';
import { useActivities } from '../data/use-activities.ts';
import { type EditForm, findLongestFreeRange, parseEditForm, type TimeRange, toEditForm } from '../ops/edit.ts';
import { listOverlapping } from './overlap.ts';
import { useRefusedOps } from './use-refused-ops.ts';
import { useTimesText } from './use-times-text.ts';

interface CorrectTimesProps {
  activity: ActivityView;
  /** The error code with which the server refused the activity. */
  code: string;
  /** The server already has the start; only the end can still change. */
  keep_start: boolean;
  /** Default: "Correct the time". */
  label?: string;
}

const DESCRIPTIONS = {
  activity_overlap: 'correct.overlap',
  activity_duration_invalid: 'correct.tooLong',
  activity_in_future: 'correct.clock',
  activity_too_old: 'correct.clock',
  [CLOCK_UNSURE]: 'correct.clock',
} as const;

/** Whether corrected times may fix a refusal with this code. */
export function isCorrectable(code: string): code is keyof typeof DESCRIPTIONS {
  return Object.hasOwn(DESCRIPTIONS, code);
}

/** For activities that overlap, or one without an end: proposes times that are possible and resends with them. */
export function CorrectTimes({ activity, code, keep_start, label }: CorrectTimesProps) {
  const { t } = useTranslation('history');
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" wide onClick={() => setOpen(true)}>
        {label ?? t('correct.action')}
      </Button>
      {is_open && (
        <Sheet
          open
          onOpenChange={setOpen}
          title={t('correct.title')}
          description={t(isCorrectable(code) ? DESCRIPTIONS[code] : 'correct.clock')}
        >
          <TimesForm activity={activity} keep_start={keep_start} onDone={() => setOpen(false)} />
        </Sheet>
      )}
    </>
  );
}

function TimesForm({
  activity,
  keep_start,
  onDone,
}: Pick<CorrectTimesProps, 'activity' | 'keep_start'> & { onDone: () => void }) {
  const { t } = useTranslation(['history', 'shell']);
  const timesText = useTimesText();
  const { retry } = useRefusedOps(activity.client_id);
  // The device's notes say how much of the pauses lies between the new times.
  const unpaused = { ...activity, paused_s: 0 };
  const others = listOverlapping(activity, useActivities().activities);
  const [typed, setTyped] = useState<Partial<EditForm>>({});
  // The other activity may load only now: fields that the athlete has not edited follow it.
  const now = serverClock.correctedNow();
  const form = { ...proposeTimes(unpaused, { others: others.map(rangeOf), keep_start, now }), ...typed };
  const { changes, invalid } = parseEditForm(form, unpaused, now);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!changes) return;
    const { started_at, ended_at } = changes;
    void retry({ ...(started_at ? { started_at } : {}), ...(ended_at ? { ended_at } : {}) });
    onDone();
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <ul className="flex flex-col gap-1 text-label text-ink-soft">
        {others.map((other) => (
          <li key={other.client_id} className="figures">
            {t('correct.overlapWith', {
              sport: t(`shell:sport.${other.sport_type}`),
              center: other.sport_center_name,
              times: timesText(visitOf(other)),
            })}
          </li>
        ))}
      </ul>
      {!keep_start && (
        <Field
          type="datetime-local"
          label={t('edit.started')}
          value={form.started}
          onChange={(event) => setTyped({ ...typed, started: event.target.value })}
        />
      )}
      <Field
        type="datetime-local"
        label={t('edit.ended')}
        value={form.ended}
        onChange={(event) => setTyped({ ...typed, ended: event.target.value })}
        error={invalid.times ? t('edit.timesWrong') : null}
      />
      <Button type="submit" wide disabled={!changes}>
        {t('correct.save')}
      </Button>
    </form>
  );
}

/** A running activity takes all the time from its start. */
function rangeOf({ started_at, ended_at }: ActivityView): TimeRange {
  return { from: Date.parse(started_at), to: ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at) };
}

interface Taken {
  others: TimeRange[];
  keep_start: boolean;
  /** ms epoch by the server's clock */
  now: number;
}

function proposeTimes(activity: ActivityView, { others, keep_start, now }: Taken): EditForm {
  const form = toEditForm(activity);
  const ahead_ms = activity.ended_at === null ? 0 : Date.parse(activity.ended_at) - now;
  // By a clock that was ahead: propose that it ended now.
  if (ahead_ms > 0) {
    const started = keep_start ? form.started : toLocalInput(Date.parse(activity.started_at) - ahead_ms);
    return { ...form, started, ended: toLocalInput(now) };
  }
  const free_range = findLongestFreeRange(rangeOf(activity), others, keep_start);
  if (!free_range) return form;
  const { from, to: free_to } = free_range;
  const own = rangeOf(activity);
  // An activity that the athlete never finished: propose the length of a usual visit.
  const to = free_to - from > MAX_ACTIVITY_DURATION_MS ? from + USUAL_VISIT_MS : free_to;
  return {
    ...form,
    // The fields have no seconds: round the start up to the next full minute and the end down to the last one.
    started: from === own.from ? form.started : toLocalInput(from + MINUTE_MS - 1),
    ended: to === own.to ? form.ended : toLocalInput(to),
  };
}
