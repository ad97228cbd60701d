import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { isPauseWithin } from '@sendlap/domain/scoring.ts';
import { canHaveDistance, type Sport } from '@sendlap/domain/sports.ts';
import type { SportCenterService } from '#api/modules/sport-centers/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { timesOf } from './facts.ts';
import type { ActivityRow, Facts } from './store.ts';

/** Phone clocks are corrected, but never exactly. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;
/** An op may wait on a phone this long. */
const MAX_AGE_MS = 14 * 86_400_000;

/**
 * Returns the center's name and, at this moment, its local date and week. Throws if the center does not exist, was
 * already closed or does not offer the sport.
 */
export function resolveCenterDay(
  centers: Pick<SportCenterService, 'getById'>,
  sport_center_id: string,
  sport_type: Sport,
  at: Date,
): Pick<Facts, 'sport_center_name' | 'local_date' | 'week_key'> {
  const center = centers.getById(sport_center_id);
  if (!center) throw new AppError('sport_center_not_found', 'This sport center is not known');
  if (center.closed_at !== null && Date.parse(center.closed_at) <= at.getTime()) {
    throw new AppError('sport_center_closed', `${center.name} is closed`);
  }
  if (!center.sport_facilities.some((facility) => facility.type === sport_type)) {
    throw new AppError('sport_not_offered', `${center.name} does not offer this sport`);
  }
  const local_date = localDate(at.getTime(), center.time_zone);
  return { sport_center_name: center.name, local_date, week_key: isoWeekKey(local_date) };
}

export function assertNotInFuture(at: Date, now: Date): void {
  if (at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) {
    throw new AppError('activity_in_future', 'This time is in the future; check the clock of your device');
  }
}

/** Only a start has an age limit: a started activity can be finished however late. */
export function assertStartInRange(at: Date, now: Date): void {
  assertNotInFuture(at, now);
  if (at.getTime() < now.getTime() - MAX_AGE_MS) {
    throw new AppError('activity_too_old', 'Activities can be added for 14 days');
  }
}

export function assertValidDuration(started_at: Date, ended_at: Date): void {
  const duration_ms = ended_at.getTime() - started_at.getTime();
  if (duration_ms <= 0 || duration_ms > MAX_ACTIVITY_DURATION_MS) {
    throw new AppError('activity_duration_invalid', 'An activity must end after its start, and within 24 hours of it');
  }
}

export function assertPauseWithin(times: Parameters<typeof timesOf>[0]): void {
  if (!isPauseWithin(timesOf(times))) {
    throw new AppError('activity_pause_invalid', 'The pauses of an activity are no longer than the activity');
  }
}

export function assertDistanceAllowed(sport_type: Sport, distance_m: number | null | undefined): void {
  if (!canHaveDistance(sport_type, distance_m ?? null)) {
    throw new AppError('validation_failed', 'Not a distance of this sport');
  }
}

/** Throws `activity_already_active` with the center of the running activity. */
export function assertNoneActive(others: ActivityRow[]): void {
  const active = others.find(({ status }) => status === 'active');
  if (!active) return;
  throw new AppError(
    'activity_already_active',
    `Finish your activity at ${active.sport_center_name} first, or delete it; it may have been started on another phone`,
  );
}

type Span = Pick<ActivityRow, 'id' | 'status' | 'started_at' | 'ended_at'>;

/** Returns another activity that overlaps this one, as [start, end); a running activity has no end. */
export function findOverlap<Row extends Span>(row: Span, others: Row[]): Row | undefined {
  const until = row.ended_at?.getTime() ?? row.started_at.getTime() + 1;
  return others.find(
    (other) =>
      other.id !== row.id &&
      other.status !== 'rejected' &&
      other.status !== 'deleted' &&
      other.started_at.getTime() < until &&
      (other.ended_at === null || other.ended_at > row.started_at),
  );
}

/** Throws `activity_overlap` with the center and the times of the other activity. */
export function assertNoOverlap(
  centers: Pick<SportCenterService, 'getById'>,
  row: ActivityRow,
  others: ActivityRow[],
): void {
  const other = findOverlap(row, others);
  if (!other) return;
  const zone = centers.getById(other.sport_center_id)?.time_zone ?? 'UTC';
  const start = localTime(other.started_at, zone);
  const end = other.ended_at ? localTime(other.ended_at, zone) : 'now';
  throw new AppError(
    'activity_overlap',
    `This overlaps with another activity of yours, at ${other.sport_center_name} on ${other.local_date} from ${start} to ${end}; correct the times of one of them, or delete it`,
  );
}

function localTime(at: Date, timeZone: string): string {
  return at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
}
