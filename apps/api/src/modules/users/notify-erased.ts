import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { appendEvents, type UserEvent } from '#api/events/event-store.ts';
import { createEventWriter } from '#api/events/events.ts';

/** Placeholder that others see for an erased user: events about them carry no name. */
const ERASED_USER = { id: DELETED_USER_ID, name: DEFAULT_DISPLAY_NAME, public_id: '' };

/**
 * Events for users who know this person, for when the person is erased: friends, requesters, requested users, chat
 * partners.
 */
export async function findErasureEvents(trx: Trx, user_id: string): Promise<UserEvent[]> {
  const listPairs = (table: 'friendships' | 'chats') =>
    sql<{ id: string; other_id: string }>`
      select id, case user_low when ${user_id} then user_high else user_low end as other_id
      from ${sql.table(table)} where user_low = ${user_id} or user_high = ${user_id}`.execute(trx);
  const friends = await listPairs('friendships');
  const requests = await sql<{ id: string; other_id: string; created_at: Date; is_sender: boolean }>`
    select id, created_at, sender_id = ${user_id} as is_sender,
      case sender_id when ${user_id} then receiver_id else sender_id end as other_id
    from friend_requests where status = 'pending' and (sender_id = ${user_id} or receiver_id = ${user_id})`.execute(
    trx,
  );
  const chats = await listPairs('chats');
  return [
    ...friends.rows.map(({ id, other_id }): UserEvent => {
      const friend = {
        id,
        friend_id: ERASED_USER.id,
        friend_name: ERASED_USER.name,
        friend_public_id: ERASED_USER.public_id,
      };
      return { user_id: other_id, event: { type: 'friend_changed', is_friend: false, friend } };
    }),
    ...requests.rows.map(({ id, other_id, created_at, is_sender }): UserEvent => {
      const direction = is_sender ? 'incoming' : 'outgoing';
      const request = { id, direction, user: ERASED_USER, created_at: created_at.toISOString() } as const;
      return { user_id: other_id, event: { type: 'friend_request_changed', status: 'cancelled', request } };
    }),
    ...chats.rows.map(
      ({ id, other_id }): UserEvent => ({ user_id: other_id, event: { type: 'chat_changed', chat_id: id } }),
    ),
  ];
}

/**
 * Sends the events after the erasure has been committed, so that others' streams are not locked during it. Users who no
 * longer exist are skipped.
 */
export async function notifyErased(database: Database, news: UserEvent[]): Promise<void> {
  if (news.length === 0) return;
  const events = createEventWriter(database);
  await events.transact(async (trx) => {
    const ids = [...new Set(news.map(({ user_id }) => user_id))];
    const { rows } = await sql<{ id: string }>`
      select id from users where id = any(${ids}::uuid[]) order by id for key share`.execute(trx);
    const there = new Set(rows.map(({ id }) => id));
    const deliverable = news.filter(({ user_id }) => there.has(user_id));
    await appendEvents(trx, deliverable);
    events.publish(trx, deliverable, []);
  });
}
