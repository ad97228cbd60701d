import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { DELETED_USER_ID } from '../database/deleted-user.ts';
import { ACCESS_TOKEN_LIFETIME_S } from './access-tokens.ts';

/** Well after the end, so that no session is lost to a clock that is some days off for a while. */
const SWEEP_AFTER_MS = 7 * 86_400_000;
const SWEEP_ROWS = 20;
const MAX_LISTED = 100;
const ERASED_RETENTION_MS = 2 * ACCESS_TOKEN_LIFETIME_S * 1000;

export type EndReason =
  | 'logout'
  | 'replaced'
  | 'refresh_reused'
  | 'ended_by_user'
  | 'everywhere'
  | 'account_locked'
  | 'password_reset'
  | 'erased';

/** The live sessions to end: one, all of a user, one only if it belongs to that user, or those of a browser's key. */
type SessionSelector =
  | { session_id: string; user_id?: string; key_thumbprint?: undefined }
  | { session_id?: undefined; user_id: string; key_thumbprint?: undefined }
  | { session_id?: undefined; user_id?: undefined; key_thumbprint: string };

/**
 * Ends live sessions, removes their refresh tokens, ID tokens and push subscriptions, and revokes the device keys that
 * were registered under them. `ended_at` is the database's time, by which nodes read each other's changes.
 * @returns the ids of the sessions that were live until now
 */
export async function endSessions(trx: Trx, selector: SessionSelector, reason: EndReason): Promise<string[]> {
  const { session_id, user_id, key_thumbprint } = selector;
  let live = trx.updateTable('sessions').where('ended_at', 'is', null);
  if (session_id !== undefined) live = live.where('id', '=', session_id);
  if (user_id !== undefined) live = live.where('user_id', '=', user_id);
  if (key_thumbprint !== undefined) live = live.where('key_thumbprint', '=', key_thumbprint);
  const ended = await live
    .set({ ended_at: sql<Date>`now()`, end_reason: reason, id_token: null })
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0) return ids;
  // Separate statements, so that they also see the token of a refresh, or the key, that the first one waited for.
  await trx.deleteFrom('refresh_tokens').where('session_id', 'in', ids).execute();
  await trx.deleteFrom('push_subscriptions').where('session_id', 'in', ids).execute();
  await trx
    .updateTable('devices')
    .set({ revoked_at: sql<Date>`now()` })
    .where('session_id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
  return ids;
}

/** Removes the ended sessions of erased users, once all their access tokens have expired. */
export async function removeErasedSessions(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom('sessions')
    .where('user_id', '=', DELETED_USER_ID)
    .where('ended_at', '<', new Date(now.getTime() - ERASED_RETENTION_MS))
    .execute();
}

/** A live session as the user's list of devices shows it. */
export interface LiveSession {
  id: string;
  device_name: string;
  created_at: Date;
  last_used_at: Date;
}

/** Returns the user's live sessions, last used first, at most 100. */
export function listLiveSessions(database: Database, user_id: string, now_ms: number): Promise<LiveSession[]> {
  return database
    .selectFrom('sessions')
    .select(['id', 'device_name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(now_ms))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
}

/**
 * Removes some sessions that expired over a week ago, ended or not, with their tokens and push subscriptions. Device
 * keys that were not revoked before count as revoked when their session expired.
 */
export async function sweepSessions(database: Database | Trx, now_ms: number): Promise<void> {
  await sql`
    with gone as (
      delete from sessions where id in (
        select id from sessions where expires_at < ${new Date(now_ms - SWEEP_AFTER_MS)}
        limit ${SWEEP_ROWS} for update skip locked
      ) returning id, expires_at
    ), untold as (
      delete from push_subscriptions using gone where push_subscriptions.session_id = gone.id
    )
    update devices set revoked_at = gone.expires_at from gone
    where devices.session_id = gone.id and devices.revoked_at is null`.execute(database);
}
