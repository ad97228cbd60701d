import type { Op } from '@sendlap/contract/activities.ts';
import { type Decision, decisionInForce } from '@sendlap/domain/decision-in-force.ts';
import type { See } from '../base/sights.ts';

export type ScanOp = Extract<Op, { kind: 'scan' }>;
type Withdrawal = Extract<Op, { kind: 'withdraw' }>;

interface WaitingScan {
  user_id: string;
  op: ScanOp;
}

/** What a confirmed activity brings in this model. */
export const POINTS = 10;
const NO_HISTORY = { edited_at_ms: null, appealed_at_ms: null };

/** Scans of referees and the points that they bring: the app's own rule says which decision is in force. */
export function createModelProofs(now: () => number, see: See) {
  /** Activity (client_id) to its decisions. */
  const decisions = new Map<string, Decision[]>();
  /** Scans that came before the finish of their activity. */
  let waiting: WaitingScan[] = [];
  /** Append-only. */
  const ledger: { client_id: string; points: number }[] = [];

  const decisionsOf = (client_id: string) => decisions.get(client_id) ?? [];
  const pointsOf = (client_id: string) =>
    ledger.filter((entry) => entry.client_id === client_id).reduce((sum, { points }) => sum + points, 0);

  function bookPoints(client_id: string): void {
    const is_confirmed = decisionInForce(decisionsOf(client_id), NO_HISTORY)?.decision === 'confirm';
    const difference = (is_confirmed ? POINTS : 0) - pointsOf(client_id);
    if (difference < 0) see('reversal');
    if (difference !== 0) ledger.push({ client_id, points: difference });
  }

  function decide({ user_id, op }: WaitingScan): void {
    const { op_id, client_id, decision, scanned_at, clock } = op;
    const scanned_at_ms = Date.parse(scanned_at) + clock.offset_ms;
    const times = { scanned_at_ms, received_at_ms: now(), withdrawn_at_ms: null };
    const one: Decision = { op_id, method: 'referee', decision, scanner_id: user_id, step: null, ...times };
    decisions.set(client_id, [...decisionsOf(client_id), one]);
    bookPoints(client_id);
  }

  return {
    pointsOf,
    decide,

    /** Both codes of the kiosk count. */
    proveByVenue({ op_id, client_id }: Op): void {
      see('proof by the kiosk');
      const times = { scanned_at_ms: now(), received_at_ms: now(), withdrawn_at_ms: null };
      const one: Decision = { op_id, method: 'venue', decision: 'confirm', scanner_id: null, step: null, ...times };
      decisions.set(client_id, [...decisionsOf(client_id), one]);
      bookPoints(client_id);
    },

    hold: (scan: WaitingScan) => void waiting.push(scan),

    /** The activity has ended. Returns the scans that waited for it and now count. */
    join(client_id: string): WaitingScan[] {
      const joined = waiting.filter(({ op }) => op.client_id === client_id);
      waiting = waiting.filter(({ op }) => op.client_id !== client_id);
      for (const scan of joined) {
        see('orphan scan joined');
        decide(scan);
      }
      return joined;
    },

    withdraw({ client_id, scan_op_id }: Withdrawal): void {
      waiting = waiting.filter(({ op }) => op.op_id !== scan_op_id);
      const known = decisionsOf(client_id);
      const withdrawn_at_ms = now();
      decisions.set(
        client_id,
        known.map((one) => (one.op_id === scan_op_id ? { ...one, withdrawn_at_ms } : one)),
      );
      bookPoints(client_id);
    },
  };
}
