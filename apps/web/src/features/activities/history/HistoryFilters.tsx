import { SPORTS } from '@sendlap/domain/sports.ts';
import { type FormEvent, useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDate } from '#web/shared/time/format-date.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { HISTORY_STATUSES, type HistoryFilter } from '../data/history-filter.ts';

interface HistoryFiltersProps {
  filter: HistoryFilter;
  /** False in the calendar, which has its own dates. */
  has_dates: boolean;
  onChange: (filter: HistoryFilter) => void;
}

/** Sport, proof and dates; each chip is a toggle. */
export function HistoryFilters({ filter, has_dates, onChange }: HistoryFiltersProps) {
  const { t } = useTranslation(['history', 'shell']);
  const [is_picking_dates, setPickingDates] = useState(false);
  const has_range = filter.from !== null || filter.to !== null;
  const setRange = (from: string | null, to: string | null) => {
    setPickingDates(false);
    onChange({ ...filter, from, to });
  };
  return (
    <>
      <fieldset
        ref={scrollToPressed}
        className="-mx-[16px] flex min-w-0 gap-2 overflow-x-auto px-[16px] py-1 [scrollbar-width:none] wide:flex-wrap"
      >
        <legend className="sr-only">{t('filter.label')}</legend>
        {SPORTS.map((sport) => (
          <Chip
            key={sport}
            selected={filter.sport === sport}
            tone={SPORT_LOOKS[sport].tone}
            icon={SPORT_LOOKS[sport].icon}
            onClick={() => onChange({ ...filter, sport: filter.sport === sport ? null : sport })}
          >
            {t(`shell:sport.${sport}`)}
          </Chip>
        ))}
        {has_dates && (
          <Chip
            selected={has_range}
            icon={has_range ? 'x' : 'calendar'}
            onClick={() => (has_range ? setRange(null, null) : setPickingDates(true))}
          >
            <RangeText filter={filter} />
          </Chip>
        )}
        {HISTORY_STATUSES.map((status) => (
          <Chip
            key={status}
            selected={filter.status === status}
            onClick={() => onChange({ ...filter, status: filter.status === status ? null : status })}
          >
            {t(`status.${status}`)}
          </Chip>
        ))}
      </fieldset>
      <Sheet open={is_picking_dates} onOpenChange={setPickingDates} title={t('filter.dates')}>
        <RangeForm onSave={setRange} />
      </Sheet>
    </>
  );
}

/** The chips are wider than a phone: scroll the pressed one into view. */
function scrollToPressed(chips: HTMLElement | null): void {
  chips?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

function RangeText({ filter: { from, to } }: Pick<HistoryFiltersProps, 'filter'>) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const text = (date: string) => formatDate(date, locale);
  if (from && to) return t('filter.between', { from: text(from), to: text(to) });
  if (from) return t('filter.since', { from: text(from) });
  return to ? t('filter.until', { to: text(to) }) : t('filter.dates');
}

function RangeForm({ onSave }: { onSave: (from: string | null, to: string | null) => void }) {
  const { t } = useTranslation('history');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const wrong = from !== '' && to !== '' && from > to;
  const empty = from === '' && to === '';
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!wrong && !empty) onSave(from || null, to || null);
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field type="date" label={t('filter.from')} value={from} onChange={(event) => setFrom(event.target.value)} />
      <Field
        type="date"
        label={t('filter.to')}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        error={wrong ? t('filter.wrong') : null}
      />
      <Button type="submit" wide disabled={wrong || empty}>
        {t('filter.apply')}
      </Button>
    </form>
  );
}
