import { type KeyboardEvent, useId, useRef } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { classes } from '#web/shared/ui/classes.ts';
import type { ActivityView } from '../record/activity-view.ts';
import { formatLongDay, formatMonth } from '../record/times.ts';
import { dateForKey, weeksOfMonth } from './calendar.ts';

/** More dots could not be told apart. */
const MAX_DOTS = 3;
/** An arbitrary week that starts on a Monday, for the names of the weekdays. */
const A_WEEK = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'];

interface CalendarGridProps {
  /** 'YYYY-MM' */
  month: string;
  today: string;
  selected: string;
  days: ReadonlyMap<string, ActivityView[]>;
  onSelect: (date: string) => void;
}

/**
 * A month as a grid: one tab stop, arrow keys inside, and every day names its number of activities to a screen reader.
 */
export function CalendarGrid({ month, today, selected, days, onSelect }: CalendarGridProps) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const grid = useRef<HTMLTableElement>(null);
  const hint = useId();
  function move(event: KeyboardEvent): void {
    const target = dateForKey(selected, event.key);
    if (target === null) return;
    event.preventDefault();
    onSelect(target);
    grid.current?.querySelector<HTMLElement>(`[data-date="${target}"]`)?.focus();
  }
  return (
    <>
      <p id={hint} className="sr-only">
        {t('calendar.keys')}
      </p>
      <table
        ref={grid}
        aria-label={t('calendar.grid', { month: formatMonth(month, locale) })}
        aria-describedby={hint}
        className="w-full table-fixed border-collapse"
        onKeyDown={move}
      >
        <thead>
          <tr>
            {A_WEEK.map((date) => (
              <WeekdayName key={date} date={date} />
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(month).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, index) => (
                <td key={date ?? A_WEEK[index]} className="p-0">
                  {date && (
                    <DayButton
                      date={date}
                      activities={days.get(date) ?? []}
                      is_today={date === today}
                      is_selected={date === selected}
                      onSelect={onSelect}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function WeekdayName({ date }: { date: string }) {
  const locale = useLocale();
  const name = (weekday: 'narrow' | 'long') =>
    new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(Date.parse(`${date}T12:00:00Z`));
  return (
    <th scope="col" className="h-8 text-sm font-medium text-ink-faint">
      <span aria-hidden="true">{name('narrow')}</span>
      <span className="sr-only">{name('long')}</span>
    </th>
  );
}

interface DayButtonProps {
  date: string;
  activities: ActivityView[];
  is_today: boolean;
  is_selected: boolean;
  onSelect: (date: string) => void;
}

function DayButton({ date, activities, is_today, is_selected, onSelect }: DayButtonProps) {
  const { t } = useTranslation('history');
  const day = formatLongDay(date, useLocale());
  const count = t('count', { count: activities.length });
  return (
    <button
      type="button"
      data-date={date}
      tabIndex={is_selected ? 0 : -1}
      aria-current={is_today ? 'date' : undefined}
      aria-pressed={is_selected}
      aria-label={
        activities.length === 0 ? t('calendar.day', { date: day }) : t('calendar.dayWith', { date: day, count })
      }
      onClick={() => onSelect(date)}
      className={classes(
        'pressable flex h-13 w-full flex-col items-center justify-center gap-1 rounded-md',
        is_selected ? 'bg-ink text-page' : is_today ? 'inset-ring-2 inset-ring-line' : '',
        activities.length === 0 && !is_selected && 'text-ink-soft',
      )}
    >
      <span className={classes('figures leading-none', activities.length > 0 && 'font-bold')}>
        {Number(date.slice(8))}
      </span>
      <span aria-hidden="true" className="flex h-2 gap-1">
        {activities.slice(0, MAX_DOTS).map((activity) => (
          <Dot key={activity.client_id} activity={activity} />
        ))}
      </span>
    </button>
  );
}

/** In the sport's colour: filled once the activity is validated, a ring before. */
function Dot({ activity: { sport_type, status } }: { activity: ActivityView }) {
  const { dot, ring } = SPORT_LOOKS[sport_type];
  return <span className={`size-2 rounded-full ${status === 'validated' ? dot : `inset-ring-2 ${ring}`}`} />;
}
