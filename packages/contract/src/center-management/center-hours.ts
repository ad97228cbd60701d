import { areDisjoint } from '@sendlap/domain/centers/disjoint-hours.ts';
import { DAYS_A_WEEK } from '@sendlap/domain/durations.ts';
import { countCodePoints } from '@sendlap/domain/messages.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { OpeningHours } from '../wire/opening-hours.ts';
import { Uuid } from '../wire/schemas.ts';

/** In code points. */
export const MAX_REASON_LENGTH = 100;
export const MAX_INTERVALS_A_DAY = 4;
export const MAX_CLOSED_DAYS = 60;
const MAX_CLOSED_RANGE_MS = 400 * 86_400_000;

const { weekly, closed_days } = OpeningHours.shape;
const Interval = z.strictObject(weekly.def.element.def.element.shape);
const { from, until } = closed_days.def.element.shape;

const Reason = z.string().check(
  z.overwrite(cleanText),
  z.minLength(1),
  z.refine(
    (reason) => countCodePoints(reason) <= MAX_REASON_LENGTH,
    `must have at most ${MAX_REASON_LENGTH} characters`,
  ),
);
const ClosedDays = z.strictObject({ from, until, reason: z.nullable(Reason) }).check(
  z.refine((range) => range.from <= range.until, { message: 'must not end before it begins', path: ['until'] }),
  // A refused date has no time, and is not compared.
  z.refine((range) => !(Date.parse(range.until) - Date.parse(range.from) > MAX_CLOSED_RANGE_MS), {
    message: 'must not be longer than 400 days',
    path: ['until'],
  }),
);

export const CenterHours = z.object({
  /** A change names the version that it changes. */
  version: z.number(),
  ...OpeningHours.shape,
  time_zone: z.string(),
});
export type CenterHours = z.infer<typeof CenterHours>;

const params = z.strictObject({ id: Uuid });
/** Of a user at all centers: each change lets every server node read the centers again. */
const CHANGES_PER_HOUR = { max: 30, window_s: 3600 };

export const getCenterHours = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/hours',
  summary: 'The opening hours and closed days of a center, for its managers',
  access: 'manager',
  params,
  data: CenterHours,
  errors: ['sport_center_not_found'],
});

export const updateCenterHours = endpoint({
  method: 'PUT',
  path: '/v1/sport-centers/:id/hours',
  summary: 'Set the opening hours and closed days of a center, unless another manager did since `version`',
  access: 'manager',
  params,
  body: z.strictObject({
    version: z.number().check(z.int(), z.gte(0)),
    weekly: z
      .array(z.array(Interval).check(z.maxLength(MAX_INTERVALS_A_DAY)))
      .check(z.length(DAYS_A_WEEK), z.refine(areDisjoint, 'must not open twice at the same time')),
    closed_days: z.array(ClosedDays).check(z.maxLength(MAX_CLOSED_DAYS)),
  }),
  data: CenterHours,
  limit: CHANGES_PER_HOUR,
  errors: ['sport_center_not_found', 'center_changed'],
});
