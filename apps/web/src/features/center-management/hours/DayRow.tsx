import { MAX_INTERVALS_A_DAY } from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';

type Intervals = OpeningHours['weekly'][number];

/** What a first and a later interval of a day begin with. */
const FIRST = { opens: '09:00', closes: '21:00' };
const LATER = { opens: '', closes: '' };

const ROWS = ['first', 'second', 'third', 'fourth'];

interface DayRowProps {
  /** Of the day. */
  name: string;
  intervals: Intervals;
  onChange: (intervals: Intervals) => void;
  /** Copies the day to all others. */
  onCopy?: (() => void) | undefined;
}

/** One day of the week with its intervals. */
export function DayRow({ name, intervals, onChange, onCopy }: DayRowProps) {
  const { t } = useTranslation('center-management');
  const set = (at: number, part: Partial<Intervals[number]>) =>
    onChange(intervals.map((interval, i) => (i === at ? { ...interval, ...part } : interval)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium first-letter:uppercase">{name}</legend>
      {intervals.map((interval, at) => (
        <div key={ROWS[at]} className="flex items-center gap-1.5">
          <Field
            label={t('hours.opens', { day: name })}
            label_hidden
            type="time"
            value={interval.opens}
            className="figures min-w-0 flex-1 [&>div]:bg-sunken [&>div]:pr-2 [&>div]:pl-3 [&_input]:text-label"
            onChange={(event) => set(at, { opens: event.target.value })}
          />
          <span aria-hidden="true">–</span>
          <Field
            label={t('hours.closes', { day: name })}
            label_hidden
            type="time"
            value={interval.closes}
            className="figures min-w-0 flex-1 [&>div]:bg-sunken [&>div]:pr-2 [&>div]:pl-3 [&_input]:text-label"
            onChange={(event) => set(at, { closes: event.target.value })}
          />
          <IconButton
            icon="trash"
            label={t('hours.remove', { day: name })}
            onClick={() => onChange(intervals.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-x-2">
        {intervals.length === 0 && (
          <span className="flex min-h-12 items-center text-ink-faint">{t('hours.closed')}</span>
        )}
        {intervals.length < MAX_INTERVALS_A_DAY && (
          <Button
            kind="quiet"
            size="sm"
            icon="plus"
            aria-label={t('hours.addTo', { day: name })}
            onClick={() => onChange([...intervals, intervals.length === 0 ? FIRST : LATER])}
          >
            {t('hours.add')}
          </Button>
        )}
        {onCopy && (
          <Button kind="quiet" size="sm" icon="copy" onClick={onCopy}>
            {t('hours.copy')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
