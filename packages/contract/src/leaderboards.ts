import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Cursor, Limit, Sport, Timestamp, Uuid } from './schemas.ts';

export const LeaderboardRow = z.object({
  rank: z.number(),
  /** `public_id` only for friends and myself. */
  user: z.object({ public_id: z.optional(z.string()), name: z.string() }),
  points: z.number(),
  reached_at: Timestamp,
  is_me: z.boolean(),
});
export type LeaderboardRow = z.infer<typeof LeaderboardRow>;

export const Leaderboard = z.object({
  items: z.array(LeaderboardRow),
  next_cursor: z.nullable(z.string()),
  /** My own row, null while I have no points on this board. */
  me: z.nullable(LeaderboardRow),
  total: z.number(),
  period: z.object({ key: z.string(), starts_on: z.string(), ends_on: z.string(), provisional: z.boolean() }),
});
export type Leaderboard = z.infer<typeof Leaderboard>;

export const getLeaderboard = endpoint({
  method: 'GET',
  path: '/v1/leaderboards',
  summary: 'A weekly board with my own rank',
  access: 'user',
  query: z.strictObject({
    period: z._default(z.enum(['week']), 'week'),
    key: z.optional(z.string().check(z.regex(/^20\d{2}-W\d{2}$/, 'must be like 2026-W47'))),
    sport: z.optional(Sport),
    sport_center_id: z.optional(Uuid),
    limit: Limit,
    cursor: Cursor,
  }),
  data: Leaderboard,
});
