/** From the weakest to the strongest. */
export const PROOF_METHODS = ['peer', 'venue', 'referee'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** A valid confirmation or rejection of a finished activity. */
export interface Decision {
  /** The op of the scan, or the op that contained the venue's code; breaks ties between equal times. */
  op_id: string;
  method: ProofMethod;
  decision: 'confirm' | 'reject';
  /** null for a kiosk. */
  scanner_id: string | null;
  /** ms epoch, corrected by the scanner's clock offset. */
  scanned_at_ms: number;
  /** Time step of the scanned code; null if no code of the athlete was scanned. */
  step: number | null;
  /** When it arrived; ms epoch by the server's clock. */
  received_at_ms: number;
  /** ms epoch by the server's clock; null: not withdrawn. */
  withdrawn_at_ms: number | null;
}

/** The athlete's last edit (also one before the finish) and appeal; ms epoch by the server's clock. */
export interface DecisionHistory {
  /** The last edit of times, distance, intensity, sport or center: earlier confirmations were for other facts. */
  edited_at_ms: number | null;
  /** The only appeal: from then on another referee may decide about a rejection. */
  appealed_at_ms: number | null;
}

/**
 * Returns the decision in force, or null, whatever the order of arrival: the stronger method wins, within a method the
 * smaller (scanned_at, op_id). Confirmations from before the last edit are void, and an appealed rejection stays open
 * until another referee decides. An overtaken decision never comes back: that needs a new scan.
 */
export function decisionInForce<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const { appealed_at_ms } = history;
  const first = decisionBeforeAppeal(decisions, history);
  const after_appeal = decisions.filter(
    (one) => !isVoid(one, history) && appealed_at_ms !== null && one.scanned_at_ms >= appealed_at_ms,
  );
  if (first?.decision !== 'reject') return bestOf([...(first ? [first] : []), ...after_appeal]);
  const second = bestOf(after_appeal.filter((one) => mayDecideAppeal(first, one)));
  return second ?? (appealed_at_ms === null ? first : null);
}

/**
 * Returns whether to store a new decision: it would be in force, or be the appealed rejection, or it is a rejection
 * that only confirmations beat, which a later edit, possibly still on its way, may void. Any other new decision is
 * refused.
 */
export function shouldStoreDecision<D extends Decision>(
  decisions: readonly D[],
  one: D,
  history: DecisionHistory,
): boolean {
  const isDecisive = (all: readonly D[]) =>
    decisionInForce(all, history) === one || decisionBeforeAppeal(all, history) === one;
  const all = [...decisions, one];
  if (isDecisive(all)) return true;
  return one.decision === 'reject' && isDecisive(all.filter(({ decision }) => decision === 'reject'));
}

/**
 * Returns the unanswered rejection, or null: it is in force, or was appealed and waits for another referee. An athlete
 * who records the same time again does not bypass it.
 */
export function openRejection<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const open = decisionInForce(decisions, history) ?? decisionBeforeAppeal(decisions, history);
  return open?.decision === 'reject' ? open : null;
}

/**
 * A rejection is never void: only the single appeal allows another decision. The time of an edit comes from the
 * athlete's device.
 */
export function isVoid(
  { decision, scanned_at_ms }: Pick<Decision, 'decision' | 'scanned_at_ms'>,
  { edited_at_ms }: DecisionHistory,
): boolean {
  if (edited_at_ms === null || scanned_at_ms >= edited_at_ms) return false;
  return decision === 'confirm';
}

/** Returns whether this decision may answer the appeal of a rejection. */
function mayDecideAppeal(rejection: Decision, { method, scanner_id }: Decision): boolean {
  return method === 'referee' && scanner_id !== rejection.scanner_id;
}

/**
 * Returns whether this decision was scanned after an appeal that it cannot answer: by the person who rejected, or with
 * another method than `referee`.
 */
export function cannotAnswerAppeal(decisions: readonly Decision[], one: Decision, history: DecisionHistory): boolean {
  const { appealed_at_ms } = history;
  if (appealed_at_ms === null || one.scanned_at_ms < appealed_at_ms) return false;
  const rejection = decisionBeforeAppeal(decisions, history);
  return rejection?.decision === 'reject' && !mayDecideAppeal(rejection, one);
}

/** Returns the decision in force when the appeal came; without an appeal considers all decisions. */
function decisionBeforeAppeal<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const { appealed_at_ms } = history;
  return bestOf(
    decisions.filter((one) => !isVoid(one, history) && (appealed_at_ms === null || one.scanned_at_ms < appealed_at_ms)),
  );
}

/** Returns the best decision of a round; if it was withdrawn, the best of those made after that. */
function bestOf<D extends Decision>(round: readonly D[]): D | null {
  const [best, ...others] = [...round].sort(compareDecisions);
  if (!best) return null;
  const { withdrawn_at_ms } = best;
  if (withdrawn_at_ms === null) return best;
  return bestOf(others.filter((one) => one.scanned_at_ms >= withdrawn_at_ms || isRenewedDecision(one, best)));
}

/**
 * A scanner who withdraws a decision may decide again at once; an older decision of the same scanner does not return.
 */
function isRenewedDecision(one: Decision, { scanner_id, withdrawn_at_ms }: Decision): boolean {
  return one.scanner_id !== null && one.scanner_id === scanner_id && one.received_at_ms >= (withdrawn_at_ms ?? 0);
}

/** Returns a negative number if the first decision beats the second. */
function compareDecisions(a: Decision, b: Decision): number {
  return PROOF_METHODS.indexOf(b.method) - PROOF_METHODS.indexOf(a.method) || compareScans(a, b);
}

type ScanKey = Pick<Decision, 'scanned_at_ms' | 'op_id'>;

/** Returns a negative number if the first one was scanned first. */
export function compareScans(a: ScanKey, b: ScanKey): number {
  return a.scanned_at_ms - b.scanned_at_ms || (a.op_id < b.op_id ? -1 : Number(a.op_id > b.op_id));
}

/**
 * Returns the newest time step that earlier scans have used up, or null. Later scans and weaker ones, which cannot
 * block a stronger one, are ignored, and for a rejection also confirmations, which an edit may void: so the order of
 * arrival does not matter.
 */
export function lastTimeStepBefore(
  decisions: readonly Decision[],
  scan: ScanKey & Pick<Decision, 'method' | 'decision'>,
): number | null {
  const rank = PROOF_METHODS.indexOf(scan.method);
  const steps = decisions
    .filter((one) => compareScans(one, scan) < 0 && PROOF_METHODS.indexOf(one.method) >= rank)
    .filter((one) => scan.decision === 'confirm' || one.decision === 'reject')
    .flatMap(({ step }) => (step === null ? [] : [step]));
  return steps.length === 0 ? null : Math.max(...steps);
}
