import type { Op } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { decodeCode } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { ActivityFacts, LocalActivity } from '#web/shared/outbox/store/records.ts';

/** An op as the outbox saves it, from any of its lists. */
export interface SavedOp {
  payload: Op;
  facts?: ActivityFacts | undefined;
  /** ms epoch */
  saved_at: number;
}

/** The parts of an outbox op's description in the list. */
export interface OpDescription {
  kind: Op['kind'] | 'reject';
  /** null if this device does not know the sport. */
  sport_type: Sport | null;
  /** The center of an own op, the athlete of a scan. */
  subject: string | null;
  /** ms epoch: when the described event happened. */
  at: number;
}

/** Describes an op from the local activities or, for a scan, from the scanned code itself. */
export function describeOp(
  { payload: op, facts, saved_at }: SavedOp,
  local_activities: readonly LocalActivity[],
): OpDescription {
  if (op.kind === 'scan') return describeScan(op);
  const known_facts = facts ?? local_activities.find((activity) => activity.client_id === op.client_id);
  return {
    kind: op.kind,
    sport_type: op.kind === 'start' ? op.sport_type : (known_facts?.sport_type ?? null),
    subject: known_facts?.sport_center_name ?? null,
    at: occurredAt(op) ?? saved_at,
  };
}

function describeScan(op: Extract<Op, { kind: 'scan' }>): OpDescription {
  const bytes = fromBase64Url(op.payload);
  const read = bytes && decodeCode(bytes);
  const code = read?.kind === 'activity' ? read.code : null;
  return {
    kind: op.decision === 'reject' ? 'reject' : 'scan',
    sport_type: code?.sport_type ?? null,
    subject: code?.display_name ?? null,
    // A scan keeps the time of its device's clock, plus that clock's offset.
    at: Date.parse(op.scanned_at) + op.clock.offset_ms,
  };
}

/** Returns when the athlete started or stopped; null for an op that marks no moment of the activity. */
function occurredAt(op: Op): number | null {
  if (op.kind === 'start') return Date.parse(op.started_at);
  return op.kind === 'finish' ? Date.parse(op.ended_at) : null;
}
