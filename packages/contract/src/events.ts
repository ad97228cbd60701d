import * as z from 'zod/mini';
import { Activity } from './activities.ts';
import { BadgeId } from './badges.ts';
import { Message } from './chats.ts';
import { Friend, FriendRequest } from './friends.ts';
import { Sport, Timestamp, Uuid } from './wire/schemas.ts';

/** Path of the live stream (server-sent events; not an `endpoint`, because its reply has no envelope). */
export const EVENTS_PATH = '/v1/events';

/**
 * Events of the stream. Persistent events have an id (the user's own gapless counter) and are sent again after a break
 * by Last-Event-ID. `leaderboard_changed`, `presence_changed` and `typing` have none: they are ephemeral. `resync`: the
 * events after Last-Event-ID are no longer stored, so the client must read everything again.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('activity_changed'), activity: Activity }),
  /** To the scanner: the outcome of a scan that had waited, or that lost to another scan or to an edit. */
  z.object({
    type: z.literal('scan_decided'),
    op_id: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'overtaken', 'edited']),
    code: z.nullable(z.string()),
  }),
  /** To a referee: an athlete asks for another decision; `listAppeals` says who. */
  z.object({ type: z.literal('appeal_asked'), sport_center_name: z.string(), sport_type: Sport }),
  z.object({ type: z.literal('badge_earned'), badge: BadgeId }),
  /** A request was sent, or is no longer pending. */
  z.object({
    type: z.literal('friend_request_changed'),
    status: z.enum(['pending', 'accepted', 'declined', 'cancelled']),
    request: FriendRequest,
  }),
  /** A user became a friend or is no longer one, and so whether their chat accepts messages. */
  z.object({ type: z.literal('friend_changed'), is_friend: z.boolean(), friend: Friend }),
  /** The client must read the list of chats again: one is new, or hidden or shown by a block. */
  z.object({ type: z.literal('chat_changed'), chat_id: Uuid }),
  /** To both participants, including the sender's other devices. */
  z.object({ type: z.literal('message_created'), message: Message }),
  /** To both participants: how far the reader has read. `unread_count`: the reader's unread messages in this chat. */
  z.object({
    type: z.literal('messages_read'),
    chat_id: Uuid,
    reader_id: Uuid,
    message_ids: z.array(Uuid),
    read_at: Timestamp,
    unread_count: z.number(),
  }),
  z.object({ type: z.literal('leaderboard_changed'), key: z.string(), sport_center_id: z.string() }),
  /** The client must read again which of my friends are at these centers. */
  z.object({ type: z.literal('presence_changed'), sport_center_ids: z.array(Uuid) }),
  z.object({ type: z.literal('typing'), chat_id: Uuid, user_id: Uuid }),
  z.object({ type: z.literal('resync') }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
