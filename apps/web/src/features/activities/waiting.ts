import { confirmationDeadline } from '@sendlap/domain/scan-checks.ts';
import type { ActivityView } from './data/activity-view.ts';
import { unconfirmedState } from './data/week.ts';

/** The activities that wait for their confirmation at `now` (ms epoch); first the one whose time is over first. */
export function findWaiting(activities: readonly ActivityView[], now: number): ActivityView[] {
  return activities
    .filter((activity) => activity.potential_points > 0 && unconfirmedState(activity, now) === 'waiting')
    .sort((a, b) => deadlineOf(a) - deadlineOf(b));
}

/** Until when a finished activity can be confirmed, ms epoch. */
export function deadlineOf({ ended_at, appealed_at }: ActivityView): number {
  return confirmationDeadline({ ended_at: ended_at ?? '', appealed_at });
}
