import type { Activity, Op } from '@sendlap/contract/activities.ts';
import type { LocalActivityState } from '@sendlap/domain/activity-states.ts';
import type { Bytes } from '@sendlap/domain/bytes.ts';
import type { ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import type { Pause } from '@sendlap/domain/recording/pauses.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { QueuedMessage } from './queued-message.ts';

/** An op that was saved on this device and has not reached the server. Times are ms epoch of this device. */
export interface QueuedOp {
  /** The order in which ops were saved. */
  seq: number;
  op_id: string;
  /** The activity. */
  client_id: string;
  user_id: string;
  kind: Op['kind'];
  payload: Op;
  created_at: number;
  attempts: number;
  last_error: string | null;
  /** A batch with it timed out: the next drain, of any page or the worker, begins with at most this many ops. */
  batch_limit?: number;
  /** Not sent before this time, until which it can be undone; null: sent at once. */
  hold_until: number | null;
  /** Facts from the activity's list, if the activity is not stored here. */
  facts?: ActivityFacts;
  /** The times in `payload` may be wrong: the next contact corrects them, once, before they are sent. */
  clock?: ClockNote;
  /** The refused activity (client_id) with which this op's activity overlapped, and which the op makes room for. */
  resolves?: string;
}

/** Returns whether it is an op of the user's own activity; the others concern another athlete's. */
export function isOwnOp({ kind }: Pick<QueuedOp, 'kind'>): boolean {
  return kind !== 'scan' && kind !== 'withdraw';
}

/** This app's own code of ops that it did not send, because only the athlete knows their times. */
export const CLOCK_UNSURE = 'clock_unsure';

/** ISO 8601. */
export interface ActivityTimes {
  started_at: string;
  ended_at: string | null;
}

/** An op that the server refused for good, or that waits for the athlete's word. */
export interface DeadOp extends Omit<QueuedOp, 'hold_until'> {
  code: string;
  message: string;
  died_at: number;
  /** Of `CLOCK_UNSURE`: the times that the activity may have had. */
  proposals?: ActivityTimes[];
  /** The op (op_id) that merges this activity into another one. Not shown while the server has not answered it. */
  merged_by?: string;
  /** The activity into which it was merged had ended on the other phone before: the athlete is asked again. */
  had_ended?: true;
}

/** A scan that waits on the server until the athlete's own ops arrive. */
export interface WaitingScan {
  op_id: string;
  client_id: string;
  user_id: string;
  payload: Op;
  noted_at: number;
}

/** The facts of an activity that a screen needs besides its op. */
export interface ActivityFacts {
  sport_center_id: string;
  sport_center_name: string;
  sport_type: Sport;
  /** ISO 8601, UTC */
  started_at: string;
  intensity: Intensity | null;
}

/** The athlete's notes while an activity runs; they become part of the finish. */
export interface ActivityDraft {
  intensity: Intensity | null;
  /** Metres; 0: no pool, lengths are not counted. */
  pool_length_m: number;
  lengths: number;
  /** In order; only the last one may be open. Omitted: none. They stay after the finish, which can be undone. */
  pauses?: Pause[];
}

/** A finish that can be undone, and the values that it changed. Times are ms epoch of this device. */
export interface FinishUndo {
  since: number;
  until: number;
  intensity: Intensity | null;
}

/** The offline activity of the spec (section 3), with the facts that its screens need without a network. */
export interface LocalActivity extends ActivityFacts {
  /** 'offline_' + time + random: only the local key. */
  id: string;
  /** UUID v4: the server's key and the id in the code. */
  client_id: string;
  user_id: string;
  ended_at: string | null;
  /** Seconds at rest of a finished activity; omitted: none. */
  paused_s?: number | undefined;
  distance_m: number | null;
  status: LocalActivityState;
  sync_priority: number;
  created_at: string;
  draft: ActivityDraft | null;
  /** How far its times were corrected because the device's clock was wrong, ms, until the athlete has read that. */
  corrected_ms?: number | undefined;
  /** The finish can be undone; undefined: not finished here, or final. */
  undo?: FinishUndo | undefined;
  /** The server's latest state of it, null before the server has it. */
  server: Activity | null;
  /** When the server last answered an op of it, ms epoch by this device's clock; undefined: not yet. */
  acked_at?: number | undefined;
}

/** Counts unsent data; ops and messages that the server refused do not count. */
export interface UnsentCounts {
  activities: number;
  /** Confirmations of other athletes' activities. */
  proofs: number;
  messages: number;
}

/** The public key (P-256, base64url) that seals a user's rows when the session ends. */
export interface SealingKey {
  user_id: string;
  public_key: string;
}

/** All rows of one user, sealed at the end of a session. Only the user's next sign-in opens them. */
export interface SealedWork {
  id: number;
  /** Names the owner by nothing that another person could read. */
  public_key: string;
  ephemeral_key: string;
  ciphertext: Bytes;
  counts: UnsentCounts;
  /** As `countLocalOnly` counts; 0: only copies of what the server has. */
  item_count: number;
  /** ms epoch of this device. */
  sealed_at: number;
}

export function countSealedItems(works: readonly Pick<SealedWork, 'item_count'>[]): number {
  return works.reduce((sum, { item_count }) => sum + item_count, 0);
}

/** A copy of what the server has acknowledged: an op or a message. */
export interface SentItem {
  /** `op_id` or `client_id`. */
  id: string;
  user_id: string;
  /** ms epoch of this device */
  sent_at: number;
  /** The epoch of the server that acknowledged it. */
  epoch: string;
  op?: QueuedOp;
  message?: QueuedMessage;
}
