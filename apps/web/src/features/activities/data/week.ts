import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { confirmationDeadline } from '@sendlap/domain/scan-checks.ts';
import type { ActivityView } from './activity-view.ts';

type Provable = Pick<ActivityView, 'status' | 'proof' | 'ended_at'> & {
  /** When the athlete appealed to another referee; null or omitted: no appeal. */
  appealed_at?: string | null;
};
type ScoredActivity = Provable & Pick<ActivityView, 'started_at' | 'points' | 'potential_points'>;

/**
 * What an activity's record is worth without a proof. `waiting`: it can still be confirmed; `expired`: it no longer can;
 * null: validated, rejected, refused by the server, or still running.
 */
export type Unconfirmed = 'waiting' | 'expired' | null;

/** Returns what a finished activity is without a proof at `now` (ms epoch by the server's clock). */
export function unconfirmedState(activity: Provable, now: number): Unconfirmed {
  if (activity.status !== 'finished' || activity.proof === 'refused') return null;
  return isConfirmable(activity, now) ? 'waiting' : 'expired';
}

/** The points of one ISO week. */
export interface WeekPoints {
  /** These count. */
  validated: number;
  /** Recorded and not confirmed: potential points, which count nowhere. */
  unconfirmed: number;
  /** The part of `unconfirmed` that can still be confirmed. */
  waiting: number;
}

/** Returns the points of each ISO week (dates by this time zone) with an activity. `now`: ms epoch. */
export function pointsByWeek(
  activities: readonly ScoredActivity[],
  now: number,
  time_zone: string,
): Map<string, WeekPoints> {
  const weeks = Map.groupBy(activities, ({ started_at }) => isoWeekAt(Date.parse(started_at), time_zone));
  return new Map([...weeks].map(([key, week]) => [key, sumPoints(week, now)]));
}

function sumPoints(week: readonly ScoredActivity[], now: number): WeekPoints {
  const sums = { validated: 0, unconfirmed: 0, waiting: 0 };
  for (const activity of week) {
    sums.validated += activity.points;
    const state = unconfirmedState(activity, now);
    if (state !== null) sums.unconfirmed += activity.potential_points;
    if (state === 'waiting') sums.waiting += activity.potential_points;
  }
  return sums;
}

/**
 * Whether the activity is finished, the server has not refused it, and its time to be confirmed is not over. `now`: ms
 * epoch by the server's clock.
 */
export function isConfirmable(
  activity: Omit<Provable, 'proof'> & Partial<Pick<Provable, 'proof'>>,
  now: number,
): boolean {
  const { status, proof, ended_at, appealed_at } = activity;
  if (proof === 'refused') return false;
  return status === 'finished' && ended_at !== null && now <= confirmationDeadline({ ended_at, appealed_at });
}
