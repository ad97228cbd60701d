import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { RULE_VERSION, type Sport } from '@sendlap/domain/scoring.ts';
import type { SportCenterService } from '#api/modules/sport-centers/service.ts';
import type { Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { refusalOf } from './refusals.ts';
import {
  type ActivityRow,
  findActiveActivity,
  findActivity,
  findOverlap,
  insertActivity,
  updateActivity,
} from './store.ts';

/** Clocks of phones are corrected, but never exactly. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;
/** Steps may wait on a phone this long. */
const MAX_AGE_MS = 14 * 86_400_000;

export interface StepContext {
  sport_centers: SportCenterService;
  now: () => Date;
}

type StartOp = Extract<Op, { kind: 'start' }>;
type FinishOp = Extract<Op, { kind: 'finish' }>;

/**
 * The center's date and week of a moment. Throws when the center is not there, had closed by then or does not offer the
 * sport.
 */
export function stampAtCenter(context: StepContext, sport_center_id: string, sport_type: Sport, at: Date) {
  const center = context.sport_centers.getById(sport_center_id);
  if (!center) throw new AppError('sport_center_not_found', 'This sport center is not known');
  if (center.closed_at !== null && Date.parse(center.closed_at) <= at.getTime()) {
    throw new AppError('sport_center_closed', `${center.name} is closed`);
  }
  if (!center.sport_facilities.some((facility) => facility.type === sport_type)) {
    throw new AppError('sport_not_offered', `${center.name} does not offer this sport`);
  }
  const local_date = localDate(at.getTime(), center.time_zone);
  return { local_date, week_key: isoWeekKey(local_date) };
}

function checkNotInFuture(at: Date, now: Date): void {
  if (at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) {
    throw new AppError('activity_in_future', 'This time is in the future; check the clock of your phone');
  }
}

/** Only a start has an age limit: what was started once can be finished however late. */
function checkStart(at: Date, now: Date): void {
  checkNotInFuture(at, now);
  if (at.getTime() < now.getTime() - MAX_AGE_MS) {
    throw new AppError('activity_too_old', 'Activities can be added for 14 days');
  }
}

/** All checks come before the first write: a refusal changes nothing. */
export async function startActivity(trx: Trx, context: StepContext, user_id: string, op: StartOp): Promise<void> {
  const started_at = new Date(op.started_at);
  checkStart(started_at, context.now());
  const stamp = stampAtCenter(context, op.sport_center_id, op.sport_type, started_at);
  if (await findActivity(trx, user_id, op.client_id))
    throw new AppError('conflict', 'This activity was started before');
  const active = await findActiveActivity(trx, user_id);
  if (active) {
    throw new AppError('activity_already_active', `Finish your activity at ${active.sport_center_name} first`);
  }
  const overlap = await findOverlap(trx, user_id, {
    from: started_at,
    to: new Date(started_at.getTime() + 1),
    except: op.client_id,
  });
  if (overlap) throw overlapRefusal(overlap);
  await insertActivity(trx, {
    id: op.client_id,
    user_id,
    sport_center_id: op.sport_center_id,
    sport_type: op.sport_type,
    started_at,
    intensity: op.intensity ?? null,
    rule_version: RULE_VERSION,
    ...stamp,
  });
}

export async function finishActivity(trx: Trx, context: StepContext, user_id: string, op: FinishOp): Promise<void> {
  const row = await findActivity(trx, user_id, op.client_id);
  if (!row) throw new AppError('activity_not_found', 'Activity not found');
  const next = nextState(row.status, 'finish');
  if ('error' in next) throw refusalOf(next.error);
  const ended_at = new Date(op.ended_at);
  checkNotInFuture(ended_at, context.now());
  checkDuration(row.started_at, ended_at);
  if (op.distance_m !== undefined && row.sport_type !== 'swimming') {
    throw new AppError('validation_failed', 'Only swimming has a distance');
  }
  const overlap = await findOverlap(trx, user_id, { from: row.started_at, to: ended_at, except: row.id });
  if (overlap) throw overlapRefusal(overlap);
  await updateActivity(trx, row, {
    status: 'finished',
    ended_at,
    intensity: op.intensity ?? row.intensity,
    distance_m: op.distance_m ?? null,
  });
}

export function checkDuration(started_at: Date, ended_at: Date): void {
  const duration_ms = ended_at.getTime() - started_at.getTime();
  if (duration_ms <= 0 || duration_ms > MAX_ACTIVITY_DURATION_MS) {
    throw new AppError('activity_duration_invalid', 'An activity ends after its start and within 24 hours');
  }
}

export function overlapRefusal(other: ActivityRow): AppError {
  return new AppError('activity_overlap', `This overlaps with another activity, at ${other.sport_center_name}`);
}
