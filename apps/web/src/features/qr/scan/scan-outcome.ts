import type { OpResult } from '@sendlap/contract/activities.ts';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { OutboxRows } from '#web/shared/outbox/store/rows.ts';

/** The state of a recorded decision, as the referee's phone knows it. */
export type ScanOutcome =
  | { kind: 'sending' }
  /** `points`: the athlete's points, if the server tells; the daily cap may leave fewer than the code is worth. */
  | { kind: 'accepted'; points: number | null }
  /** The athlete's ops have not reached the server. */
  | { kind: 'waiting' }
  /** Only on this phone; `slow`: online, but the server has not answered. */
  | { kind: 'kept'; reason: 'offline' | 'slow' }
  | { kind: 'refused'; code: string; message: string }
  /** The decision was valid, but another one counts: made earlier, or with a stronger proof. */
  | { kind: 'overtaken' }
  /** The decision was valid, but the athlete then corrected the activity or appealed to another referee. */
  | { kind: 'edited' | 'appealed' };

/** The server's later decision about a scan that had waited, or that another one overtook. */
export type LaterDecision = Pick<Extract<LiveEvent, { type: 'scan_decided' }>, 'outcome' | 'code'>;

export interface OutcomeInput {
  op_id: string;
  /** The server's answer, if it arrived while this screen was open. */
  result: OpResult | null;
  /** The server's later decision, if it arrived while this screen was open. */
  later_decision: LaterDecision | null;
  rows: Pick<OutboxRows, 'ops' | 'dead' | 'waiting'>;
  online: boolean;
  /** Sending has taken longer than a server usually needs. */
  overdue: boolean;
}

/** Derives the outcome: it is never `accepted` before the server has confirmed it. */
export function deriveOutcome({ op_id, result, later_decision, rows, online, overdue }: OutcomeInput): ScanOutcome {
  if (later_decision) return outcomeOfLaterDecision(later_decision);
  const dead = rows.dead.find((op) => op.op_id === op_id);
  if (dead) return { kind: 'refused', code: dead.code, message: dead.message };
  if (result?.outcome === 'rejected') {
    return { kind: 'refused', code: result.code ?? '', message: result.message ?? '' };
  }
  if (result?.outcome === 'waiting' || rows.waiting.some((scan) => scan.op_id === op_id)) return { kind: 'waiting' };
  if (result) return { kind: 'accepted', points: result.activity?.points ?? null };
  if (!online) return { kind: 'kept', reason: 'offline' };
  const queued = rows.ops.find((op) => op.op_id === op_id);
  return overdue || (queued && queued.attempts > 0) ? { kind: 'kept', reason: 'slow' } : { kind: 'sending' };
}

function outcomeOfLaterDecision({ outcome, code }: LaterDecision): ScanOutcome {
  if (outcome === 'rejected') return { kind: 'refused', code: code ?? '', message: '' };
  return outcome === 'accepted' ? { kind: outcome, points: null } : { kind: outcome };
}

/** Refusals that would repeat if the same user scanned the same activity again. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'own_activity',
  'not_a_referee',
  'sport_not_refereed',
  'peer_too_new',
  'peer_not_there',
  'referee_own_installation',
  'pair_limit_reached',
  'referee_limit_reached',
  'validation_window_closed',
  'scan_too_old',
  'activity_already_validated',
  'activity_rejected',
  'activity_deleted',
  'appeal_needs_another_referee',
]);

/** Whether scanning again may help after a refusal with this code, as far as this app knows. */
export function canScanAgain(code: string): boolean {
  return !FINAL_REFUSALS.has(code);
}
