import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Cursor, Limit, Sport, Timestamp, Uuid } from './wire/schemas.ts';

export const Period = z.enum(['week', 'season', 'all']);
export type Period = z.infer<typeof Period>;

/** `friends`: my friends and me; there proofs by friends count too. */
export const Scope = z.enum(['all', 'friends']);
export type Scope = z.infer<typeof Scope>;

export const LeaderboardRow = z.object({
  rank: z.number(),
  /** `public_id` only for friends and myself. `name`: null until the athlete chose one; shown as "Athlete". */
  user: z.object({ public_id: z.optional(z.string()), name: z.nullable(z.string()) }),
  points: z.number(),
  reached_at: Timestamp,
  is_me: z.boolean(),
});
export type LeaderboardRow = z.infer<typeof LeaderboardRow>;

const boardFields = {
  items: z.array(LeaderboardRow),
  /** My own row, null while I have no points on this leaderboard. While I am hidden: my rank if I were shown. */
  me: z.nullable(LeaderboardRow),
  /** Number of athletes on the leaderboard. */
  total: z.number(),
  /** I am not on public leaderboards: by my own choice, or because of my age. */
  hidden: z.boolean(),
  /** The dates are null for `all`. Late proofs may change it until it is final. */
  period: z.object({
    key: z.string(),
    starts_on: z.nullable(z.string()),
    ends_on: z.nullable(z.string()),
    provisional: z.boolean(),
  }),
};

export const Leaderboard = z.object({ ...boardFields, next_cursor: z.nullable(z.string()) });
export type Leaderboard = z.infer<typeof Leaderboard>;

/** Rows above and below mine in `getSurrounding`, if there are so many. */
export const ROWS_EACH_SIDE = 3;

export const SurroundingLeaderboard = z.object({
  ...boardFields,
  /** Points to the next higher rank; null if I am first or not on the leaderboard. */
  gap_to_next: z.nullable(z.number()),
});
export type SurroundingLeaderboard = z.infer<typeof SurroundingLeaderboard>;

const boardQuery = {
  period: z._default(Period, 'week'),
  /** The current period by default, by the center's time zone. */
  key: z.optional(
    z.string().check(z.regex(/^(20\d{2}-(W\d{2}|Q[1-4])|all)$/, 'must be like 2026-W47, 2026-Q4 or all')),
  ),
  sport: z.optional(Sport),
  sport_center_id: z.optional(Uuid),
  scope: z._default(Scope, 'all'),
};

export const getLeaderboard = endpoint({
  method: 'GET',
  path: '/v1/leaderboards',
  summary: 'A board, best first, with my own row',
  access: 'user',
  query: z.strictObject({ ...boardQuery, limit: Limit, cursor: Cursor }),
  data: Leaderboard,
  errors: ['sport_center_not_found', 'cursor_invalid'],
});

export const getSurrounding = endpoint({
  method: 'GET',
  path: '/v1/leaderboards/surrounding',
  summary: 'My row of a board between three above and three below',
  access: 'user',
  query: z.strictObject(boardQuery),
  data: SurroundingLeaderboard,
  errors: ['sport_center_not_found'],
});
