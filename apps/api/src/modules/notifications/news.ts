import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { isQuiet, msUntilQuiet } from '@sendlap/domain/quiet-hours.ts';
import type { KeptFor } from '#api/events/event-store.ts';
import type { Addressee, Wishes } from './store.ts';

const DAY_S = 86_400;

type Kind = 'messages' | 'friends' | 'proofs';
type Without<Key extends string, Union> = Union extends unknown ? Omit<Union, Key> : never;
type QuietWishes = Pick<Wishes, 'quiet_from' | 'quiet_until' | 'time_zone'>;
/** The same for every language. */
type Told = Without<'language', PushPayload>;

/** Something that somebody may want to be told while the app is closed. */
export interface News {
  user_id: string;
  kind: Kind;
  /** Later news of the same subject takes the place of what nobody has read yet. */
  subject: string;
  /** All of it; `payloadFor` leaves out what the user does not want to be shown. */
  told: Told;
  /** Whom a block between the two silences. */
  other_id: string | null;
  /** Nobody is told of a message that they have seen meanwhile. */
  message_id: string | null;
  /** Nor of a request that waits for no answer any more. */
  request_id: string | null;
  /** Whose decision by somebody else is the news; an activity changes for other reasons too. */
  activity: { id: string; status: string } | null;
}

/** What there is to tell about an event; null for one that is no news while the app is closed. */
export function newsOf({ user_id, event }: KeptFor, at: number): News | null {
  const rest = { user_id, other_id: null, message_id: null, request_id: null, activity: null };
  switch (event.type) {
    case 'message_created': {
      const { id, chat_id, sender_id, sender_name: name, message } = event.message;
      if (sender_id === user_id) return null;
      const told = { kind: 'message', chat_id, name, text: messagePreview(message), at } as const;
      return { ...rest, kind: 'messages', subject: `chat ${chat_id}`, told, other_id: sender_id, message_id: id };
    }
    case 'friend_request_changed': {
      const { id, direction, user } = event.request;
      const is_asked = event.status === 'pending' && direction === 'incoming';
      if (!is_asked && !(event.status === 'accepted' && direction === 'outgoing')) return null;
      const told = { kind: is_asked ? 'friend_request' : 'friend_accepted', name: user.name, at } as const;
      // Of the person: who asks, takes it back and asks again is one subject.
      const about = { subject: `from ${user.id}`, other_id: user.id, request_id: is_asked ? id : null };
      return { ...rest, ...about, kind: 'friends', told };
    }
    case 'activity_changed': {
      const { client_id, status, points, sport_center_name: center } = event.activity;
      const about = { activity_id: client_id, center, at };
      const activity = { id: client_id, status };
      const news = { ...rest, kind: 'proofs', subject: `activity ${client_id}`, activity } as const;
      if (status === 'validated') return { ...news, told: { ...about, kind: 'activity_validated', points } };
      return status === 'rejected' ? { ...news, told: { ...about, kind: 'activity_rejected' } } : null;
    }
    default:
      return null;
  }
}

/** Whether the user wants to be told of this kind of thing at this moment (ms epoch). */
export function isWanted(wishes: Wishes, kind: Kind, at: number): boolean {
  const { quiet_from: from, quiet_until: until, time_zone } = wishes;
  if (!wishes[kind]) return false;
  return from === null || until === null || !isQuiet({ from, until, time_zone }, at);
}

/** For how long a push may wait for its browser: what comes in quiet hours later would be heard in them. */
export function secondsOfUse({ quiet_from: from, quiet_until: until, time_zone }: QuietWishes, at: number): number {
  if (from === null || until === null || from === until) return DAY_S;
  return Math.min(DAY_S, Math.floor(msUntilQuiet({ from, until, time_zone }, at) / 1000));
}

/** Who, and what only for those who want that to be shown: a notification stands on a locked screen. */
export function payloadFor(
  told: Told,
  { show_text, language }: Pick<Addressee, 'show_text' | 'language'>,
): PushPayload {
  const payload = { ...told, language };
  if (show_text) return payload;
  if (payload.kind === 'message') return { ...payload, text: null };
  return 'center' in payload ? { ...payload, center: null } : payload;
}
