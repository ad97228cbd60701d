import * as z from 'zod/mini';
import { Activity } from './activities.ts';
import { BadgeId } from './badges.ts';
import { Message } from './chats.ts';
import { Friend, FriendRequest } from './friends.ts';
import { Sport, Timestamp, Uuid } from './schemas.ts';

/** Path of the live stream (server-sent events; not an `endpoint`, for its reply is no envelope). */
export const EVENTS_PATH = '/v1/events';

/**
 * What the stream carries. Kept events have an id (the user's own gapless counter) and are delivered again after a
 * break by Last-Event-ID. `leaderboard_changed`, `presence_changed` and `typing` have none: they are of the moment.
 * `resync` comes when the events after Last-Event-ID are no longer kept: everything is to be read again.
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
  /** A request was sent, or one that waited does no longer. */
  z.object({
    type: z.literal('friend_request_changed'),
    status: z.enum(['pending', 'accepted', 'declined', 'cancelled']),
    request: FriendRequest,
  }),
  /** Somebody became a friend, or is none any more; with it, whether their chat takes messages. */
  z.object({ type: z.literal('friend_changed'), is_friend: z.boolean(), friend: Friend }),
  /** The list of chats is to be read again: a new one, or one that is hidden or shown by a block. */
  z.object({ type: z.literal('chat_changed'), chat_id: Uuid }),
  /** To both participants, the sender's other devices included. */
  z.object({ type: z.literal('message_created'), message: Message }),
  /** To both: what the reader has seen. `unread_count`: what the reader has not, in this chat. */
  z.object({
    type: z.literal('messages_read'),
    chat_id: Uuid,
    reader_id: Uuid,
    message_ids: z.array(Uuid),
    read_at: Timestamp,
    unread_count: z.number(),
  }),
  z.object({ type: z.literal('leaderboard_changed'), key: z.string(), sport_center_id: z.string() }),
  /** Who of my friends is at these centers is to be read again. */
  z.object({ type: z.literal('presence_changed'), sport_center_ids: z.array(Uuid) }),
  z.object({ type: z.literal('typing'), chat_id: Uuid, user_id: Uuid }),
  z.object({ type: z.literal('resync') }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
