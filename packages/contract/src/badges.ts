import { BADGE_IDS } from '@sendlap/domain/progress/badges.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Timestamp } from './wire/schemas.ts';

export const BadgeId = z.enum(BADGE_IDS);

export const Badge = z.object({
  id: BadgeId,
  /** null: not earned yet. */
  earned_at: z.nullable(Timestamp),
  /** My progress, in the badge's own unit; at most `goal`. */
  progress: z.number(),
  goal: z.number(),
});
export type Badge = z.infer<typeof Badge>;

export const listBadges = endpoint({
  method: 'GET',
  path: '/v1/badges',
  summary: 'All badges in the order of the shelf, mine with their date, the others with my progress',
  access: 'user',
  data: z.object({ items: z.array(Badge) }),
});
