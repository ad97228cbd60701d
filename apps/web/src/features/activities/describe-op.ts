import type { Op } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { readCode } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { LocalActivity } from '#web/shared/outbox/records.ts';

/** A step of the outbox in the terms of its list. */
export interface OpWords {
  kind: 'start' | 'finish' | 'scan' | 'reject';
  /** null where this device does not know. */
  sport_type: Sport | null;
  /** The center of an own step, the athlete of a scan. */
  whose: string | null;
  /** ms epoch: when it happened */
  at: number;
}

/** What a step is about, from the local activities or from the scanned code itself. */
export function describeOp(op: Op, activities: readonly LocalActivity[]): OpWords {
  if (op.kind === 'scan') {
    const bytes = fromBase64Url(op.payload);
    const read = bytes && readCode(bytes);
    const code = read?.kind === 'activity' ? read.code : null;
    const kind = op.decision === 'reject' ? 'reject' : 'scan';
    return {
      kind,
      sport_type: code?.sport_type ?? null,
      whose: code?.display_name ?? null,
      at: Date.parse(op.scanned_at),
    };
  }
  const local = activities.find((activity) => activity.client_id === op.client_id);
  const sport_type = op.kind === 'start' ? op.sport_type : (local?.sport_type ?? null);
  const at = Date.parse(op.kind === 'start' ? op.started_at : op.ended_at);
  return { kind: op.kind, sport_type, whose: local?.sport_center_name ?? null, at };
}
