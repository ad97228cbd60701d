import type { Op } from '@sendlap/contract/activities.ts';
import { type Intensity, RULE_VERSION, type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { ScannedCode } from './scanned-code.ts';

const MINUTE_MS = 60_000;

/** What the referee says differently from the code; what is missing stays as it is there. */
export interface Adjustment {
  /** Whole minutes from the start, fewer than the code says. */
  minutes?: number;
  distance_m?: number;
  intensity?: Intensity;
}

export type Decision = { kind: 'confirm'; adjustment: Adjustment } | { kind: 'reject'; reason: string };
export type ScanOp = Extract<Op, { kind: 'scan' }>;
export type DistanceClass = NonNullable<ScanOp['distance_class']>;

/** Whole minutes from start to end, as they are scored. */
export function minutesOf({ code }: Pick<ScannedCode, 'code'>): number {
  return Math.floor((code.ended_at - code.started_at) / MINUTE_MS);
}

/** When the activity ended, by the referee if he said so (ms epoch). */
export function endOf({ code }: Pick<ScannedCode, 'code'>, { minutes }: Adjustment): number {
  return minutes === undefined ? code.ended_at : Math.min(code.ended_at, code.started_at + minutes * MINUTE_MS);
}

/**
 * The points that a confirmation would give, by the rule of the server (the day's cap apart, which only it knows).
 * An intensity that the referee states is proven by that, a distance by the referee's confirmation.
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
    ended_at: endOf(scanned, adjustment),
    intensity: adjustment.intensity ?? code.intensity,
    intensity_confirmed: adjustment.intensity !== undefined,
    distance_m: adjustment.distance_m ?? code.distance_m,
    distance_confirmed: by_referee,
  });
}

/**
 * The step that goes into the outbox. Everything in it is fixed at the moment of the scan and never changed again:
 * the server keeps a hash of the whole op beside its id, so a retry must carry the same bytes. That is why
 * `recorded_offline` says what the browser knew of the network when the code was read, not how the first send went.
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
  const adjust = adjustOf({ code }, decision.adjustment);
  return { ...op, decision: 'confirm', ...(adjust ? { adjust } : {}) };
}

/** On the wire only what differs; an intensity differs as soon as it is stated, for that is what proves it. */
function adjustOf(scanned: Pick<ScannedCode, 'code'>, adjustment: Adjustment): ScanOp['adjust'] {
  const ended_at = endOf(scanned, adjustment);
  const adjust = {
    ...(ended_at === scanned.code.ended_at ? {} : { ended_at: new Date(ended_at).toISOString() }),
    ...(adjustment.distance_m === undefined || adjustment.distance_m === scanned.code.distance_m
      ? {}
      : { distance_m: adjustment.distance_m }),
    ...(adjustment.intensity === undefined ? {} : { intensity: adjustment.intensity }),
  };
  return Object.keys(adjust).length > 0 ? adjust : undefined;
}
