import { isoWeekRange } from '@sendlap/domain/dates.ts';
import { WEEKLY_GOAL_POINTS } from '@sendlap/domain/scoring.ts';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { noonOf, shortDateFormat } from '#web/shared/time/format-date.ts';
import { formatDateRange } from '#web/shared/time/format-date-range.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { Swatch } from '#web/shared/ui/Swatch.tsx';
import { type ShownWeek, scaleTrend } from './trend-weeks.ts';
import { useFormatUnconfirmed } from './use-format-unconfirmed.ts';

/**
 * The points of the last weeks, oldest first, and the weekly goal. A finger or the arrow keys move from week to week.
 */
export function TrendCard({ weeks }: { weeks: ShownWeek[] }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const formatUnconfirmed = useFormatUnconfirmed();
  const current_index = weeks.length - 1;
  // null: the current week, even after the week changes.
  const [selected_index, setSelectedIndex] = useState<number | null>(null);
  const [first] = weeks;
  const shown = weeks[selected_index ?? current_index] ?? weeks[current_index];
  if (!first || !shown) return null;
  const has_unconfirmed = weeks.some(({ unconfirmed }) => unconfirmed > 0);
  const describeWeek = (week: ShownWeek) => {
    const text = t('trend.week', { count: week.points, dates: formatDateRange(isoWeekRange(week.key), locale) });
    return [text, ...formatUnconfirmed(week)].join(', ');
  };
  return (
    <Card as="section" aria-labelledby="trend-title" className="flex flex-col gap-4 rounded-xl p-5">
      <div>
        <h2 id="trend-title" className="text-xl font-bold">
          {t('trend.title')}
        </h2>
        <p className="figures mt-1 flex flex-wrap items-baseline gap-x-2">
          <span className="text-figure leading-tight font-extrabold">{shown.points.toLocaleString(locale)}</span>
          <span className="text-label text-ink-soft">{formatDateRange(isoWeekRange(shown.key), locale)}</span>
        </p>
        {/* As high without a text, so that the chart does not move from week to week. */}
        {has_unconfirmed && (
          <p className="figures flex min-h-[1lh] gap-2 text-label font-semibold">
            {shown.unconfirmed > 0 && (
              <>
                <Swatch look="hatched" className="mt-1 size-3.5 shrink-0 text-ink-faint" />
                {formatUnconfirmed(shown).join(', ')}
              </>
            )}
          </p>
        )}
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
        <span>{shortDateFormat(locale).format(noonOf(first.starts_on))}</span>
        <span>{t('trend.present')}</span>
      </p>
      <p className="text-sm text-ink-faint">
        {t(has_unconfirmed ? 'trend.goalUnconfirmed' : 'trend.goal', { goal: WEEKLY_GOAL_POINTS })}
      </p>
      <ol className="sr-only" aria-label={t('trend.title')}>
        {weeks.map((week) => (
          <li key={week.key}>{describeWeek(week)}</li>
        ))}
      </ol>
    </Card>
  );
}

function Bars({ weeks, shown }: { weeks: ShownWeek[]; shown: ShownWeek }) {
  const locale = useLocale();
  const { bars, goal } = scaleTrend(weeks, WEEKLY_GOAL_POINTS);
  return (
    <div aria-hidden="true" className="relative flex h-36 items-end gap-[3%] border-b border-line">
      <span className="absolute inset-x-0 border-t-2 border-dashed border-line" style={{ bottom: `${goal}%` }} />
      <span className="figures absolute left-0 mb-0.5 text-xs text-ink-faint" style={{ bottom: `${goal}%` }}>
        {WEEKLY_GOAL_POINTS.toLocaleString(locale)}
      </span>
      {weeks.map((week, index) => (
        <Bar key={week.key} week={week} is_shown={week.key === shown.key} {...bars[index]} />
      ))}
    </div>
  );
}

interface BarProps {
  week: ShownWeek;
  is_shown: boolean;
  /** Heights in percent of the chart. */
  solid?: number;
  all?: number;
}

/** A week's bar: solid for validated points, hatched above them for unconfirmed ones. */
function Bar({ week: { points, unconfirmed }, is_shown, solid = 0, all = 0 }: BarProps) {
  const color = points >= WEEKLY_GOAL_POINTS ? 'bg-gold' : points > 0 ? 'bg-gold/55' : 'bg-line';
  return (
    <span
      className={classes(
        'relative flex min-h-1 flex-1 flex-col justify-end transition-[height] duration-700 ease-out',
        is_shown &&
          'after:absolute after:inset-x-0 after:top-[calc(100%+5px)] after:h-1 after:rounded-full after:bg-ink',
      )}
      style={{ height: `${all}%` }}
    >
      {unconfirmed > 0 && <span className="hatched grow rounded-t-sm text-ink-faint" />}
      <span
        className={classes(
          'min-h-0 transition-[height] duration-700 ease-out',
          unconfirmed === 0 && 'rounded-t-sm',
          color,
        )}
        style={{ height: all > 0 ? `${(100 * solid) / all}%` : '100%' }}
      />
    </span>
  );
}
