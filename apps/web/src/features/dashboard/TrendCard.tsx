import type { Trend, TrendWeek } from '@sendlap/contract/stats.ts';
import { addDays } from '@sendlap/domain/dates.ts';
import { WEEKLY_GOAL_POINTS } from '@sendlap/domain/scoring.ts';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';

const DAYS_TO_SUNDAY = 6;
/** The best week fills the chart, but the goal's line is at two thirds at most: a first week has to look small. */
const GOAL_MAX_SHARE = 2 / 3;

interface TrendCardProps {
  trend: Trend;
  /** False: the last week of the trend is over. */
  is_current_week: boolean;
}

/** The points of the last 12 weeks and the weekly goal. A finger or the arrow keys move from week to week. */
export function TrendCard({ trend: { weeks }, is_current_week }: TrendCardProps) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const current_index = weeks.length - 1;
  // null: the current week, even after the week changes.
  const [selected_index, setSelectedIndex] = useState<number | null>(null);
  const [first] = weeks;
  const last = weeks[current_index];
  const shown = weeks[selected_index ?? current_index] ?? last;
  if (!first || !last || !shown) return null;
  const describeWeek = (week: TrendWeek) =>
    t('trend.week', { count: week.points, dates: formatWeek(week.starts_on, locale) });
  return (
    <Card as="section" aria-labelledby="trend-title" className="flex flex-col gap-4 rounded-xl p-5">
      <div>
        <h2 id="trend-title" className="text-xl font-bold">
          {t('trend.title')}
        </h2>
        <p className="figures mt-1 flex flex-wrap items-baseline gap-x-2">
          <span className="text-[2rem] leading-tight font-extrabold">{shown.points.toLocaleString(locale)}</span>
          <span className="text-[0.9375rem] text-ink-soft">{formatWeek(shown.starts_on, locale)}</span>
        </p>
      </div>
      <div className="relative rounded-md has-focus-visible:outline-3 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
        <Bars weeks={weeks} shown={shown} />
        <input
          type="range"
          min={0}
          max={current_index}
          value={selected_index ?? current_index}
          aria-label={t('trend.label')}
          aria-valuetext={describeWeek(shown)}
          onChange={({ target }) => setSelectedIndex(Number(target.value))}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
        />
      </div>
      <p aria-hidden="true" className="figures -mt-1 flex justify-between text-xs text-ink-faint">
        <span>{formatDay(first.starts_on, locale)}</span>
        <span>{is_current_week ? t('trend.present') : formatDay(last.starts_on, locale)}</span>
      </p>
      <p className="text-sm text-ink-faint">{t('trend.goal', { goal: WEEKLY_GOAL_POINTS })}</p>
      <ol className="sr-only" aria-label={t('trend.title')}>
        {weeks.map((week) => (
          <li key={week.key}>{describeWeek(week)}</li>
        ))}
      </ol>
    </Card>
  );
}

function Bars({ weeks, shown }: { weeks: TrendWeek[]; shown: TrendWeek }) {
  const locale = useLocale();
  const { bars, goal } = scaleTrend(weeks, WEEKLY_GOAL_POINTS);
  return (
    <div aria-hidden="true" className="relative flex h-36 items-end gap-[3%] border-b border-line">
      <span className="absolute inset-x-0 border-t-2 border-dashed border-line" style={{ bottom: `${goal}%` }} />
      <span className="figures absolute left-0 mb-0.5 text-xs text-ink-faint" style={{ bottom: `${goal}%` }}>
        {WEEKLY_GOAL_POINTS.toLocaleString(locale)}
      </span>
      {weeks.map(({ key, points }, index) => (
        <span
          key={key}
          className={classes(
            'relative min-h-1 flex-1 rounded-t-sm transition-[height] duration-700 ease-out',
            points >= WEEKLY_GOAL_POINTS ? 'bg-gold' : points > 0 ? 'bg-gold/55' : 'bg-line',
            key === shown.key &&
              'after:absolute after:inset-x-0 after:top-[calc(100%+5px)] after:h-1 after:rounded-full after:bg-ink',
          )}
          style={{ height: `${bars[index]}%` }}
        />
      ))}
    </div>
  );
}

/**
 * Returns the heights of the bars (one per week) and of the goal's line, in percent of the chart. A week without points
 * is 0.
 */
export function scaleTrend(weeks: readonly Pick<TrendWeek, 'points'>[], goal_points: number) {
  const top = Math.max(goal_points / GOAL_MAX_SHARE, ...weeks.map(({ points }) => points));
  const toPercent = (points: number) => (100 * Math.max(0, points)) / top;
  return { bars: weeks.map(({ points }) => toPercent(points)), goal: toPercent(goal_points) };
}

// Dates without a time: noon UTC is the same date in every time zone that matters here.
const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`);
const dayFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function formatDay(date: string, locale: string): string {
  return dayFormat(locale).format(noonOf(date));
}

/** Monday to Sunday as '16–22 Nov'. */
function formatWeek(starts_on: string, locale: string): string {
  return dayFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}
