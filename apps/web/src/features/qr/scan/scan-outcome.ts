import type { OpResult } from '@sendlap/contract/activities.ts';
import type { ErrorCode } from '@sendlap/contract/errors.ts';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { OutboxRows } from '#web/shared/outbox/store/rows.ts';

/** Where a recorded decision stands, seen from the referee's phone. */
export type ScanOutcome =
  | { kind: 'sending' }
  /** `points`: what the athlete got, where the server tells; the day's limit may leave less than the code's worth. */
  | { kind: 'accepted'; points: number | null }
  /** The athlete's own steps have not reached the server. */
  | { kind: 'waiting' }
  /** On this phone; `slow` when there seems to be a network and still nobody answers. */
  | { kind: 'kept'; reason: 'offline' | 'slow' }
  | { kind: 'refused'; code: string; message: string }
  /** It was valid, and another one stands: made earlier, or by a stronger proof. */
  | { kind: 'overtaken' }
  /** It was valid, and the athlete corrected the activity, or asked another referee, afterwards. */
  | { kind: 'edited' | 'appealed' };

/** The server's later word about a scan that had waited, or that another one overtook. */
export type LateWord = Pick<Extract<LiveEvent, { type: 'scan_decided' }>, 'outcome' | 'code'>;

export interface OutcomeFacts {
  op_id: string;
  /** The server's answer, if it came while this screen was open. */
  result: OpResult | null;
  /** What the server said of it later, if that came while this screen was open. */
  late_word: LateWord | null;
  rows: Pick<OutboxRows, 'ops' | 'dead' | 'waiting'>;
  online: boolean;
  /** It has been tried for longer than a server usually takes. */
  overdue: boolean;
}

/** Read from the outbox only: nothing is called confirmed that the server has not confirmed. */
export function outcomeOf({ op_id, result, late_word, rows, online, overdue }: OutcomeFacts): ScanOutcome {
  if (late_word) return outcomeOfLateWord(late_word);
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

function outcomeOfLateWord({ outcome, code }: LateWord): ScanOutcome {
  if (outcome === 'rejected') return { kind: 'refused', code: code ?? '', message: '' };
  return outcome === 'accepted' ? { kind: outcome, points: null } : { kind: outcome };
}

/** Refusals that a new scan of the same activity by the same person meets again. */
const FINAL: ReadonlySet<string> = new Set<ErrorCode>([
  'own_activity',
  'not_a_referee',
  'sport_not_refereed',
  'peer_too_new',
  'peer_not_there',
  'pair_limit_reached',
  'referee_limit_reached',
  'validation_window_closed',
  'scan_too_old',
  'activity_already_validated',
  'activity_rejected',
  'activity_deleted',
  'appeal_needs_another_referee',
]);

/** Whether scanning once more may help after a refusal with this code, for all that this app knows. */
export function mayScanAgain(code: string): boolean {
  return !FINAL.has(code);
}
