import type { Op } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { readCode } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { ActivityFacts, LocalActivity } from '#web/shared/outbox/store/records.ts';

/** A step as the outbox keeps it, in whichever of its lists. */
export interface SavedStep {
  payload: Op;
  facts?: ActivityFacts | undefined;
  /** ms epoch */
  saved_at: number;
}

/** A step of the outbox in the terms of its list. */
export interface OpWords {
  kind: Op['kind'] | 'reject';
  /** null where this device does not know. */
  sport_type: Sport | null;
  /** The center of an own step, the athlete of a scan. */
  whose: string | null;
  /** ms epoch: when it happened */
  at: number;
}

/** What a step is about, from the local activities or from the scanned code itself. */
export function describeOp({ payload: op, facts, saved_at }: SavedStep, known: readonly LocalActivity[]): OpWords {
  if (op.kind === 'scan') return describeScan(op);
  const about = facts ?? known.find((activity) => activity.client_id === op.client_id);
  return {
    kind: op.kind,
    sport_type: op.kind === 'start' ? op.sport_type : (about?.sport_type ?? null),
    whose: about?.sport_center_name ?? null,
    at: momentOf(op) ?? saved_at,
  };
}

function describeScan(op: Extract<Op, { kind: 'scan' }>): OpWords {
  const bytes = fromBase64Url(op.payload);
  const read = bytes && readCode(bytes);
  const code = read?.kind === 'activity' ? read.code : null;
  return {
    kind: op.decision === 'reject' ? 'reject' : 'scan',
    sport_type: code?.sport_type ?? null,
    whose: code?.display_name ?? null,
    // A scan keeps its device's own time and says how far that was off.
    at: Date.parse(op.scanned_at) + op.clock.offset_ms,
  };
}

/** When the athlete was on or off the wall; null for a step that is only something said. */
function momentOf(op: Op): number | null {
  if (op.kind === 'start') return Date.parse(op.started_at);
  return op.kind === 'finish' ? Date.parse(op.ended_at) : null;
}
