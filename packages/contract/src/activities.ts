import { MAX_DISTANCE_M } from '@sendlap/domain/scoring.ts';
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Cursor, Intensity, Limit, page, Sport, Timestamp, Uuid } from './schemas.ts';

export const ActivityStatus = z.enum(['active', 'finished', 'validated', 'rejected']);
export const Validation = z.enum(['none', 'peer', 'venue', 'referee']);
/** Whole metres. */
export const Distance = z.number().check(z.int(), z.gte(0), z.lte(MAX_DISTANCE_M));

/** How the points came about: the sum that "How was this computed?" shows. METs are thousandths. */
export const ScoreExplanation = z.object({
  rule_version: z.string(),
  minutes: z.number(),
  counted_minutes: z.number(),
  intensity_used: Intensity,
  active_met_thousandths: z.number(),
  met_thousandths: z.number(),
  points: z.number(),
});
export type ScoreExplanation = z.infer<typeof ScoreExplanation>;

export const Activity = z.object({
  client_id: Uuid,
  sport_center_id: Uuid,
  sport_center_name: z.string(),
  sport_type: Sport,
  started_at: Timestamp,
  ended_at: z.nullable(Timestamp),
  status: ActivityStatus,
  validation: Validation,
  /** 0 until validated. */
  points: z.number(),
  /** What the activity would give if it were confirmed as it stands. */
  potential_points: z.number(),
  rule_version: z.string(),
  intensity: z.nullable(Intensity),
  distance_m: z.nullable(z.number()),
  /** null while the activity runs. */
  score: z.nullable(ScoreExplanation),
});
export type Activity = z.infer<typeof Activity>;

const startFields = {
  op_id: Uuid,
  sport_center_id: Uuid,
  sport_type: Sport,
  started_at: Timestamp,
  intensity: z.optional(Intensity),
};
const finishFields = {
  op_id: Uuid,
  ended_at: Timestamp,
  distance_m: z.optional(Distance),
  intensity: z.optional(Intensity),
};

export const DistanceClass = z.enum(['at', 'near', 'far', 'unknown']);

const scanFields = {
  op_id: Uuid,
  decision: z.enum(['confirm', 'reject']),
  /** Raw time of the scanner's device; the server corrects it by `clock`. */
  scanned_at: Timestamp,
  clock: z.strictObject({
    /** Server time minus device time, as measured at the last contact. */
    offset_ms: z.number().check(z.int(), z.gte(-31_536_000_000), z.lte(31_536_000_000)),
    /** How long ago it was measured; null: never. */
    age_ms: z.nullable(z.number().check(z.int(), z.gte(0))),
  }),
  /** The scan was kept on the device before it could be sent. */
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
/** base64url of a sealed activity code, as read from the QR. */
const Payload = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,512}$/, 'must be base64url'));
const Digits = z.string().check(z.regex(/^\d{8}$/, 'must be 8 digits'));

export const startActivity = endpoint({
  method: 'POST',
  path: '/v1/activities',
  summary: 'Start an activity at a center',
  access: 'user',
  body: z.strictObject({ client_id: Uuid, ...startFields }),
  data: Activity,
  status: 201,
});

export const finishActivity = endpoint({
  method: 'POST',
  path: '/v1/activities/:client_id/finish',
  summary: 'Finish my running activity',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject(finishFields),
  data: Activity,
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
});

export const getActivity = endpoint({
  method: 'GET',
  path: '/v1/activities/:client_id',
  summary: 'One of my activities',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  data: Activity,
});

export const validateActivity = endpoint({
  method: 'POST',
  path: '/v1/activities/validate',
  summary: 'Confirm or reject the activity whose code I scanned or typed',
  access: 'user',
  body: z.strictObject({ ...scanFields, payload: z.optional(Payload), code: z.optional(Digits) }).check(
    z.refine((body) => (body.payload === undefined) !== (body.code === undefined), {
      message: 'either payload or code',
      path: ['payload'],
    }),
  ),
  data: z.object({ outcome: z.enum(['accepted', 'duplicate', 'waiting']), activity: z.nullable(Activity) }),
});

export const resolveDigits = endpoint({
  method: 'POST',
  path: '/v1/activities/codes/resolve',
  summary: 'The sealed code behind 8 typed digits, among the unvalidated activities of my centers',
  access: 'user',
  body: z.strictObject({ code: Digits }),
  data: z.object({ payload: z.string() }),
  limit: { max: 60, window_s: 3600 },
});

/** One step of an activity, as the outbox keeps it. `client_id` of a scan is the activity in the code. */
export const Op = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start'), client_id: Uuid, ...startFields }),
  z.strictObject({ kind: z.literal('finish'), client_id: Uuid, ...finishFields }),
  z.strictObject({ kind: z.literal('scan'), client_id: Uuid, ...scanFields, payload: Payload }),
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
