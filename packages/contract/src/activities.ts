import * as z from 'zod/mini';
import { ACTIVITY_ERRORS } from './activity-errors.ts';
import { endpoint } from './wire/endpoint.ts';
import {
  Cursor,
  DeviceTime,
  Distance,
  Intensity,
  Limit,
  MAX_CLOCK_OFFSET_MS,
  PausedSeconds,
  page,
  Sport,
  Timestamp,
  Uuid,
} from './wire/schemas.ts';

/** Lists omit deleted activities; only the answer to the deletion, or to a late op, contains one. */
export const ActivityStatus = z.enum(['active', 'finished', 'validated', 'rejected', 'deleted']);
export const Validation = z.enum(['none', 'peer', 'venue', 'referee']);

/** How the points were computed: the sum that "How was this computed?" shows. METs are in thousandths. */
const ScoreExplanation = z.object({
  rule_version: z.string(),
  minutes: z.number(),
  counted_minutes: z.number(),
  intensity_used: Intensity,
  active_met_thousandths: z.number(),
  met_thousandths: z.number(),
  points: z.number(),
});

export const Activity = z.object({
  client_id: Uuid,
  sport_center_id: Uuid,
  sport_center_name: z.string(),
  sport_type: Sport,
  started_at: Timestamp,
  ended_at: z.nullable(Timestamp),
  /** Seconds at rest; 0 while it runs: its device knows them. A server that knows no pauses omits them. */
  paused_s: z._default(z.number(), 0),
  status: ActivityStatus,
  validation: Validation,
  /** 0 until validated. */
  points: z.number(),
  /**
   * The points that a confirmation of the current facts would bring. Until one counts, the activity is scored alone,
   * without the day's cap; after the confirmation window they show the effort only.
   */
  potential_points: z.number(),
  rule_version: z.string(),
  intensity: z.nullable(Intensity),
  distance_m: z.nullable(z.number()),
  /** null while the activity runs. */
  score: z.nullable(ScoreExplanation),
  /** The referee's reason, while it is rejected. */
  rejected_reason: z.nullable(z.string()),
  /** It was rejected, and the athlete may ask another referee once. */
  can_appeal: z.boolean(),
  /** When the athlete appealed; another referee can decide for 12 hours. null: no appeal. */
  appealed_at: z.nullable(Timestamp),
  /** Code of the reason why a scan of the venue's code does not count. */
  proof_note: z.nullable(z.string()),
});
export type Activity = z.infer<typeof Activity>;

/** One attempt to prove an activity, or all attempts of users without the right to do so, combined. */
export const ProofAttempt = z.object({
  /** null: users without the right to decide. */
  method: z.nullable(z.enum(['peer', 'venue', 'referee'])),
  decision: z.enum(['confirm', 'reject']),
  outcome: z.enum(['in_force', 'overtaken', 'withdrawn', 'edited', 'appealed', 'waiting', 'refused']),
  /** Why it was refused; of several the last. */
  code: z.nullable(z.string()),
  /** The referee's text to the athlete; only for an accepted decision. */
  reason: z.nullable(z.string()),
  /** Of several the last. */
  at: Timestamp,
  /** Display name of the user who decided; null: the kiosk, or an attempt that was not accepted. */
  by: z.nullable(z.string()),
  distance_class: z.enum(['at', 'near', 'far', 'unknown']),
  /** Number of attempts; above 1 only for users without the right. */
  count: z.number(),
});
export type ProofAttempt = z.infer<typeof ProofAttempt>;

export const ActivityDetail = z.extend(Activity, {
  /** In the order of arrival: the decision in force and the newest of the others, at most 20. */
  proofs: z.array(ProofAttempt),
  /** Entries of the ledger, oldest first: the history of the points. */
  ledger: z.array(
    z.object({
      kind: z.enum(['validation', 'allotment', 'reversal']),
      points: z.number(),
      rule_version: z.string(),
      at: Timestamp,
    }),
  ),
});
export type ActivityDetail = z.infer<typeof ActivityDetail>;

/** base64url of a code with its MAC, as scanned from the QR. */
const Payload = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,512}$/, 'must be base64url'));
/**
 * The code of the center's kiosk. It counts if the server receives it within its time step; else `proof_note` says why.
 */
export const VenueScan = z.strictObject({ payload: Payload, scanned_at: Timestamp });

const startFields = {
  op_id: Uuid,
  sport_center_id: Uuid,
  sport_type: Sport,
  started_at: Timestamp,
  intensity: z.optional(Intensity),
  venue_scan: z.optional(VenueScan),
};
const finishFields = {
  op_id: Uuid,
  ended_at: Timestamp,
  paused_s: z.optional(PausedSeconds),
  distance_m: z.optional(Distance),
  intensity: z.optional(Intensity),
  venue_scan: z.optional(VenueScan),
};
/** The athlete's corrections; omitted fields stay, and a change drops the proof. */
const editFields = {
  op_id: Uuid,
  edited_at: Timestamp,
  started_at: z.optional(Timestamp),
  ended_at: z.optional(Timestamp),
  paused_s: z.optional(PausedSeconds),
  distance_m: z.optional(z.nullable(Distance)),
  intensity: z.optional(Intensity),
  sport_type: z.optional(Sport),
  sport_center_id: z.optional(Uuid),
};
const appealFields = {
  op_id: Uuid,
  appealed_at: Timestamp,
  reason: z.optional(z.string().check(z.maxLength(500))),
};
export const withdrawFields = {
  op_id: Uuid,
  /** The op of my own decision that I withdraw. */
  scan_op_id: Uuid,
};

export const DistanceClass = z.enum(['at', 'near', 'far', 'unknown']);

const scanFields = {
  op_id: Uuid,
  decision: z.enum(['confirm', 'reject']),
  /** Raw time of the scanner's device; the server corrects it by `clock`. */
  scanned_at: DeviceTime,
  clock: z.strictObject({
    /** Server time minus device time at the last contact. */
    offset_ms: z.number().check(z.int(), z.gte(-MAX_CLOCK_OFFSET_MS), z.lte(MAX_CLOCK_OFFSET_MS)),
    /** Age of that measurement; null: never measured. */
    age_ms: z.nullable(z.number().check(z.int(), z.gte(0))),
    /** How far the wall clock moved against the monotonic one since the page was opened. */
    jump_ms: z._default(z.number().check(z.int(), z.gte(-MAX_CLOCK_OFFSET_MS), z.lte(MAX_CLOCK_OFFSET_MS)), 0),
  }),
  /** The scan was stored on the device before it could be sent. */
  recorded_offline: z._default(z.boolean(), false),
  distance_class: z._default(DistanceClass, 'unknown'),
  adjust: z.optional(
    z.strictObject({
      ended_at: z.optional(Timestamp),
      distance_m: z.optional(Distance),
      intensity: z.optional(Intensity),
    }),
  ),
  reason: z.optional(z.string().check(z.maxLength(500))),
};
export const Digits = z.string().check(z.regex(/^\d{8}$/, 'must be 8 digits'));

export const startActivity = endpoint({
  method: 'POST',
  path: '/v1/activities',
  summary: 'Start an activity at a center',
  access: 'user',
  body: z.strictObject({ client_id: Uuid, ...startFields }),
  data: Activity,
  status: 201,
  errors: ACTIVITY_ERRORS.start,
});

export const finishActivity = endpoint({
  method: 'POST',
  path: '/v1/activities/:client_id/finish',
  summary: 'Finish my running activity',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject(finishFields),
  data: Activity,
  errors: ACTIVITY_ERRORS.finish,
});

export const listActivities = endpoint({
  method: 'GET',
  path: '/v1/activities',
  summary: 'My activities, newest first',
  access: 'user',
  query: z.strictObject({
    sport: z.optional(Sport),
    status: z.optional(ActivityStatus),
    from: z.optional(Timestamp),
    to: z.optional(Timestamp),
    limit: Limit,
    cursor: Cursor,
  }),
  data: page(Activity),
  errors: ['cursor_invalid'],
});

export const getActivity = endpoint({
  method: 'GET',
  path: '/v1/activities/:client_id',
  summary: 'One of my activities with its proofs and the entries of its score',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  data: ActivityDetail,
  errors: ['activity_not_found'],
});

export const editActivity = endpoint({
  method: 'PATCH',
  path: '/v1/activities/:client_id',
  summary: 'Correct one of my activities; a correction of a proven fact drops the proof',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject(editFields),
  data: Activity,
  errors: ACTIVITY_ERRORS.edit,
});

export const deleteActivity = endpoint({
  method: 'DELETE',
  path: '/v1/activities/:client_id',
  summary: 'Delete one of my activities, with its points',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject({ op_id: Uuid }),
  data: Activity,
  errors: ACTIVITY_ERRORS.delete,
});

export const appealActivity = endpoint({
  method: 'POST',
  path: '/v1/activities/:client_id/appeal',
  summary: 'Ask another referee about my rejected activity, once',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject(appealFields),
  data: Activity,
  errors: ACTIVITY_ERRORS.appeal,
});

export const validateActivity = endpoint({
  method: 'POST',
  path: '/v1/activities/validate',
  summary: 'Confirm or reject the activity whose code I scanned or typed; 202 while it waits for the activity',
  access: 'user',
  body: z.strictObject({ ...scanFields, payload: z.optional(Payload), code: z.optional(Digits) }).check(
    z.refine((body) => (body.payload === undefined) !== (body.code === undefined), {
      message: 'either payload or code',
      path: ['payload'],
    }),
  ),
  data: z.object({ outcome: z.enum(['accepted', 'duplicate', 'waiting']), activity: z.nullable(Activity) }),
  errors: ACTIVITY_ERRORS.validate,
});

/** An op of an activity, as the outbox stores it. For a scan or a withdrawal `client_id` is the athlete's activity. */
export const Op = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start'), client_id: Uuid, ...startFields }),
  z.strictObject({ kind: z.literal('finish'), client_id: Uuid, ...finishFields }),
  /** Undoes my finish: the activity runs again. Only before any decision about it. */
  z.strictObject({ kind: z.literal('reopen'), client_id: Uuid, op_id: Uuid }),
  z.strictObject({ kind: z.literal('scan'), client_id: Uuid, ...scanFields, payload: Payload }),
  z.strictObject({ kind: z.literal('edit'), client_id: Uuid, ...editFields }),
  z.strictObject({ kind: z.literal('delete'), client_id: Uuid, op_id: Uuid }),
  z.strictObject({ kind: z.literal('appeal'), client_id: Uuid, ...appealFields }),
  z.strictObject({ kind: z.literal('withdraw'), client_id: Uuid, ...withdrawFields }),
]);
export type Op = z.input<typeof Op>;

export const OpResult = z.object({
  op_id: Uuid,
  outcome: z.enum(['accepted', 'duplicate', 'waiting', 'rejected']),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  activity: z.optional(z.nullable(Activity)),
});
export type OpResult = z.infer<typeof OpResult>;

export const syncActivities = endpoint({
  method: 'POST',
  path: '/v1/activities/sync',
  summary: 'Queued steps, in order; each gets its own outcome',
  access: 'user',
  body: z.strictObject({ ops: z.array(Op).check(z.minLength(1), z.maxLength(50)) }),
  data: z.object({ results: z.array(OpResult) }),
});
