import { levelOf, WEEKLY_GOAL_POINTS, WEEKLY_STRETCH_POINTS } from '@sendlap/domain/scoring.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Swatch } from '#web/shared/ui/Swatch.tsx';
import { StreakTile } from './StreakTile.tsx';
import type { WeekFigures } from './trend-weeks.ts';
import type { DashboardState } from './use-dashboard.ts';
import { useFormatUnconfirmed } from './use-format-unconfirmed.ts';
import { WeekRing } from './WeekRing.tsx';

interface WeekCardProps {
  week: WeekFigures;
  state: DashboardState;
  /** An activity was confirmed: without one there is no level, rank or streak to show. */
  has_points: boolean;
  /** This week's rank, from the leaderboard feature. */
  rank: ReactNode;
}

/** This week's points against the goal, with level, rank and streak. */
export function WeekCard({ week, state: { dashboard, error, is_current_week }, has_points, rank }: WeekCardProps) {
  const { t } = useTranslation('dashboard');
  const formatUnconfirmed = useFormatUnconfirmed();
  const { points, unconfirmed } = week;
  return (
    <Card as="section" aria-label={t('week.title')} className="flex flex-col gap-4 rounded-xl p-5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <WeekRing points={points} unconfirmed={unconfirmed} />
        <div className="min-w-0 grow basis-[6rem]">
          <h2 className="text-xl font-bold">{t('week.title')}</h2>
          <p className="mt-1 text-label text-ink-soft">{useGoalText(points)}</p>
          {unconfirmed > 0 && (
            <p className="figures mt-2 flex gap-2 text-label font-semibold">
              <Swatch look="hatched" className="mt-1 size-3.5 shrink-0 text-ink-faint" />
              <span>
                {formatUnconfirmed(week).map((text) => (
                  <span key={text} className="block not-first:text-sm not-first:font-normal not-first:text-ink-soft">
                    {text}
                  </span>
                ))}
              </span>
            </p>
          )}
        </div>
      </div>
      {has_points && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-2">
          {!error && <TotalLink points={dashboard?.lifetime_points ?? null} />}
          {rank}
        </div>
      )}
      {has_points && !error && <StreakTile streak={dashboard?.streak ?? null} is_current_week={is_current_week} />}
      <p className="-mt-1 text-sm text-ink-faint">{t(unconfirmed > 0 ? 'week.onlyConfirmedCount' : 'week.allCount')}</p>
    </Card>
  );
}

function useGoalText(points: number): string {
  const { t } = useTranslation('dashboard');
  if (points < WEEKLY_GOAL_POINTS) return t('week.toGoal', { count: WEEKLY_GOAL_POINTS - points });
  if (points < WEEKLY_STRETCH_POINTS) return t('week.toStretch', { count: WEEKLY_STRETCH_POINTS - points });
  return t('week.stretchReached');
}

/** All points ever, their level and the way to the next; leads to the recap. A placeholder until they are known. */
function TotalLink({ points }: { points: number | null }) {
  const { t } = useTranslation('dashboard');
  if (points === null) return <div className="min-h-23 rounded-lg bg-page" />;
  const { level, starts_at, next_at } = levelOf(points);
  return (
    <Link
      href={PATHS.recap}
      className="pressable flex min-h-23 min-w-0 flex-col justify-center rounded-lg bg-page px-3.5 py-2.5"
    >
      <span className="figures leading-tight font-bold">{t('recap.total', { count: points })}</span>
      <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className="block h-full rounded-full bg-gold transition-[width] duration-700 ease-out"
          style={{ width: `${(100 * (points - starts_at)) / (next_at - starts_at)}%` }}
        />
      </span>
      <span className="figures mt-1.5 text-caption leading-tight text-ink-soft">
        {t('level.toNext', { count: next_at - points, level })}
      </span>
    </Link>
  );
}
