import * as z from 'zod/mini';
import { Activity } from './activities.ts';
import { BadgeId } from './badges.ts';
import { Sport } from './schemas.ts';

/** Path of the live stream (server-sent events; not an `endpoint`, for its reply is no envelope). */
export const EVENTS_PATH = '/v1/events';

/**
 * What the stream carries. Kept events have an id (the user's own gapless counter) and are delivered again after a
 * break by Last-Event-ID; `leaderboard_changed` only says "read again" and has none.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('activity_changed'), activity: Activity }),
  /** To the scanner: what became of a scan that had waited, or that gave way to another one or to an edit. */
  z.object({
    type: z.literal('scan_decided'),
    op_id: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'overtaken', 'edited']),
    code: z.nullable(z.string()),
  }),
  /** To a referee: somebody asks for another decision; `listAppeals` says who. */
  z.object({ type: z.literal('appeal_asked'), sport_center_name: z.string(), sport_type: Sport }),
  z.object({ type: z.literal('badge_earned'), badge: BadgeId }),
  z.object({ type: z.literal('leaderboard_changed'), key: z.string(), sport_center_id: z.string() }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
