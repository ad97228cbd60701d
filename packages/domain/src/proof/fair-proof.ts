import { VENUE_TIME_STEP_MS } from '../qr-code.ts';
import { MIN_SCORED_MINUTES } from '../scoring.ts';

/** At most so many scored confirmations of one athlete by one scanner on a day of a center. */
export const MAX_PAIR_CONFIRMATIONS = 3;
/** At most so many scored confirmations by one scanner on a day. */
export const MAX_SCANNER_CONFIRMATIONS = 40;

/** A friend's confirmation of another activity of the same athlete by the same friend. */
export interface PeerProof {
  /** ms epoch, corrected by the scanner's clock offset. */
  scanned_at_ms: number;
  /** Length of the confirmed activity from start to end, pauses included. */
  duration_ms: number;
}

/**
 * A friend's confirmations of one athlete lie at least the length of the later confirmed activity apart, so that a day is
 * not made up in one second. Returns from when on (ms epoch) the friend may confirm this one, or null: at once.
 */
export function peerProofAllowedFrom(proof: PeerProof, others: readonly PeerProof[]): number | null {
  const isTooClose = (other: PeerProof) => {
    const [earlier, later] = other.scanned_at_ms <= proof.scanned_at_ms ? [other, proof] : [proof, other];
    return later.scanned_at_ms - earlier.scanned_at_ms < later.duration_ms;
  };
  const too_close = others.filter(isTooClose);
  if (too_close.length === 0) return null;
  return Math.max(...too_close.map(({ scanned_at_ms }) => scanned_at_ms)) + proof.duration_ms;
}

/** What a kiosk's codes prove about the account that scanned them. */
export interface KioskVisit {
  /** Earlier visits link the code of the start to the code of the finish: see `areCodesLinked`. */
  shares_codes: boolean;
  /** Another account of the same installation was proven by a kiosk of the center at an overlapping time. */
  shares_installation: boolean;
}

/** Why a kiosk's proof counts as a friend's does: on no public board. */
export type VenueLimit = 'venue_codes_shared' | 'venue_installation_shared';

export function isVenueLimit(code: string | null): code is VenueLimit {
  return code === 'venue_codes_shared' || code === 'venue_installation_shared';
}

/**
 * Codes that earlier visits have linked prove no further person on public boards, nor does one installation. The account
 * keeps its points; a referee can confirm it for the public boards. Returns the reason, or null.
 */
export function venueLimitOf({ shares_codes, shares_installation }: KioskVisit): VenueLimit | null {
  if (shares_codes) return 'venue_codes_shared';
  return shares_installation ? 'venue_installation_shared' : null;
}

/** Two accounts share an installation if each had a key of it until this long before the visit or the scan, or later. */
export const INSTALLATION_MEMORY_MS = 7 * 86_400_000;

/** The kiosk's codes that were scanned at the start and at the finish of a visit: equal texts for the same code. */
export interface VenueCodes {
  start: string;
  end: string;
}

/** Whether no visit between codes of these time steps gives points: each was received within its step or one beside it. */
export function isTooShortToScore(start_step: number, end_step: number): boolean {
  return (end_step - start_step + 2) * VENUE_TIME_STEP_MS < MIN_SCORED_MINUTES * 60_000;
}

/**
 * Whether earlier visits lead from the code of the start to the code of the finish: one with the same two codes, or a
 * chain in which each visit has a code in common with the next. Without this rule, accounts could combine the codes of a
 * few readings; with it, n codes put at most n − 1 visits on public boards.
 */
export function areCodesLinked({ start, end }: VenueCodes, earlier: readonly VenueCodes[]): boolean {
  return codesLinkedTo(start, earlier).has(end);
}

/** Returns the codes to which earlier visits lead from this one, and this one. */
export function codesLinkedTo(code: string, earlier: readonly VenueCodes[]): ReadonlySet<string> {
  const neighbours = Map.groupBy(
    earlier.flatMap(({ start, end }) => [
      { from: start, to: end },
      { from: end, to: start },
    ]),
    ({ from }) => from,
  );
  const linked = new Set([code]);
  // A set goes on with the additions on the way.
  for (const one of linked) for (const { to } of neighbours.get(one) ?? []) linked.add(to);
  return linked;
}
