import * as z from 'zod/mini';
import { Badge } from './badges.ts';
import { Skills, Trend } from './stats.ts';
import { endpoint } from './wire/endpoint.ts';

export const Streak = z.object({
  /** Consecutive weeks that reached `target_days`; the current week counts as soon as it does. */
  weeks: z.number(),
  /** Active days per week that count as on target, 1 to 4. */
  target_days: z.number(),
  /** Different days with a validated activity this week. */
  days_this_week: z.number(),
  /** The current week may be missed without an end of the streak: at most one week in 8 may. */
  rest_available: z.boolean(),
});
export type Streak = z.infer<typeof Streak>;

/** My rank on this week's public board of all sports and centers; null while I have no points there. */
export const WeekRank = z.object({
  rank: z.number(),
  /** Athletes on that board. */
  total: z.number(),
  /** Rank of the previous week; null: I was not on that board. */
  previous_rank: z.nullable(z.number()),
  /** Only I see the rank, because I am not on public boards. */
  hidden: z.boolean(),
});
export type WeekRank = z.infer<typeof WeekRank>;

export const Dashboard = z.object({
  /** All validated points ever, which determine the level. */
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
  /** False: the leaderboards cannot be read at the moment, and so `rank` is null. */
  rank_known: z._default(z.boolean(), true),
  badges: z.object({
    earned: z.number(),
    /** All badges that exist. */
    total: z.number(),
    /** At most 6, latest first. */
    latest: z.array(Badge),
    /** At most 3 that I have not earned, nearest first. */
    next: z.array(Badge),
  }),
  skills: Skills,
  trend: Trend,
});
export type Dashboard = z.infer<typeof Dashboard>;

export const getDashboard = endpoint({
  method: 'GET',
  path: '/v1/dashboard',
  summary: 'My state: week, level, streak, rank, badges, skills and trend',
  access: 'user',
  data: Dashboard,
});
