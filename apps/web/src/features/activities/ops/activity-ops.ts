import type { Op } from '@sendlap/contract/activities.ts';
import { pausedSeconds } from '@sendlap/domain/recording/pauses.ts';
import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import { countsIntensity, hasDistance, type Sport } from '@sendlap/domain/sports.ts';
import { M_PER_YARD, type Units } from '@sendlap/domain/units.ts';
import type { ActivityDraft, ActivityFacts } from '#web/shared/outbox/store/records.ts';

/** A center to train at. */
export interface StartCenter {
  id: string;
  name: string;
  sports: readonly Sport[];
}

export interface StartOpInput {
  center: StartCenter;
  sport_type: Sport;
  /** What to begin with, if not moderate; the athlete is asked while the activity runs. */
  intensity?: Intensity | null | undefined;
  /** ms epoch by the server's clock */
  now: number;
  /** The code of the center's kiosk, if the athlete started by scanning it. */
  venue_scan?: VenueScan | undefined;
  newId: () => string;
}

/** A pace is given for so many metres or yards. */
export const PACE_UNITS = 100;

/** The kiosk's code in a start or finish op. */
export type VenueScan = NonNullable<Extract<Op, { kind: 'start' }>['venue_scan']>;

/** Returns the op that starts an activity now, and the facts that the screens need. */
export function createStartOp({ center, sport_type, intensity, now, venue_scan, newId }: StartOpInput): {
  op: Op;
  facts: ActivityFacts;
} {
  const start_fields = { sport_center_id: center.id, sport_type, started_at: toTimestamp(now) };
  const stated = countsIntensity(sport_type) ? (intensity ?? 'moderate') : null;
  return {
    op: {
      kind: 'start',
      op_id: newId(),
      client_id: newId(),
      ...start_fields,
      ...(stated ? { intensity: stated } : {}),
      ...(venue_scan ? { venue_scan } : {}),
    },
    facts: { ...start_fields, intensity: stated, sport_center_name: center.name },
  };
}

export interface FinishOpInput {
  activity: ActivityFacts & { client_id: string; draft: ActivityDraft | null };
  /** ms epoch by the server's clock */
  ended_at: number;
  /** The code of the center's kiosk, if the athlete finished by scanning it. */
  venue_scan?: VenueScan | undefined;
  newId: () => string;
}

/** Returns the op that finishes a running activity, with the draft saved so far; a pause that goes on ends with it. */
export function createFinishOp({
  activity,
  ended_at,
  venue_scan,
  newId,
}: FinishOpInput): Extract<Op, { kind: 'finish' }> {
  const { client_id, started_at, sport_type, draft } = activity;
  const intensity = draft?.intensity ?? activity.intensity;
  const distance_m = hasDistance(sport_type) ? swumMetres(draft) : 0;
  // If the clock was set back, the end must still come after the start.
  const end = toTimestamp(Math.max(ended_at, Date.parse(started_at) + 1000));
  const span = { started_at: Date.parse(started_at), ended_at: Date.parse(end) };
  const paused_s = pausedSeconds(draft?.pauses ?? [], span);
  return {
    kind: 'finish',
    op_id: newId(),
    client_id,
    ended_at: end,
    ...(paused_s > 0 ? { paused_s } : {}),
    ...(intensity ? { intensity } : {}),
    ...(distance_m > 0 ? { distance_m } : {}),
    ...(venue_scan ? { venue_scan } : {}),
  };
}

/** Returns the metres of the lengths counted so far, whole ones also of a pool in yards. */
export function swumMetres(draft: ActivityDraft | null): number {
  return draft ? Math.round(draft.lengths * draft.pool_length_m) : 0;
}

interface PaceOptions {
  metres: number;
  active_ms: number;
  unit: Units['swimming'];
}

/** Returns seconds per 100 m or 100 yd; null before the first length. */
export function pacePer100({ metres, active_ms, unit }: PaceOptions): number | null {
  const pace_m = PACE_UNITS * (unit === 'm' ? 1 : M_PER_YARD);
  return metres > 0 ? (active_ms / 1000) * (pace_m / metres) : null;
}
