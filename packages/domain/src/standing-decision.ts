/** From the weakest to the strongest. */
export const PROOF_METHODS = ['peer', 'venue', 'referee'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** A valid confirmation or rejection of a finished activity. */
export interface Decision {
  /** Of the scan, or of the step that brought the venue's code; the order of equal moments. */
  op_id: string;
  method: ProofMethod;
  decision: 'confirm' | 'reject';
  /** null: a kiosk. */
  scanner_id: string | null;
  /** ms epoch, corrected by the scanner's clock offset. */
  scanned_at_ms: number;
  /** Of the scanned code; null where there was none of the athlete's. */
  step: number | null;
  /** When it came; ms epoch by the server's clock. */
  received_at_ms: number;
  /** ms epoch by the server's clock; null: it was not taken back. */
  withdrawn_at_ms: number | null;
}

/** What the athlete did meanwhile; ms epoch by the server's clock. */
export interface DecisionHistory {
  /** The last edit of times, distance, intensity, sport or center: a confirmation from before it shows something else. */
  edited_at_ms: number | null;
  /** The one appeal: from then on another referee may decide about a rejection. */
  appealed_at_ms: number | null;
}

/**
 * The decision that stands, or null. It depends on the decisions alone and never on the order in which they came:
 * the stronger method wins, inside a method the smaller (scanned_at, op_id). Void is what was confirmed before the last
 * edit. A rejection that was appealed stands until another referee decides. What another one overtook stays overtaken
 * when that one is taken back: a new scan is needed.
 */
export function standingDecision<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const { appealed_at_ms } = history;
  const first = firstRound(decisions, history);
  const late = decisions.filter(
    (one) => !isVoid(one, history) && appealed_at_ms !== null && one.scanned_at_ms >= appealed_at_ms,
  );
  if (first?.decision !== 'reject') return firstOf([...(first ? [first] : []), ...late]);
  const second = firstOf(late.filter((one) => mayDecideAppeal(first, one)));
  return second ?? (appealed_at_ms === null ? first : null);
}

/**
 * Whether a decision that comes to these is to be kept: it would stand, or it would be the rejection that was appealed,
 * or it is a rejection that only confirmations stand before, which an edit from later, that may not have come yet, does
 * away with. Any other one stands behind, and is refused.
 */
export function counts<D extends Decision>(decisions: readonly D[], one: D, history: DecisionHistory): boolean {
  const isDecisive = (all: readonly D[]) => standingDecision(all, history) === one || firstRound(all, history) === one;
  const all = [...decisions, one];
  if (isDecisive(all)) return true;
  return one.decision === 'reject' && isDecisive(all.filter(({ decision }) => decision === 'reject'));
}

/**
 * The rejection that nobody has answered yet, or null: it stands, or was appealed and waits for another referee. Whoever
 * records the same time once more does not get around it.
 */
export function openRejection<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const open = standingDecision(decisions, history) ?? firstRound(decisions, history);
  return open?.decision === 'reject' ? open : null;
}

/**
 * A rejection is never void: only the appeal, of which there is one, opens the way for another decision. The time of an
 * edit is what the athlete's device says.
 */
export function isVoid(
  { decision, scanned_at_ms }: Pick<Decision, 'decision' | 'scanned_at_ms'>,
  { edited_at_ms }: DecisionHistory,
): boolean {
  if (edited_at_ms === null || scanned_at_ms >= edited_at_ms) return false;
  return decision === 'confirm';
}

/** Whether this one may decide about the appeal of a rejection. */
function mayDecideAppeal(rejection: Decision, { method, scanner_id }: Decision): boolean {
  return method === 'referee' && scanner_id !== rejection.scanner_id;
}

/** Whether this one is scanned after an appeal that it cannot answer, because the same person rejected, or a friend. */
export function isOwnAppeal(decisions: readonly Decision[], one: Decision, history: DecisionHistory): boolean {
  const { appealed_at_ms } = history;
  if (appealed_at_ms === null || one.scanned_at_ms < appealed_at_ms) return false;
  const rejection = firstRound(decisions, history);
  return rejection?.decision === 'reject' && !mayDecideAppeal(rejection, one);
}

/** What stood when the appeal came; all that there is, where none came. */
function firstRound<D extends Decision>(decisions: readonly D[], history: DecisionHistory): D | null {
  const { appealed_at_ms } = history;
  return firstOf(
    decisions.filter((one) => !isVoid(one, history) && (appealed_at_ms === null || one.scanned_at_ms < appealed_at_ms)),
  );
}

/** Of one round: the best, or what came after the best was taken back. */
function firstOf<D extends Decision>(round: readonly D[]): D | null {
  const [best, ...others] = [...round].sort(compareDecisions);
  if (!best) return null;
  const { withdrawn_at_ms } = best;
  if (withdrawn_at_ms === null) return best;
  return firstOf(others.filter((one) => one.scanned_at_ms >= withdrawn_at_ms || isDecidedAgain(one, best)));
}

/** Who takes back a decision of their own may decide again at once; an older one of theirs does not come back. */
function isDecidedAgain(one: Decision, { scanner_id, withdrawn_at_ms }: Decision): boolean {
  return one.scanner_id !== null && one.scanner_id === scanner_id && one.received_at_ms >= (withdrawn_at_ms ?? 0);
}

/** Negative when the first one beats the second. */
function compareDecisions(a: Decision, b: Decision): number {
  return PROOF_METHODS.indexOf(b.method) - PROOF_METHODS.indexOf(a.method) || compareScans(a, b);
}

type ScanKey = Pick<Decision, 'scanned_at_ms' | 'op_id'>;

/** Negative when the first one was scanned first. */
export function compareScans(a: ScanKey, b: ScanKey): number {
  return a.scanned_at_ms - b.scanned_at_ms || (a.op_id < b.op_id ? -1 : Number(a.op_id > b.op_id));
}

/**
 * The newest step that a scan made before this one used up, or null. Later scans are not looked at, nor are weaker
 * ones, which cannot stand in the way of a stronger one: so the order in which they arrive does not matter.
 */
export function lastStepBefore(
  decisions: readonly Decision[],
  scan: ScanKey & Pick<Decision, 'method'>,
): number | null {
  const rank = PROOF_METHODS.indexOf(scan.method);
  const steps = decisions
    .filter((one) => compareScans(one, scan) < 0 && PROOF_METHODS.indexOf(one.method) >= rank)
    .flatMap(({ step }) => (step === null ? [] : [step]));
  return steps.length === 0 ? null : Math.max(...steps);
}
