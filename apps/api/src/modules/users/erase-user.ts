import type { LiveEvent } from '@sendlap/contract/events.ts';
import { sql } from 'kysely';
import { findPersonIds, linkRefersTo, type PersonIds } from '#api/accounts/person-ids.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { type Link, PERSONAL_TABLES, type PersonalTable } from '#api/database/personal-data.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import { endSessions } from '#api/sessions/end-sessions.ts';
import { findErasureEvents, notifyErased } from './notify-erased.ts';

/** An arbitrary number that no other advisory lock uses. */
const LOCK_KEY = 7_305_113_903;
/** Events that name a user other than their owner. */
const NAMING_EVENTS: LiveEvent['type'][] = [
  'friend_request_changed',
  'friend_changed',
  'message_created',
  'messages_read',
];

/**
 * Erases a locked user whose time has come: deletes their rows, puts the deleted user in others' rows, and ends their
 * sessions. Returns false if there is no such user, or none whose time has come. Throws after the commit if users who know
 * the person could not be notified. `database` must have no timeouts: a user may have written for years.
 */
export async function eraseUser(database: Database, user_id: string, now: Date): Promise<boolean> {
  const news = await database.transaction().execute((trx) => eraseInTransaction(trx, user_id, now));
  if (news) await notifyErased(database, news);
  return news !== null;
}

/** Returns the notifications for others; null if the user was not erased. */
async function eraseInTransaction(trx: Trx, user_id: string, now: Date): Promise<UserEvent[] | null> {
  // One erasure at a time, because two friends share rows.
  await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(trx);
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('is_active', '=', false)
    .where('erase_after', '<=', now)
    .forUpdate()
    .executeTakeFirst();
  if (!user) return null;
  await lockChats(trx, user_id);
  // Every node reads this within 5 s. The ended rows, without a name, go when no access token can still be valid.
  await endSessions(trx, { user_id }, 'erased');
  const person = await findPersonIds(trx, user_id);
  await redactStreams(trx, user_id);
  await deleteAbandonedChats(trx, user_id);
  const news = await findErasureEvents(trx, user_id);
  for (const table of PERSONAL_TABLES) {
    for (const link of table.links.filter(({ erasure }) => erasure === 'delete')) {
      await sql`delete from ${sql.table(table.table)} where ${linkRefersTo(link, person)}`.execute(trx);
    }
    for (const link of table.links.filter(({ erasure }) => erasure === 'replace')) {
      await replaceReferences(trx, table, link, person);
    }
  }
  return news;
}

/**
 * Sending a message and marking messages as read lock the chat's row first. So earlier messages are found and hidden,
 * and later calls find a chat without this person: their token may remain valid for some seconds.
 */
async function lockChats(trx: Trx, user_id: string): Promise<void> {
  await sql`
    select from chats where user_low = ${user_id} or user_high = ${user_id} order by id for update`.execute(trx);
}

/** Replaces others' events about the person with a resync: their clients reload everything. */
async function redactStreams(trx: Trx, user_id: string): Promise<void> {
  await sql`
    update user_events set type = 'resync', data = '{"type":"resync"}'
    where user_id in (
        select case user_low when ${user_id} then user_high else user_low end
        from chats where user_low = ${user_id} or user_high = ${user_id}
        union select case user_low when ${user_id} then user_high else user_low end
        from friendships where user_low = ${user_id} or user_high = ${user_id}
        union select case sender_id when ${user_id} then receiver_id else sender_id end
        from friend_requests where sender_id = ${user_id} or receiver_id = ${user_id})
      and type = any(${NAMING_EVENTS}) and position(${user_id}::text in data::text) > 0`.execute(trx);
}

/** Deletes chats whose other participant was erased before. */
async function deleteAbandonedChats(trx: Trx, user_id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from chats
    where (user_low = ${user_id} and user_high = ${DELETED_USER_ID})
      or (user_high = ${user_id} and user_low = ${DELETED_USER_ID})
    returning id`.execute(trx);
  await sql`delete from messages where chat_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx);
}

async function replaceReferences(trx: Trx, { table }: PersonalTable, link: Link, person: PersonIds): Promise<void> {
  const values = Object.entries({ [link.column]: DELETED_USER_ID, ...link.cleared_values });
  const changes = values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${linkRefersTo(link, person)}`.execute(trx);
}
