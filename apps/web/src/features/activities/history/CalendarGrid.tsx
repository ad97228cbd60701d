import { type KeyboardEvent, useId, useRef } from 'react';
import { dateFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { firstWeekday } from '#web/shared/time/first-weekday.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Swatch, type SwatchLook } from '#web/shared/ui/Swatch.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { formatLongDay, formatMonth } from '../data/times.ts';
import { unconfirmedState } from '../data/week.ts';
import { anyWeek, dateForKey, weeksOfMonth } from './calendar.ts';

/** More marks could not be told apart. */
const MAX_MARKS = 3;

interface CalendarGridProps {
  /** 'YYYY-MM' */
  month: string;
  today: string;
  selected: string;
  days: ReadonlyMap<string, ActivityView[]>;
  /** ms epoch by the server's clock. */
  now: number;
  onSelect: (date: string) => void;
}

/**
 * A month as a grid: one tab stop, arrow keys inside, and every day names its number of activities to a screen reader.
 */
export function CalendarGrid({ month, today, selected, days, now, onSelect }: CalendarGridProps) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const grid = useRef<HTMLTableElement>(null);
  const hint = useId();
  const first_weekday = firstWeekday(locale);
  const a_week = anyWeek(first_weekday);
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
            {a_week.map((date) => (
              <WeekdayName key={date} date={date} />
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(month, first_weekday).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, index) => (
                <td key={date ?? a_week[index]} className="p-0">
                  {date && (
                    <DayButton
                      date={date}
                      activities={days.get(date) ?? []}
                      now={now}
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
    dateFormat(locale, { weekday, timeZone: 'UTC' }).format(Date.parse(`${date}T12:00:00Z`));
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
  now: number;
  is_today: boolean;
  is_selected: boolean;
  onSelect: (date: string) => void;
}

function DayButton({ date, activities, now, is_today, is_selected, onSelect }: DayButtonProps) {
  const { t } = useTranslation('history');
  const day = formatLongDay(date, useLocale());
  const count = useDayText(activities, now);
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
      <span aria-hidden="true" className="flex h-2.5 w-full justify-center gap-0.5 px-1">
        {activities.slice(0, MAX_MARKS).map((activity) => (
          <Swatch
            key={activity.client_id}
            look={lookOf(activity, now)}
            className={`h-2.5 max-w-6 flex-1 ${is_selected ? 'text-page' : SPORT_LOOKS[activity.sport_type].mark}`}
          />
        ))}
      </span>
    </button>
  );
}

/** Returns the number of a day's activities, and how many of them wait or were not confirmed. */
function useDayText(activities: ActivityView[], now: number): string {
  const { t } = useTranslation('history');
  const states = activities.map((activity) => unconfirmedState(activity, now));
  const waiting = states.filter((state) => state === 'waiting').length;
  const expired = states.filter((state) => state === 'expired').length;
  return [
    t('count', { count: activities.length }),
    ...(waiting > 0 ? [t('calendar.waiting', { count: waiting })] : []),
    ...(expired > 0 ? [t('calendar.expired', { count: expired })] : []),
  ].join(', ');
}

/** Filled once the activity is validated, hatched before, an outline if it was turned down. */
function lookOf(activity: ActivityView, now: number): SwatchLook {
  if (activity.status === 'validated') return 'solid';
  return unconfirmedState(activity, now) === null ? 'outline' : 'hatched';
}
