import type { Op } from '@sendlap/contract/activities.ts';
import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { activeMinutes, RULE_VERSION, type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { ScannedCode } from './scanned-code.ts';

/** The referee's corrections; a missing field keeps the code's value. */
export interface Adjustment {
  /** Whole minutes of active time, fewer than in the code. */
  minutes?: number;
  distance_m?: number;
  intensity?: Intensity;
}

export type Decision = { kind: 'confirm'; adjustment: Adjustment } | { kind: 'reject'; reason: string };
export type ScanOp = Extract<Op, { kind: 'scan' }>;
export type DistanceClass = NonNullable<ScanOp['distance_class']>;

/** Whole minutes of active time, as the score counts them. */
export function minutesOf({ code }: Pick<ScannedCode, 'code'>): number {
  return activeMinutes(code);
}

/** When the activity ended (ms epoch), with the referee's correction if there is one; the pauses in the code stay. */
export function adjustedEnd({ code }: Pick<ScannedCode, 'code'>, { minutes }: Adjustment): number {
  if (minutes === undefined) return code.ended_at;
  return Math.min(code.ended_at, code.started_at + code.paused_s * 1000 + minutes * MINUTE_MS);
}

/**
 * The points of a confirmation by the server's rules (without the daily cap, which only the server knows). An intensity
 * stated by the referee counts as proven, a distance by the referee's confirmation.
 */
export function potentialScore(
  scanned: Pick<ScannedCode, 'code'>,
  adjustment: Adjustment,
  { by_referee }: { by_referee: boolean },
): Score {
  const { code } = scanned;
  return scoreActivity({
    rule_version: RULE_VERSION,
    sport_type: code.sport_type,
    started_at: code.started_at,
    ended_at: adjustedEnd(scanned, adjustment),
    paused_s: code.paused_s,
    intensity: adjustment.intensity ?? code.intensity,
    intensity_confirmed: adjustment.intensity !== undefined,
    distance_m: adjustment.distance_m ?? code.distance_m,
    distance_confirmed: by_referee,
  });
}

/**
 * The op for the outbox. Its content is fixed once it was sent (before, `correctTimes` may correct its `clock`): the
 * server stores a hash of the op with its id, so a retry must send the same bytes. Hence `recorded_offline` is the
 * browser's network state when the code was read, not the result of the first send.
 */
export function buildScanOp(
  { payload, code, scanned }: ScannedCode,
  decision: Decision,
  { op_id, distance_class }: { op_id: string; distance_class: DistanceClass },
): ScanOp {
  const op = {
    kind: 'scan' as const,
    op_id,
    client_id: code.activity_id,
    payload,
    scanned_at: new Date(scanned.now_ms).toISOString(),
    clock: scanned.clock,
    recorded_offline: !scanned.online,
    distance_class,
  };
  if (decision.kind === 'reject') return { ...op, decision: 'reject', reason: decision.reason.trim() };
  const adjust = diffAdjustment({ code }, decision.adjustment);
  return { ...op, decision: 'confirm', ...(adjust ? { adjust } : {}) };
}

/** Only differences are sent; a stated intensity always counts as one, because stating it proves it. */
function diffAdjustment(scanned: Pick<ScannedCode, 'code'>, adjustment: Adjustment): ScanOp['adjust'] {
  const ended_at = adjustedEnd(scanned, adjustment);
  const adjust = {
    ...(ended_at === scanned.code.ended_at ? {} : { ended_at: new Date(ended_at).toISOString() }),
    ...(adjustment.distance_m === undefined || adjustment.distance_m === scanned.code.distance_m
      ? {}
      : { distance_m: adjustment.distance_m }),
    ...(adjustment.intensity === undefined ? {} : { intensity: adjustment.intensity }),
  };
  return Object.keys(adjust).length > 0 ? adjust : undefined;
}
