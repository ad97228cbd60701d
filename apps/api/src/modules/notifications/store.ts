import { MAX_PUSH_SUBSCRIPTIONS } from '@sendlap/contract/push-subscriptions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

export interface Subscription {
  id: string;
  user_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}

export type NewSubscription = Subscription & { session_id: string; language: 'en' | 'es' };

/** The user's notification preferences. */
export interface NotificationPreferences {
  messages: boolean;
  friends: boolean;
  proofs: boolean;
  show_text: boolean;
  quiet_from: number | null;
  quiet_until: number | null;
  time_zone: string;
}

/** A subscribed browser with its language and its user's preferences. */
export type PushRecipient = Subscription & NotificationPreferences & { language: 'en' | 'es' };

/** Stores a subscription, replacing one with the same endpoint, and keeps only the user's newest 10. */
export async function saveSubscription(trx: Trx, subscription: NewSubscription): Promise<void> {
  const { endpoint: _, ...rest } = subscription;
  await trx
    .insertInto('push_subscriptions')
    .values(subscription)
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ ...rest, created_at: sql`now()` }))
    .execute();
  await sql`
    delete from push_subscriptions where user_id = ${subscription.user_id} and id not in (
      select id from push_subscriptions where user_id = ${subscription.user_id} and id <> ${subscription.id}
      order by created_at desc, id limit ${MAX_PUSH_SUBSCRIPTIONS - 1}
    ) and id <> ${subscription.id}`.execute(trx);
}

export async function hasSubscription(database: Database, id: string, user_id: string): Promise<boolean> {
  const row = await database
    .selectFrom('push_subscriptions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSubscription(database: Database, id: string, user_id: string): Promise<void> {
  await database.deleteFrom('push_subscriptions').where('id', '=', id).where('user_id', '=', user_id).execute();
}

/** Lists these users' subscriptions with a live session, with the user's preferences. */
export async function listSubscriptions(database: Database, user_ids: string[], now: Date): Promise<PushRecipient[]> {
  const { rows } = await sql<PushRecipient>`
    select subscription.id, subscription.user_id, endpoint, p256dh, auth, language,
      coalesce(messages, true) as messages, coalesce(friends, true) as friends, coalesce(proofs, true) as proofs,
      coalesce(show_text, false) as show_text, quiet_from, quiet_until, coalesce(time_zone, 'UTC') as time_zone
    from push_subscriptions subscription
    join sessions on sessions.id = session_id and ended_at is null and expires_at > ${now}
    join users on users.id = subscription.user_id and is_active
    left join notification_choices choices on choices.user_id = subscription.user_id
    where subscription.user_id = any(${user_ids}::uuid[])`.execute(database);
  return rows;
}

interface Pair {
  one: string;
  other: string;
}

/** Returns 'a b' for each of these pairs that meets the condition, in the given order. */
async function findPairs(database: Database, pairs: Pair[], condition: RawBuilder<boolean>): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await sql<Pair>`
    select one, other from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as pair(one uuid, other uuid)
    where ${condition}`.execute(database);
  return new Set(rows.map(({ one, other }) => `${one} ${other}`));
}

/** Returns the pairs of whom one has blocked the other. */
export function findBlockedPairs(database: Database, pairs: Pair[]): Promise<Set<string>> {
  const is_blocked = sql<boolean>`exists (
    select from blocks where (blocker_id, blocked_id) in ((one, other), (other, one)))`;
  return findPairs(database, pairs, is_blocked);
}

/** Returns the pairs who are friends. */
export function findFriendPairs(database: Database, pairs: Pair[]): Promise<Set<string>> {
  const are_friends = sql<boolean>`exists (
    select from friendships where user_low = least(one, other) and user_high = greatest(one, other))`;
  return findPairs(database, pairs, are_friends);
}

/** Returns which of these messages have been seen. */
export async function findReadMessages(database: Database, message_ids: string[]): Promise<Set<string>> {
  if (message_ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from messages where id = any(${message_ids}::uuid[]) and read_at is not null`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Returns which of these friend requests are still pending. */
export async function findPendingRequests(database: Database, request_ids: string[]): Promise<Set<string>> {
  if (request_ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from friend_requests where id = any(${request_ids}::uuid[]) and status = 'pending'`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Activity ids are unique per user only. */
interface ActivityOfUser {
  user_id: string;
  id: string;
}

/** Returns the decisions in force of these activities that another user made since then, by 'user activity'. */
export async function findDecisions(
  database: Database,
  activities: ActivityOfUser[],
  since: Date,
): Promise<Map<string, { decision_id: string; status: string }>> {
  if (activities.length === 0) return new Map();
  const { rows } = await sql<ActivityOfUser & { decision_id: string; status: string }>`
    select user_id, a.id, decision_id, status
    from jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) as named(user_id uuid, id uuid)
      join activities a using (user_id, id) join decisions d on d.id = decision_id
    where decided_by <> user_id and greatest(d.decided_at, received_at) > ${since}`.execute(database);
  return new Map(rows.map(({ user_id, id, ...decision }) => [`${user_id} ${id}`, decision]));
}
