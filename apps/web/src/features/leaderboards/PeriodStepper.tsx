import type { Leaderboard } from '@sendlap/contract/leaderboards.ts';
import type { DateRange } from '@sendlap/domain/dates.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatDateRange, formatDateRangeWithYear } from '#web/shared/time/format-date-range.ts';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import type { BoardFilter } from './board-filter.ts';
import { adjacentPeriodKey, isBoardKey, periodRange, recencyOf, titleParts } from './periods.ts';

interface PeriodStepperProps {
  filter: BoardFilter;
  /** null: loading. */
  page: Leaderboard | null;
  /** Local date in this device's time zone, by server time. */
  today: string;
  /** The key of the current week or season; null: the board is of all time. */
  current_key: string | null;
  onChange: (filter: BoardFilter) => void;
}

/** The board's week or season, with the previous and the next one a tap away. */
export function PeriodStepper({ filter, page, today, current_key, onChange }: PeriodStepperProps) {
  const { t } = useTranslation('leaderboards');
  const locale = useLocale();
  const { period } = filter;
  const athletes = page && page.total > 0 ? t('athletes', { count: page.total }) : null;
  if (period === 'all' || current_key === null) return <Heading title={t('allTime')} facts={[athletes]} />;
  const key = filter.key ?? page?.period.key ?? current_key;
  const recency = recencyOf(period, key, current_key);
  const [previous_key, next_key] = [adjacentPeriodKey(period, key, -1), adjacentPeriodKey(period, key, 1)];
  // Disabled only by aria: the button keeps the focus when the user reaches the last period.
  const renderStepButton = (icon: IconName, label: string, to: string, is_disabled: boolean) => (
    <IconButton
      icon={icon}
      label={label}
      aria-disabled={is_disabled || undefined}
      className={is_disabled ? 'opacity-30' : ''}
      onClick={() => !is_disabled && onChange({ ...filter, key: to < current_key ? to : null })}
    />
  );
  const status = page && recency !== 'this' ? t(page.period.provisional ? 'open' : 'final') : null;
  return (
    <div className="-mx-2 flex items-center justify-between gap-1">
      {renderStepButton('chevron-left', t(`${period}.before`), previous_key, !isBoardKey(period, previous_key, today))}
      <Heading
        title={recency ? t(`${period}.${recency}`) : t(`${period}.title`, titleParts(key))}
        facts={[formatDates(periodRange(period, key), today, locale), athletes, status]}
      />
      {renderStepButton('chevron-right', t(`${period}.after`), next_key, filter.key === null || key >= current_key)}
    </div>
  );
}

function Heading({ title, facts }: { title: string; facts: (string | null)[] }) {
  return (
    <div className="min-w-0 flex-1 text-center">
      <h2 className="text-lg leading-[1.33] font-bold">{title}</h2>
      <p className="figures min-h-[1.5rem] text-sm leading-[1.71] text-ink-soft">
        {facts.filter((fact) => fact !== null).join('\u00a0· ')}
      </p>
    </div>
  );
}

/** E.g. 16–22 Nov, with the year if it is not the current one. */
function formatDates(range: DateRange, today: string, locale: string): string {
  const is_this_year = [range.starts_on, range.ends_on].every((date) => date.slice(0, 4) === today.slice(0, 4));
  return is_this_year ? formatDateRange(range, locale) : formatDateRangeWithYear(range, locale);
}
