import * as z from 'zod/mini';
import { Badge } from './badges.ts';
import { endpoint } from './endpoint.ts';
import { Skills, Trend } from './stats.ts';

export const Streak = z.object({
  /** Weeks in a row on target, the present one only when it is reached. */
  weeks: z.number(),
  /** Active days a week that count as on target, 1 to 4. */
  target_days: z.number(),
  /** Different days with a validated activity this week. */
  days_this_week: z.number(),
  /** A week without is forgiven now, as one of every 8 is. */
  rest_available: z.boolean(),
});
export type Streak = z.infer<typeof Streak>;

/** My place on this week's public board of all sports and centers; null while I have no points there. */
export const WeekRank = z.object({
  rank: z.number(),
  total: z.number(),
  /** Of the week before; null: I was not on that board. */
  previous_rank: z.nullable(z.number()),
  /** Only I see it, as I am on no public board. */
  hidden: z.boolean(),
});
export type WeekRank = z.infer<typeof WeekRank>;

export const Dashboard = z.object({
  /** All validated points ever, which make the level. */
  lifetime_points: z.number(),
  /** This ISO week in the zone of my last activity's center; `points`: all validated ones. */
  week: z.object({
    key: z.string(),
    starts_on: z.string(),
    ends_on: z.string(),
    time_zone: z.string(),
    points: z.number(),
  }),
  streak: Streak,
  rank: z.nullable(WeekRank),
  /** False: the boards cannot be read just now, and `rank` is null for that. */
  rank_known: z._default(z.boolean(), true),
  badges: z.object({
    earned: z.number(),
    total: z.number(),
    /** At most 6, the latest first. */
    latest: z.array(Badge),
    /** At most 3 that I have not earned, the nearest first. */
    next: z.array(Badge),
  }),
  skills: Skills,
  trend: Trend,
});
export type Dashboard = z.infer<typeof Dashboard>;

export const getDashboard = endpoint({
  method: 'GET',
  path: '/v1/dashboard',
  summary: 'Where I stand: week, level, streak, rank, badges, skills and trend',
  access: 'user',
  data: Dashboard,
});
