import type { Op } from '@sendlap/contract/activities.ts';
import type { ActivityState } from '@sendlap/domain/activity-states.ts';
import type { BadgeId } from '@sendlap/domain/progress/badges.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport, WeekTotal } from '@sendlap/domain/sports.ts';
import type { ColumnType, Generated } from 'kysely';
import type { DefaultNow, Json, Nullable, Time } from './column-types.ts';

/** Activities, their proofs and their score. */
export interface ActivityTables {
  activities: {
    id: string;
    user_id: string;
    sport_center_id: string;
    sport_type: Sport;
    started_at: Time;
    ended_at: Nullable<Date>;
    /** Seconds between start and end in which the athlete had paused; null: none. */
    paused_s: Nullable<number>;
    /** 'deleted' is a tombstone: a late op or proof cannot restore the activity. */
    status: ActivityState;
    validation: Generated<'none' | 'peer' | 'venue' | 'referee'>;
    intensity: Intensity | null;
    intensity_confirmed: Generated<boolean>;
    distance_m: number | null;
    points: Generated<number>;
    /** Minutes that count after the daily cap; null until validated. */
    counted_minutes: Nullable<number>;
    rule_version: string;
    /** Date and ISO week of `started_at` in the center's time zone; they move with the start and the center. */
    local_date: string;
    week_key: string;
    /** Corrected time of the accepted scan. */
    validated_at: Nullable<Date>;
    /** The kiosk's code that was scanned at the start, as `kiosk step`. */
    venue_start_code: Nullable<string>;
    /** The decision in force and its scanner; `decided_by` is null without a decision or for a kiosk's. */
    decision_id: Nullable<string>;
    decided_by: Nullable<string>;
    /** The open rejection (`openRejection`): in force, or appealed and undecided; also of a deleted activity. */
    rejection_id: Nullable<string>;
    /** The facts that the athlete declared, while those of a proof are in force. */
    declared: ColumnType<object | null, string | null | undefined, string | null>;
    /** Corrected time of the last edit: it voids earlier confirmations. */
    edited_at: Nullable<Date>;
    appealed_at: Nullable<Date>;
    appeal_reason: Nullable<string>;
    rejected_reason: Nullable<string>;
    /** When the server received the scans of the kiosk's codes. */
    venue_started_at: Nullable<Date>;
    venue_ended_at: Nullable<Date>;
    /** Code of the reason why a venue scan does not count. */
    proof_note: Nullable<string>;
    created_at: DefaultNow;
    updated_at: DefaultNow;
  };
  /** Every decision that was valid when it arrived; the activity names the one in force. */
  decisions: {
    id: string;
    athlete_id: string;
    activity_id: string;
    /** null for a kiosk. */
    scanner_id: string | null;
    /** The scanner's op, for a kiosk the athlete's finish; null once the scanner's account is erased. */
    op_id: string | null;
    method: 'peer' | 'venue' | 'referee';
    decision: 'confirm' | 'reject';
    /** Corrected by the scanner's clock offset. */
    scanned_at: Time;
    step: number | null;
    facts: Json;
    reason: string | null;
    received_at: DefaultNow;
    /** Later than the time of receipt if the decision had to wait. */
    decided_at: DefaultNow;
    withdrawn_at: Nullable<Date>;
    withdrawn_because: Nullable<'scanner' | 'operator'>;
  };
  activity_ops: {
    user_id: string;
    op_id: string;
    /** Of a scan that proves no athlete, and of its withdrawal: the `op_id`. */
    activity_id: string;
    /** The athlete whom a scan or withdrawal is about; null for ops about one's own activity, or if none is proven. */
    athlete_id: Nullable<string>;
    kind: Op['kind'];
    body_hash: Buffer;
    outcome: 'accepted' | 'waiting' | 'rejected';
    code: string | null;
    message: string | null;
    received_at: DefaultNow;
  };
  waiting_scans: {
    op_id: string;
    scanner_id: string;
    athlete_id: string;
    activity_id: string;
    scan: Json;
    received_at: DefaultNow;
    expires_at: Time;
  };
  validation_log: {
    id: Generated<string>;
    athlete_id: string;
    activity_id: string;
    /** null: scanned at a kiosk. */
    scanner_id: string | null;
    kiosk_id: Nullable<string>;
    op_id: string;
    method: 'peer' | 'venue' | 'referee';
    decision: 'confirm' | 'reject';
    outcome: 'accepted' | 'waiting' | 'refused';
    /** Error code of a refused scan; null otherwise. */
    code: string | null;
    reason: string | null;
    /** Corrected by the scanner's clock offset. */
    scanned_at: Time;
    clock_offset_ms: number;
    /** Age of the measured offset; null: never measured. */
    clock_age_ms: number | null;
    distance_class: 'at' | 'near' | 'far' | 'unknown';
    received_at: DefaultNow;
  };
  score_ledger: {
    id: Generated<string>;
    user_id: string;
    activity_id: string;
    kind: 'validation' | 'allotment' | 'reversal';
    points: number;
    rule_version: string;
    inputs: Json;
    created_at: DefaultNow;
    /** The entry was made while the week was open, so it counted on the leaderboards. */
    on_boards: Generated<boolean>;
  };
  kiosks: {
    id: string;
    sport_center_id: string;
    token_hash: Buffer;
    created_at: DefaultNow;
    last_used_at: DefaultNow;
    revoked_at: Nullable<Date>;
  };
  kiosk_keys: { id: string; kiosk_id: string; day: string; key_encrypted: Buffer };
  invites: {
    code_hash: Buffer;
    kind: 'referee' | 'kiosk' | 'operator' | 'manager';
    /** null for an operator. */
    sport_center_id: string | null;
    sport_types: Generated<Sport[]>;
    right_until: Nullable<Date>;
    granted_by: string;
    created_at: DefaultNow;
    expires_at: Time;
    used_at: Nullable<Date>;
    used_by: Nullable<string>;
  };
  board_scores: {
    user_id: string;
    /** '2026-W47', '2026-Q4' or 'all'. */
    period: string;
    sport: 'all' | Sport;
    /** The nil UUID means all centers. */
    sport_center_id: string;
    /** Points from proofs of kiosks and referees. */
    points: number;
    reached_at: Time;
    /** Points including friends' proofs. */
    friends_points: number;
    friends_reached_at: Time;
    version: Generated<number>;
  };
  board_changes: {
    /** Transaction id (xid8) of the writer. */
    xid: Generated<string>;
    user_id: string;
    /** null: all periods that the user has. */
    periods: string[] | null;
    created_at: DefaultNow;
  };
  /** With the sums that the sports' records name. */
  athlete_weeks: Record<WeekTotal, number> & {
    user_id: string;
    week_key: string;
    points: number;
    /** Active days: bit 0 is Monday. */
    days: number;
    sport_center_ids: string[];
    /** One letter per activity in the order of their starts: r(eferee), v(enue), p(eer). */
    proofs: string;
  };
  badges: { user_id: string; badge: BadgeId; earned_at: Time };
}
