import type { RequestedClaim } from '@sendlap/contract/center-management/claims.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

export interface ClaimedCenter {
  id: string;
  name: string;
  /** The source's; null also if a manager has set another one, which would prove nothing about the next manager. */
  url: string | null;
  url_changed_at: Date | null;
  is_closed: boolean;
  has_manager: boolean;
  /** Whether an operator ended the right of a manager: that person may still have the mailbox or the site. */
  had_manager_revoked: boolean;
}

/** Returns a center, closed or not. */
export async function findClaimedCenter(executor: Database | Trx, id: string): Promise<ClaimedCenter | undefined> {
  const { rows } = await sql<ClaimedCenter>`
    select c.id, c.name, c.url_changed_at, c.closed_at is not null as is_closed,
      case when e.facts ? 'url' then null else c.url end as url,
      exists (select from managers m where m.sport_center_id = c.id) as has_manager,
      exists (
        select from audit_entries a
        where a.act = 'manager_revoked' and a.details ->> 'sport_center_id' = c.id::text
      ) as had_manager_revoked
    from sport_centers c left join center_edits e on e.sport_center_id = c.id where c.id = ${id}`.execute(executor);
  return rows[0];
}

export async function findPublicId(database: Database, user_id: string): Promise<string> {
  const user = await database
    .selectFrom('users')
    .select('public_id')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  return user.public_id;
}

/** Serialises the claims of a center: a statement after it sees the manager that another claim made. */
export async function lockClaims(trx: Trx, sport_center_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('center_claims'), hashtext(${sport_center_id}))`.execute(trx);
}

export interface ClaimKey {
  sport_center_id: string;
  user_id: string;
  way: 'mail' | 'line' | 'operator';
}

/** Returns the user's claims of a center that have not expired. */
export function listOwnClaims(database: Database, { sport_center_id, user_id }: Omit<ClaimKey, 'way'>, now: Date) {
  return database
    .selectFrom('center_claims')
    .select(['way', 'url', 'expires_at', 'message', 'status', 'created_at', 'attempts'])
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .execute();
}

interface NewClaim extends ClaimKey {
  id: string;
  secret_hash?: Buffer;
  url?: string;
  expires_at?: Date;
  message?: string;
  created_at: Date;
}

/** Stores a claim in place of an earlier one of the same user, center and way. */
export async function saveClaim(trx: Trx, claim: NewClaim): Promise<void> {
  await deleteClaim(trx, claim);
  await trx.insertInto('center_claims').values(claim).execute();
}

export async function deleteClaim(
  executor: Database | Trx,
  { sport_center_id, user_id, way }: ClaimKey,
): Promise<void> {
  await executor
    .deleteFrom('center_claims')
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .where('way', '=', way)
    .execute();
}

/** Counts an attempt and returns the claim; undefined if it has expired or `max_attempts` were made. */
export function countAttempt(
  database: Database,
  { sport_center_id, user_id, way }: ClaimKey,
  { now, max_attempts }: { now: Date; max_attempts: number },
): Promise<{ secret_hash: Buffer | null } | undefined> {
  return database
    .updateTable('center_claims')
    .set({ attempts: sql`attempts + 1` })
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .where('way', '=', way)
    .where('expires_at', '>', now)
    .where('attempts', '<', max_attempts)
    .returning('secret_hash')
    .executeTakeFirst();
}

/** Returns the secret of a claim that has not expired. */
export async function findClaimSecret(
  database: Database,
  { sport_center_id, user_id, way }: ClaimKey,
  now: Date,
): Promise<Buffer | null> {
  const claim = await database
    .selectFrom('center_claims')
    .select('secret_hash')
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .where('way', '=', way)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return claim?.secret_hash ?? null;
}

/** Uses a secret up. Returns the url for which it was made; undefined if it has expired or was replaced since. */
export function useSecret(
  trx: Trx,
  { sport_center_id, user_id, way }: ClaimKey,
  { secret_hash, now }: { secret_hash: Buffer; now: Date },
): Promise<{ url: string | null } | undefined> {
  return trx
    .deleteFrom('center_claims')
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .where('way', '=', way)
    .where('expires_at', '>', now)
    .where('secret_hash', '=', secret_hash)
    .returning('url')
    .executeTakeFirst();
}

/** Ends what a user began at a center. */
export async function deleteOwnClaims(trx: Trx, { sport_center_id, user_id }: Omit<ClaimKey, 'way'>): Promise<void> {
  await trx
    .deleteFrom('center_claims')
    .where('sport_center_id', '=', sport_center_id)
    .where('user_id', '=', user_id)
    .execute();
}

/** Requests `r` that wait for the operator; a locked account asks for nothing. */
const WAITING = sql`
  center_claims r join sport_centers c on c.id = r.sport_center_id join users u on u.id = r.user_id
  where r.way = 'operator' and r.status = 'waiting' and u.is_active and c.closed_at is null`;

/** Returns the number of waiting requests. */
export async function countWaiting(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${WAITING}`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Returns the waiting requests, oldest first. */
export async function listWaiting(database: Database, limit: number): Promise<RequestedClaim[]> {
  const { rows } = await sql<Omit<RequestedClaim, 'requested_at'> & { requested_at: Date }>`
    select r.id, r.sport_center_id, c.name as center_name, c.city, c.url, u.public_id, u.name, r.message,
      r.created_at as requested_at, exists (select from managers m where m.sport_center_id = c.id) as has_manager
    from ${WAITING}
    order by r.created_at, r.id limit ${limit}`.execute(database);
  return rows.map((row) => ({ ...row, requested_at: row.requested_at.toISOString() }));
}

/** Returns a waiting request, as it is listed; its center's claims are locked until the end of the transaction. */
export async function lockWaiting(
  trx: Trx,
  id: string,
): Promise<{ user_id: string; sport_center_id: string } | undefined> {
  await sql`
    select pg_advisory_xact_lock(hashtext('center_claims'), hashtext(sport_center_id::text))
    from center_claims where id = ${id}`.execute(trx);
  const { rows } = await sql<{ user_id: string; sport_center_id: string }>`
    select r.user_id, r.sport_center_id from ${WAITING} and r.id = ${id} for update of r`.execute(trx);
  return rows[0];
}

export async function markRefused(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('center_claims').set({ status: 'refused' }).where('id', '=', id).execute();
}

/** Returns the name, sports and server of a poster. */
export async function findPosterFacts(database: Database, id: string) {
  const { rows } = await sql<{ center_name: string; sports: Sport[]; server_name: string | null }>`
    select c.name as center_name, (select name from server_profile) as server_name,
      array(select distinct f.type from sport_facilities f where f.sport_center_id = c.id order by 1) as sports
    from sport_centers c where c.id = ${id}`.execute(database);
  return rows[0];
}
