import type { LiveEvent } from '@sendlap/contract/events.ts';
import { sql } from 'kysely';
import { findPerson, leadsTo, type Person } from '#api/accounts/person.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { type Link, PERSONAL_TABLES, type PersonalTable } from '#api/database/personal-data.ts';
import type { KeptFor } from '#api/events/event-store.ts';
import { endSessions } from '#api/sessions/session-ends.ts';
import { findNewsForOthers, tellOthers } from './tell-left.ts';

/** Any number that no other lock of the database has. */
const LOCK_KEY = 7_305_113_903;
/** The events that name somebody else than their owner. */
const NAMING_EVENTS: LiveEvent['type'][] = [
  'friend_request_changed',
  'friend_changed',
  'message_created',
  'messages_read',
];

/**
 * Erases a locked user whose time has come, all or nothing: own rows go, in the rows of others the deleted user takes
 * their place. False, and nothing is changed, when there is no such user (any more). Their sessions end, which every node
 * reads within 5 s; the ended rows, without a name, are removed when no access token can live any more. One erasure at a
 * time, for two friends have rows in common. `database` is one without limits: somebody may have written for years. After
 * the commit those who know the person are told; where that fails it throws, and the person is erased all the same.
 */
export async function eraseUser(database: Database, user_id: string, now: Date): Promise<boolean> {
  const news = await database.transaction().execute((trx) => erase(trx, user_id, now));
  if (news) await tellOthers(database, news);
  return news !== null;
}

/** Gives what others are to be told then; null: nobody was erased. */
async function erase(trx: Trx, user_id: string, now: Date): Promise<KeptFor[] | null> {
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
  await holdChats(trx, user_id);
  await endSessions(trx, { user_id }, 'erased');
  const person = await findPerson(trx, user_id);
  await hideInStreams(trx, user_id);
  await removeDesertedChats(trx, user_id);
  const news = await findNewsForOthers(trx, user_id);
  for (const table of PERSONAL_TABLES) {
    for (const link of table.links.filter(({ erasure }) => erasure === 'delete')) {
      await sql`delete from ${sql.table(table.table)} where ${leadsTo(link, person)}`.execute(trx);
    }
    for (const link of table.links.filter(({ erasure }) => erasure === 'replace')) {
      await replace(trx, table, link, person);
    }
  }
  return news;
}

/**
 * Whoever writes or reads in a chat holds its row first. So what came before is found and hidden, and what comes later meets
 * a chat without this person: a token of theirs may work for some seconds yet.
 */
async function holdChats(trx: Trx, user_id: string): Promise<void> {
  await sql`
    select from chats where user_low = ${user_id} or user_high = ${user_id} order by id for update`.execute(trx);
}

/** The events of others that tell of the person: instead, everything is to be read again. */
async function hideInStreams(trx: Trx, user_id: string): Promise<void> {
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

/** A chat whose other participant was erased before is nobody's any more. */
async function removeDesertedChats(trx: Trx, user_id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from chats
    where (user_low = ${user_id} and user_high = ${DELETED_USER_ID})
      or (user_high = ${user_id} and user_low = ${DELETED_USER_ID})
    returning id`.execute(trx);
  await sql`delete from messages where chat_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx);
}

async function replace(trx: Trx, { table }: PersonalTable, link: Link, person: Person): Promise<void> {
  const values = Object.entries({ [link.column]: DELETED_USER_ID, ...link.also });
  const changes = values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${leadsTo(link, person)}`.execute(trx);
}
