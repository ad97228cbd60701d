import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';

interface Scored {
  started_at: string;
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
    potential: sum(inWeek.filter(({ status }) => status === 'finished').map((activity) => activity.potential_points)),
  };
}
