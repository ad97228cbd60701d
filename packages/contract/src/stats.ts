import { SKILL_AXES } from '@sendlap/domain/skills.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';

export const Skill = z.object({
  axis: z.enum(SKILL_AXES),
  /** 0 to 100, whole. */
  value: z.number(),
  /** The measurement behind the value, in the axis's own unit, and the measurement that means 100. */
  measured: z.number(),
  anchor: z.number(),
});
export type Skill = z.infer<typeof Skill>;

/** The six axes in clockwise order of the radar. */
export const Skills = z.object({ axes: z.array(Skill) });
export type Skills = z.infer<typeof Skills>;

export const TrendWeek = z.object({
  key: z.string(),
  starts_on: z.string(),
  /** Validated points. */
  points: z.number(),
  /**
   * The sum of `potential_points` of this week's finished activities without a proof, including those that can no longer
   * be confirmed. Counts nowhere. Each activity is scored alone, so confirmations can bring less: a day counts at most
   * 240 minutes.
   */
  unconfirmed_points: z._default(z.number(), 0),
});
export type TrendWeek = z.infer<typeof TrendWeek>;

/** The last 12 weeks, oldest first, including the current one. */
export const Trend = z.object({ weeks: z.array(TrendWeek) });
export type Trend = z.infer<typeof Trend>;

export const getSkills = endpoint({
  method: 'GET',
  path: '/v1/stats/skills',
  summary: 'My skills radar',
  access: 'user',
  data: Skills,
});

export const getTrend = endpoint({
  method: 'GET',
  path: '/v1/stats/trend',
  summary: 'My points of the last 12 weeks',
  access: 'user',
  data: Trend,
});
