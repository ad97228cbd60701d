import { MAX_REASON_LENGTH } from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';

type Days = OpeningHours['closed_days'][number];

interface ClosedDaysRowProps {
  days: Days;
  /** A local date. */
  today: string;
  onChange: (days: Days) => void;
  onRemove: () => void;
}

/** A day, or several in a row, on which the center does not open. */
export function ClosedDaysRow({ days: { from, until, reason }, today, onChange, onRemove }: ClosedDaysRowProps) {
  const { t } = useTranslation('center-management');
  const days = { from, until, reason };
  // The last day follows the first one, until it is chosen apart.
  const begin = (date: string) =>
    onChange({ ...days, from: date, until: until === from || until < date ? date : until });
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3 [&_input]:min-h-12">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(170px,1fr))] gap-2">
        <Field
          label={t('hours.from')}
          type="date"
          value={from}
          min={today}
          className="figures min-w-0 flex-1"
          onChange={(event) => begin(event.target.value)}
        />
        <Field
          label={t('hours.until')}
          type="date"
          value={until}
          min={from}
          className="figures min-w-0 flex-1"
          onChange={(event) => onChange({ ...days, until: event.target.value })}
        />
      </div>
      <div className="flex items-end gap-2">
        <Field
          label={t('hours.reason')}
          value={reason ?? ''}
          maxLength={MAX_REASON_LENGTH}
          className="min-w-0 flex-1"
          onChange={(event) => onChange({ ...days, reason: event.target.value })}
        />
        <IconButton icon="trash" label={t('hours.removeClosed')} onClick={onRemove} />
      </div>
    </div>
  );
}
