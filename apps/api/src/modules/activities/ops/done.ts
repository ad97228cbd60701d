import type { KeptFor } from '#api/events/event-store.ts';
import type { Settled } from '../points/settle.ts';
import type { VenueProof } from '../proofs/venue.ts';
import type { ActivityRow, DecisionRow } from '../record/store.ts';

/** What a step of an activity comes to; nothing is written yet. */
export interface Done {
  /** undefined: the activity is new. */
  before: ActivityRow | undefined;
  row: ActivityRow;
  /** Points, where they may change. */
  settled?: Settled;
  decided?: DecisionRow;
  withdrawn?: DecisionRow;
  /** A decision that no longer stands because of this step. */
  overtaken?: DecisionRow | undefined;
  venue?: VenueProof | undefined;
  /** What others are told of it. */
  news?: KeptFor[];
}
