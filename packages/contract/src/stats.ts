import { SKILL_AXES } from '@sendlap/domain/progress/skills.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Sport, Uuid } from './wire/schemas.ts';

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

const period = { key: z.string(), starts_on: z.string(), ends_on: z.string(), points: z.number() };

/** What I did in a week or a season, by my validated activities that are long enough to count. */
export const PeriodRecap = z.object({
  ...period,
  active_days: z.number(),
  /** Only sports that I did; `metres`: null in a sport without a distance. */
  sports: z.array(z.object({ sport_type: Sport, activities: z.number(), metres: z.nullable(z.number()) })),
});
export type PeriodRecap = z.infer<typeof PeriodRecap>;

/** The validated activity with the highest value; of equal ones the earliest. */
export const PersonalBest = z.object({
  /** Points: of all sports. Minutes and metres: one of each sport. */
  measure: z.enum(['points', 'minutes', 'metres']),
  value: z.number(),
  sport_type: Sport,
  client_id: Uuid,
  sport_center_name: z.string(),
  /** Date of its start in the zone of its center. */
  local_date: z.string(),
});
export type PersonalBest = z.infer<typeof PersonalBest>;

/** A look back. A period without an activity that counts is null, and so is the best week without points. */
export const Recap = z.object({
  /** All validated points ever. */
  lifetime_points: z.number(),
  /** This ISO week in the zone of my last activity's center. */
  week: z.object({ key: z.string(), time_zone: z.string() }),
  /** The week before this one. */
  last_week: z.nullable(PeriodRecap),
  /** The season of this week, up to now. */
  season: z.nullable(PeriodRecap),
  best_week: z.nullable(z.object(period)),
  /** Points first, then minutes, then metres. */
  bests: z.array(PersonalBest),
});
export type Recap = z.infer<typeof Recap>;

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

export const getRecap = endpoint({
  method: 'GET',
  path: '/v1/stats/recap',
  summary: 'My points in total, my last week, this season and my personal bests',
  access: 'user',
  data: Recap,
});
