import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { isQuiet, msUntilQuiet } from '@sendlap/domain/quiet-hours.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import type { NotificationPreferences, PushRecipient } from './store.ts';

const DAY_S = 86_400;

type NewsKind = 'messages' | 'friends' | 'proofs';
type Without<Key extends string, Union> = Union extends unknown ? Omit<Union, Key> : never;
type QuietHours = Pick<NotificationPreferences, 'quiet_from' | 'quiet_until' | 'time_zone'>;
/** The same for every language. */
type PushContent = Without<'language', PushPayload>;

/** News a user may want while the app is closed. */
export interface News {
  user_id: string;
  kind: NewsKind;
  /** Later news of the same subject replaces unread news. */
  subject: string;
  /** The full content; `toPayload` removes the parts the user does not want shown. */
  content: PushContent;
  /** The other user; a block between the two silences the news. */
  other_id: string | null;
  /** The news is dropped if the user has seen this message since. */
  message_id: string | null;
  /** The news is dropped if this request is no longer pending. */
  request_id: string | null;
  /** Set if the news is another user's decision on this activity, which also changes for other reasons. */
  activity: { id: string; status: string } | null;
}

/** Returns the news of an event; null for an event that is no news while the app is closed. */
export function newsOf({ user_id, event }: UserEvent, at: number): News | null {
  const rest = { user_id, other_id: null, message_id: null, request_id: null, activity: null };
  switch (event.type) {
    case 'message_created': {
      const { id, chat_id, sender_id, sender_name: name, message } = event.message;
      if (sender_id === user_id) return null;
      const content = { kind: 'message', chat_id, name, text: messagePreview(message), at } as const;
      return { ...rest, kind: 'messages', subject: `chat ${chat_id}`, content, other_id: sender_id, message_id: id };
    }
    case 'friend_request_changed': {
      const { id, direction, user } = event.request;
      const is_incoming_request = event.status === 'pending' && direction === 'incoming';
      if (!is_incoming_request && !(event.status === 'accepted' && direction === 'outgoing')) return null;
      const content = {
        kind: is_incoming_request ? 'friend_request' : 'friend_accepted',
        name: user.name,
        at,
      } as const;
      // Subject per person: a request that is sent, withdrawn and sent again is one subject.
      const about = { subject: `from ${user.id}`, other_id: user.id, request_id: is_incoming_request ? id : null };
      return { ...rest, ...about, kind: 'friends', content };
    }
    case 'activity_changed': {
      const { client_id, status, points, sport_center_name: center } = event.activity;
      const about = { activity_id: client_id, center, at };
      const activity = { id: client_id, status };
      const news = { ...rest, kind: 'proofs', subject: `activity ${client_id}`, activity } as const;
      if (status === 'validated') return { ...news, content: { ...about, kind: 'activity_validated', points } };
      return status === 'rejected' ? { ...news, content: { ...about, kind: 'activity_rejected' } } : null;
    }
    default:
      return null;
  }
}

/** Whether the user wants news of this kind at this moment (ms epoch). */
export function isWanted(preferences: NotificationPreferences, kind: NewsKind, at: number): boolean {
  const { quiet_from: from, quiet_until: until, time_zone } = preferences;
  if (!preferences[kind]) return false;
  return from === null || until === null || !isQuiet({ from, until, time_zone }, at);
}

/** Returns how long (s) the push service may hold a push, so that it never arrives in quiet hours. */
export function ttlSeconds({ quiet_from: from, quiet_until: until, time_zone }: QuietHours, at: number): number {
  if (from === null || until === null || from === until) return DAY_S;
  return Math.min(DAY_S, Math.floor(msUntilQuiet({ from, until, time_zone }, at) / 1000));
}

/**
 * Keeps the name, but removes text and center if the user does not want them shown: a notification appears on the lock
 * screen.
 */
export function toPayload(
  content: PushContent,
  { show_text, language }: Pick<PushRecipient, 'show_text' | 'language'>,
): PushPayload {
  const payload = { ...content, language };
  if (show_text) return payload;
  if (payload.kind === 'message') return { ...payload, text: null };
  return 'center' in payload ? { ...payload, center: null } : payload;
}
