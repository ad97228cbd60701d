import type { ColumnType, Generated } from 'kysely';
import type { DefaultNow, Nullable, Time } from './column-types.ts';

/** Relations between users: friends, chats and their notifications. */
export interface PeopleTables {
  friendships: { id: string; user_low: string; user_high: string; created_at: DefaultNow };
  /** At most one pending request per pair. */
  friend_requests: {
    id: string;
    sender_id: string;
    receiver_id: string;
    status: Generated<'pending' | 'accepted' | 'declined' | 'cancelled'>;
    created_at: DefaultNow;
    decided_at: Nullable<Date>;
  };
  /** How many public ids a user looked up on the latest day (UTC) with a look-up. */
  friend_look_ups: { user_id: string; day: string; look_ups: number };
  blocks: { blocker_id: string; blocked_id: string; created_at: DefaultNow };
  reports: {
    id: string;
    reporter_id: string;
    reported_id: string;
    reason: string;
    text: string | null;
    message_ids: Generated<string[]>;
    created_at: DefaultNow;
    handled_at: Nullable<Date>;
    handled_by: Nullable<string>;
    outcome: Nullable<'dismissed' | 'suspended'>;
    /** Written by the operator. */
    outcome_reason: Nullable<string>;
  };
  /** One chat per pair, the lower id first; the deleted user replaces an erased participant. */
  chats: {
    id: string;
    user_low: string;
    user_high: string;
    created_by: string;
    last_seq: Generated<number>;
    latest_at: Nullable<Date>;
    low_unread: Generated<number>;
    high_unread: Generated<number>;
    created_at: DefaultNow;
  };
  messages: {
    id: string;
    chat_id: string;
    seq: number;
    sender_id: string;
    text: string;
    created_at: Time;
    read_at: Nullable<Date>;
  };
  push_subscriptions: {
    id: string;
    user_id: string;
    session_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    language: ColumnType<'en' | 'es', 'en' | 'es' | undefined, 'en' | 'es'>;
    created_at: DefaultNow;
  };
  notification_choices: {
    user_id: string;
    messages: Generated<boolean>;
    friends: Generated<boolean>;
    proofs: Generated<boolean>;
    show_text: Generated<boolean>;
    /** Minutes since midnight in `time_zone`. */
    quiet_from: Nullable<number>;
    quiet_until: Nullable<number>;
    time_zone: Generated<string>;
  };
}
