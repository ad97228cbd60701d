import { levelOf, WEEKLY_GOAL_POINTS, WEEKLY_STRETCH_POINTS } from '@sendlap/domain/scoring.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '#web/shared/api/use-session.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import type { ActivityView } from './activity-view.ts';
import { getLifetimePointsQuery } from './queries.ts';
import { useNow } from './use-now.ts';
import { WeekRing } from './WeekRing.tsx';
import { weekPoints } from './week.ts';

const MINUTE_MS = 60_000;

interface WeekCardProps {
  activities: ActivityView[];
  /** The rank of this week, from the boards' own feature. */
  rank: ReactNode;
}

/** This week's points against the goal, with level and rank. */
export function WeekCard({ activities, rank }: WeekCardProps) {
  const { t } = useTranslation('activities');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { validated, potential } = weekPoints(activities, useNow(MINUTE_MS), zone);
  return (
    <Card as="section" aria-label={t('dashboard.week')} className="flex flex-col gap-4 rounded-xl p-5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <WeekRing points={validated} potential={potential} />
        <div className="min-w-0 grow basis-24">
          <h2 className="text-xl font-bold">{t('dashboard.week')}</h2>
          <p className="mt-1 text-[0.9375rem] text-ink-soft">{useGoalText(validated)}</p>
          {potential > 0 && (
            <p className="figures mt-2 text-[0.9375rem] font-semibold">
              {t('dashboard.waiting', { count: potential })}
            </p>
          )}
        </div>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-2">
        <Level />
        {rank}
      </div>
      <p className="-mt-1 text-sm text-ink-faint">{t('dashboard.allCount')}</p>
    </Card>
  );
}

function useGoalText(points: number): string {
  const { t } = useTranslation('activities');
  if (points < WEEKLY_GOAL_POINTS) return t('dashboard.toGoal', { count: WEEKLY_GOAL_POINTS - points });
  if (points < WEEKLY_STRETCH_POINTS) return t('dashboard.toStretch', { count: WEEKLY_STRETCH_POINTS - points });
  return t('dashboard.stretchReached');
}

/** Level and the way to the next; the place stays empty until all points are known. */
function Level() {
  const { t } = useTranslation('activities');
  const user = useUser();
  const { data: points } = useQuery(getLifetimePointsQuery(user.id));
  if (points === undefined) return <div className="min-h-19 rounded-lg bg-page" />;
  const { level, starts_at, next_at } = levelOf(points);
  return (
    <div className="flex min-h-19 flex-col justify-center rounded-lg bg-page px-3.5 py-2.5">
      <p className="figures font-bold">{t('dashboard.level', { level })}</p>
      <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-gold"
          style={{ width: `${(100 * (points - starts_at)) / (next_at - starts_at)}%` }}
        />
      </div>
      <p className="figures mt-1.5 text-[0.8125rem] leading-tight text-ink-soft">
        {t('dashboard.toLevel', { count: next_at - points, level: level + 1 })}
      </p>
    </div>
  );
}
