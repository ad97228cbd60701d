import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';

type Executor = Database | Trx;
export type RequestRow = Selectable<Tables['friend_requests']>;
export type BlockRow = Selectable<Tables['blocks']>;

/** A user as others see them. */
export interface PersonRow {
  id: string;
  /** null until one was chosen. */
  display_name: string | null;
  public_id: string;
}

/** Limit of listed pending requests; reading further back is not offered. */
const MAX_LISTED_REQUESTS = 1_000;

/** The two as columns that store every pair once; PostgreSQL orders UUIDs as their lower-case texts. */
export function pairOf(user_id: string, other_id: string): { user_low: string; user_high: string } {
  const [user_low = '', user_high = ''] = [user_id, other_id].sort();
  return { user_low, user_high };
}

export async function listFriendIds(database: Database, user_id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('friendships')
    .select('user_high as id')
    .where('user_low', '=', user_id)
    .unionAll(database.selectFrom('friendships').select('user_low as id').where('user_high', '=', user_id))
    .execute();
  return rows.map(({ id }) => id);
}

/** In no particular order. */
export async function listFriends(
  database: Database,
  user_id: string,
): Promise<(PersonRow & { friendship_id: string })[]> {
  const { rows } = await sql<PersonRow & { friendship_id: string }>`
    select friendship_id, u.id, u.display_name, u.public_id
    from (
      select id as friendship_id, user_high as friend_id from friendships where user_low = ${user_id}
      union all
      select id, user_low from friendships where user_high = ${user_id}) f
    join users u on u.id = friend_id`.execute(database);
  return rows;
}

export async function countFriends(executor: Executor, user_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from friendships where user_low = ${user_id})
      + (select count(*) from friendships where user_high = ${user_id}) as count`.execute(executor);
  return rows[0]?.count ?? 0;
}

/** Returns the id of the friendship of two users. */
export async function findFriendship(
  executor: Executor,
  user_id: string,
  other_id: string,
): Promise<string | undefined> {
  const { user_low, user_high } = pairOf(user_id, other_id);
  const row = await executor
    .selectFrom('friendships')
    .select('id')
    .where('user_low', '=', user_low)
    .where('user_high', '=', user_high)
    .executeTakeFirst();
  return row?.id;
}

/** Returns the other user of this friendship. */
export async function findOtherFriendId(executor: Executor, user_id: string, id: string): Promise<string | undefined> {
  const row = await executor
    .selectFrom('friendships')
    .select(['user_low', 'user_high'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('user_low', '=', user_id), eb('user_high', '=', user_id)]))
    .executeTakeFirst();
  return row && (row.user_low === user_id ? row.user_high : row.user_low);
}

/** Returns the request with this id, if the user sent or received it. */
export function findRequest(executor: Executor, user_id: string, id: string): Promise<RequestRow | undefined> {
  return executor
    .selectFrom('friend_requests')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => eb.or([eb('sender_id', '=', user_id), eb('receiver_id', '=', user_id)]))
    .executeTakeFirst();
}

export async function findPendingRequest(
  executor: Executor,
  user_id: string,
  other_id: string,
): Promise<RequestRow | undefined> {
  const { user_low, user_high } = pairOf(user_id, other_id);
  return executor
    .selectFrom('friend_requests')
    .selectAll()
    .where('status', '=', 'pending')
    .where(sql`least(sender_id, receiver_id)`, '=', user_low)
    .where(sql`greatest(sender_id, receiver_id)`, '=', user_high)
    .executeTakeFirst();
}

type PendingRow = PersonRow & { request_id: string; sender_id: string; created_at: Date };

/**
 * Lists pending requests the user sent or received, with the other person; newest first. Leaves out requests from
 * locked accounts.
 */
export async function listPendingRequests(database: Database, user_id: string): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select request_id, sender_id, r.created_at, u.id, u.display_name, u.public_id
    from (
      select id as request_id, sender_id, created_at, receiver_id as other_id from friend_requests
      where sender_id = ${user_id} and status = 'pending'
      union all
      select id, sender_id, created_at, sender_id from friend_requests
      where receiver_id = ${user_id} and status = 'pending') r
    join users u on u.id = other_id and (u.is_active or u.id <> sender_id)
    order by r.created_at desc, request_id
    limit ${MAX_LISTED_REQUESTS}`.execute(database);
  return rows;
}

/**
 * Returns when the newest of the user's requests was sent after skipping `skip`, if later than `since`. Ignores rows
 * with equal decision and sending time: traces of friendships made without a request.
 */
export async function findRequestTime(
  executor: Executor,
  user_id: string,
  { since, skip }: { since: Date; skip: number },
): Promise<Date | undefined> {
  const row = await executor
    .selectFrom('friend_requests')
    .select('created_at')
    .where('sender_id', '=', user_id)
    .where('created_at', '>', since)
    .where((eb) => eb.or([eb('decided_at', 'is', null), eb('decided_at', '<>', eb.ref('created_at'))]))
    .orderBy('created_at', 'desc')
    .offset(skip)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

export type FoundPersonRow = PersonRow & {
  friendship_id: string | null;
  request_id: string | null;
  request_sender_id: string | null;
};

/** Finds the user with exactly this public id, unless the account is locked or one of the two blocks the other. */
export async function findByPublicId(
  database: Database,
  user_id: string,
  public_id: string,
): Promise<FoundPersonRow | undefined> {
  const { rows } = await sql<FoundPersonRow>`
    select u.id, u.display_name, u.public_id, r.id as request_id, r.sender_id as request_sender_id, f.id as friendship_id
    from users u
    left join friend_requests r on r.status = 'pending'
      and least(r.sender_id, r.receiver_id) = least(u.id, ${user_id}::uuid)
      and greatest(r.sender_id, r.receiver_id) = greatest(u.id, ${user_id}::uuid)
    left join friendships f on f.user_low = least(u.id, ${user_id}::uuid) and f.user_high = greatest(u.id, ${user_id}::uuid)
    where u.public_id = ${public_id} and u.is_active and not exists (
      select from blocks
      where (blocker_id = u.id and blocked_id = ${user_id}) or (blocker_id = ${user_id} and blocked_id = u.id))`.execute(
    database,
  );
  return rows[0];
}

export async function isBlockedEitherWay(executor: Executor, user_id: string, other_id: string): Promise<boolean> {
  const { rows } = await sql<{ blocked: boolean }>`
    select exists (
      select from blocks
      where (blocker_id = ${user_id} and blocked_id = ${other_id})
        or (blocker_id = ${other_id} and blocked_id = ${user_id})) as blocked`.execute(executor);
  return rows[0]?.blocked ?? false;
}

export function findBlock(executor: Executor, blocker_id: string, blocked_id: string): Promise<BlockRow | undefined> {
  return executor
    .selectFrom('blocks')
    .selectAll()
    .where('blocker_id', '=', blocker_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst();
}

/** Newest first. */
export function listBlocks(
  database: Database,
  user_id: string,
): Promise<{ id: string; display_name: string | null; created_at: Date }[]> {
  return database
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocked_id')
    .select(['users.id', 'display_name', 'blocks.created_at'])
    .where('blocker_id', '=', user_id)
    .orderBy('blocks.created_at', 'desc')
    .orderBy('users.id')
    .execute();
}

/** Whether the other account is active, or has a friendship or any friend request with the user. */
export async function canSeeUser(executor: Executor, user_id: string, other_id: string): Promise<boolean> {
  if (other_id === user_id) return false;
  const { rows } = await sql<{ known: boolean }>`
    select is_active or exists (
      select from friend_requests
      where (sender_id = ${user_id} and receiver_id = ${other_id})
        or (sender_id = ${other_id} and receiver_id = ${user_id}))
      or exists (
        select from friendships
        where user_low = least(${user_id}::uuid, ${other_id}::uuid)
          and user_high = greatest(${user_id}::uuid, ${other_id}::uuid)) as known
    from users where id = ${other_id}`.execute(executor);
  return rows[0]?.known ?? false;
}

/** Whether this is a public id of that user, or one reserved for them. */
export async function isPublicIdOf(database: Database, user_id: string, public_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${user_id} and public_id = ${public_id}
    union all
    select from held_public_ids where user_id = ${user_id} and public_id = ${public_id}`.execute(database);
  return rows.length > 0;
}

/**
 * Locks the row of the two users' chat until the transaction ends. Messages are written under that lock, so a message
 * is stored before it or sees this transaction's changes.
 */
export async function lockChat(trx: Trx, user_id: string, other_id: string): Promise<string | undefined> {
  const { user_low, user_high } = pairOf(user_id, other_id);
  const row = await trx
    .selectFrom('chats')
    .select('id')
    .where('user_low', '=', user_low)
    .where('user_high', '=', user_high)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
}
