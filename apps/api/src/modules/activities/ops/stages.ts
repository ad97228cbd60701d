import type { KeptFor } from '#api/events/event-store.ts';
import type { Settled } from '../points/redistribute-points.ts';
import type { VenueProof } from '../proofs/venue.ts';
import type { ActivityRow, DecisionRow } from '../record/store.ts';

/** The result of an activity op, not yet written. */
export interface Done {
  /** undefined: the activity is new. */
  before: ActivityRow | undefined;
  row: ActivityRow;
  /** Set if points may change. */
  settled?: Settled;
  decided?: DecisionRow;
  withdrawn?: DecisionRow;
  /** A decision that is no longer in force because of this op. */
  overtaken?: DecisionRow | undefined;
  venue?: VenueProof | undefined;
  /** Notifications to other users. */
  news?: KeptFor[];
}
