import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import { confirmableUntil } from '@sendlap/domain/scan-checks.ts';

interface ScoredActivity {
  started_at: string;
  ended_at: string | null;
  status: string;
  /** When the athlete appealed to another referee; null or omitted: no appeal. */
  appealed_at?: string | null;
  points: number;
  potential_points: number;
}

/**
 * Returns the points of `now`'s ISO week (ms epoch; dates by this time zone): validated ones and those that may still
 * be confirmed.
 */
export function weekPoints(activities: readonly ScoredActivity[], now: number, time_zone: string) {
  const weekOf = (epoch_ms: number) => isoWeekKey(localDate(epoch_ms, time_zone));
  const week = weekOf(now);
  const inWeek = activities.filter((activity) => weekOf(Date.parse(activity.started_at)) === week);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    key: week,
    validated: sum(inWeek.map((activity) => activity.points)),
    potential: sum(
      inWeek.filter((activity) => isConfirmable(activity, now)).map((activity) => activity.potential_points),
    ),
  };
}

/** Whether the activity is finished and its time to be confirmed is not over. `now`: ms epoch by the server's clock. */
export function isConfirmable(
  activity: Pick<ScoredActivity, 'status' | 'ended_at' | 'appealed_at'>,
  now: number,
): boolean {
  const { status, ended_at, appealed_at } = activity;
  return status === 'finished' && ended_at !== null && now <= confirmationDeadline({ ended_at, appealed_at });
}

/** Until when the activity can be confirmed, ms epoch: 12 hours after its end, or after an appeal. */
export function confirmationDeadline({
  ended_at,
  appealed_at,
}: {
  ended_at: string;
  appealed_at?: string | null | undefined;
}): number {
  return confirmableUntil(Date.parse(ended_at), appealed_at ? Date.parse(appealed_at) : null);
}
