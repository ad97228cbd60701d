import { type CenterHours, MAX_CLOSED_DAYS } from '@sendlap/contract/center-management/center-hours.ts';
import { localDate } from '@sendlap/domain/dates.ts';
import { type FormEvent, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { FormButtons } from '#web/shared/ui/controls/FormButtons.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useReturnToSection } from '../section/use-return-to-section.ts';
import { ClosedDaysRow } from './ClosedDaysRow.tsx';
import { DayRow } from './DayRow.tsx';
import { weekdays } from './format-hours.ts';
import { Hours } from './Hours.tsx';
import { problemOf, toHours } from './hours-form.ts';
import { useUpdateHours } from './queries.ts';

interface HoursFormProps {
  id: string;
  /** The newest state; it may change while the form is open. */
  hours: CenterHours;
  onDone: () => void;
}

/** The week day by day, and the closed days that are not over. */
export function HoursForm({ id, hours, onDone }: HoursFormProps) {
  const form = useReturnToSection();
  const { t } = useTranslation(['center-management', 'shell']);
  const locale = useLocale();
  const errorText = useErrorText();
  const today = localDate(useServerNow(), hours.time_zone);
  const [weekly, setWeekly] = useState(hours.weekly);
  const [closed_days, setClosedDays] = useState(() =>
    hours.closed_days.filter(({ until }) => until >= today).map((days, row) => ({ ...days, row })),
  );
  const next_row = Math.max(-1, ...closed_days.map(({ row }) => row)) + 1;
  const [was_tried, setTried] = useState(false);
  const [opened_with] = useState(hours.version);
  const update = useUpdateHours(id);
  const problem = problemOf({ weekly, closed_days });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem !== null) return;
    const saved = () => {
      toast({ title: t('center-management:hours.saved'), tone: 'success' });
      onDone();
    };
    update.mutate({ version: hours.version, ...toHours({ weekly, closed_days }) }, { onSuccess: saved });
  };
  const replace = <Item,>(items: Item[], at: number, item: Item) => items.map((each, i) => (i === at ? item : each));
  const [monday = []] = weekly;
  return (
    <form ref={form} noValidate onSubmit={save} className="flex flex-col gap-4">
      {weekdays(locale).map(({ name, day }) => (
        <DayRow
          key={day}
          name={name}
          intervals={weekly[day] ?? []}
          onChange={(intervals) => setWeekly(replace(weekly, day, intervals))}
          onCopy={day === 0 && monday.length > 0 ? () => setWeekly(weekly.map(() => monday)) : undefined}
        />
      ))}
      <h3 className="mt-2 font-semibold">{t('center-management:hours.closedDays')}</h3>
      {closed_days.map((days, at) => (
        <ClosedDaysRow
          key={days.row}
          days={days}
          today={today}
          onChange={(changed) => setClosedDays(replace(closed_days, at, { ...changed, row: days.row }))}
          onRemove={() => setClosedDays(closed_days.filter((_, i) => i !== at))}
        />
      ))}
      {closed_days.length < MAX_CLOSED_DAYS && (
        <Button
          kind="secondary"
          size="sm"
          icon="plus"
          wide
          onClick={() => setClosedDays([...closed_days, { from: today, until: today, reason: null, row: next_row }])}
        >
          {t('center-management:hours.addClosed')}
        </Button>
      )}
      {was_tried && problem && <Problem>{t(`center-management:hours.problem.${problem}`)}</Problem>}
      {update.error && <Problem>{errorText(update.error)}</Problem>}
      {hours.version !== opened_with && (
        <div className="flex flex-col gap-2 rounded-md bg-sunken p-3">
          <p className="font-semibold">{t('center-management:hours.theirs')}</p>
          <Hours hours={hours} />
        </div>
      )}
      <FormButtons submit={t('shell:save')} busy={update.isPending} cancel={t('shell:cancel')} onCancel={onDone} />
    </form>
  );
}
