import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';

interface Scored {
  started_at: string;
  ended_at: string | null;
  status: string;
  points: number;
  potential_points: number;
}

/** Points of the ISO week that `now` (ms epoch) lies in, by the dates of this zone, and what may still be confirmed. */
export function weekPoints(activities: readonly Scored[], now: number, time_zone: string) {
  const weekOf = (epoch_ms: number) => isoWeekKey(localDate(epoch_ms, time_zone));
  const week = weekOf(now);
  const inWeek = activities.filter((activity) => weekOf(Date.parse(activity.started_at)) === week);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    validated: sum(inWeek.map((activity) => activity.points)),
    potential: sum(
      inWeek.filter((activity) => isConfirmable(activity, now)).map((activity) => activity.potential_points),
    ),
  };
}

/** Finished, and not so long ago that nobody may confirm it any more. */
function isConfirmable({ status, ended_at }: Scored, now: number): boolean {
  return status === 'finished' && ended_at !== null && now - Date.parse(ended_at) <= VALIDATION_WINDOW_MS;
}
