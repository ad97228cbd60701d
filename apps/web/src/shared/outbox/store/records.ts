import type { Activity, Op } from '@sendlap/contract/activities.ts';
import type { LocalActivityState } from '@sendlap/domain/activity-states.ts';
import type { Intensity, Sport } from '@sendlap/domain/scoring.ts';

/** A step that was saved on this device and has not reached the server. Times are ms epoch of this device. */
export interface QueuedOp {
  /** The order in which steps were saved. */
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
  /** Not sent before: the time in which it can be undone. null: at once. */
  hold_until: number | null;
  /** What its list says of the activity, where that is not kept here. */
  facts?: ActivityFacts;
  /** The clock had never been compared with the server's: the times in `payload` are this device's own. */
  clock_unknown?: true;
}

/** Whether it is a step of my own activity; the others are about somebody else's. */
export function isOwnStep({ kind }: Pick<QueuedOp, 'kind'>): boolean {
  return kind !== 'scan' && kind !== 'withdraw';
}

/** A step that the server refused for good. */
export interface DeadOp extends Omit<QueuedOp, 'hold_until'> {
  code: string;
  message: string;
  died_at: number;
}

/** A scan that the server keeps until the athlete's own steps arrive. */
export interface WaitingScan {
  op_id: string;
  client_id: string;
  user_id: string;
  payload: Op;
  noted_at: number;
}

/** What a screen knows of an activity besides its step. */
export interface ActivityFacts {
  sport_center_id: string;
  sport_center_name: string;
  sport_type: Sport;
  /** ISO 8601, UTC */
  started_at: string;
  intensity: Intensity | null;
}

/** What the athlete notes while an activity runs; it becomes part of the finish. */
export interface ActivityDraft {
  intensity: Intensity | null;
  /** Metres; 0: no pool, lengths are not counted. */
  pool_length_m: number;
  lengths: number;
}

/** A finish that can be taken back, and what it changed. Times are ms epoch of this device. */
export interface FinishUndo {
  since: number;
  until: number;
  intensity: Intensity | null;
}

/** The offline activity of the spec (section 3), with what its screens need without a network. */
export interface LocalActivity extends ActivityFacts {
  /** 'offline_' + time + random: only the local key. */
  id: string;
  /** UUID v4: the server's key and the id in the code. */
  client_id: string;
  user_id: string;
  ended_at: string | null;
  distance_m: number | null;
  status: LocalActivityState;
  sync_priority: number;
  created_at: string;
  draft: ActivityDraft | null;
  /** Its finish can be taken back; undefined: it was not finished here, or is to stay so. */
  undo?: FinishUndo | undefined;
  /** The server's last word on it, null before it has heard of it. */
  server: Activity | null;
}
