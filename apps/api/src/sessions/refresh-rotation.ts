import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { hashToken } from '../platform/hash-token.ts';
import { countReissue, decideRefresh, deriveChild, type RefreshDecision } from './refresh-tokens.ts';
import { sessionExpiry } from './session-expiry.ts';
import type { SessionProof } from './session-proof.ts';

/** How long a token of a key-bound session stays valid before it is rotated. */
const ROTATION_INTERVAL_MS = 600_000;

/** A refresh token to hand out. */
export interface RefreshGrant {
  session: { id: string; user_id: string; expires_at: Date };
  /** The user's account is locked until it is erased. */
  locked: boolean;
  refresh_token: string;
  generation: number;
}

type Rotation =
  | ({ outcome: 'given' } & RefreshGrant)
  | { outcome: 'unknown' | 'too_many' }
  | { outcome: 'reused'; session_id: string };

interface RotationRequest {
  database: Database;
  key: Buffer;
  /** undefined: the browser has no cookie. */
  refresh_token: string | undefined;
  proof: SessionProof | undefined;
  now_ms: number;
}

/**
 * Exchanges a refresh token. A session that began with a key is bound to it: a request that proves the key with any
 * token of the family comes from that browser, which may have been killed before it wrote the newest token to disk; a
 * token without the proof is stolen.
 */
export async function rotateRefreshToken({
  database,
  key,
  refresh_token,
  proof,
  now_ms,
}: RotationRequest): Promise<Rotation> {
  const presented_hash = refresh_token === undefined ? undefined : hashToken(refresh_token);
  const family = presented_hash && (await readFamily(database, presented_hash));
  const found = family && !hasEnded(family, now_ms) ? { hash: presented_hash, family } : undefined;
  const { hash, family: live } = found ?? (await findByKey(database, proof, now_ms)) ?? {};
  if (!hash || !live) return { outcome: 'unknown' };
  // The common case is the newest token of a live session: one read and one statement, a no-op if another was faster.
  const attempt = { key, hash, family: live, proof, now_ms, presented_token: found && refresh_token };
  const decision = decideRotation(attempt);
  if (decision === 'keep') return extendToken(database, attempt);
  if (decision === 'rotate' && (await insertChild(database, attempt))) return grantChildToken(attempt);
  // Any other case locks the session's row, so that all tabs of a browser queue up and get the same answer.
  return database.transaction().execute((trx) => rotateLocked(trx, attempt));
}

/**
 * Finds the live session of a browser that has its key but no cookie: Chromium writes cookies after 30 s, so a user who
 * always closes the app sooner never has one on disk.
 */
async function findByKey(database: Database, proof: SessionProof | undefined, now_ms: number) {
  if (!proof) return undefined;
  const { rows } = await sql<{ token_hash: Buffer }>`
    select t.token_hash from sessions s join refresh_tokens t on t.session_id = s.id
    where s.key_thumbprint = ${proof.thumbprint} and s.ended_at is null
    order by s.created_at desc, t.generation desc limit 1`.execute(database);
  const hash = rows[0]?.token_hash;
  const family = hash && (await readFamily(database, hash));
  return family && !hasEnded(family, now_ms) ? { hash, family } : undefined;
}

interface Attempt {
  key: Buffer;
  /** Hash of the presented token. */
  hash: Buffer;
  family: Family;
  proof: SessionProof | undefined;
  now_ms: number;
  /** The token of that hash, if the browser presented it. */
  presented_token: string | undefined;
}

async function rotateLocked(trx: Trx, unlocked_attempt: Attempt): Promise<Rotation> {
  const { key, hash, now_ms } = unlocked_attempt;
  await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', unlocked_attempt.family.session_id)
    .forUpdate()
    .execute();
  // Read after the lock: another request may have rotated or ended it in between.
  const family = await readFamily(trx, hash);
  if (!family || hasEnded(family, now_ms)) return { outcome: 'unknown' };
  const attempt = { ...unlocked_attempt, family };
  const decision = decideRotation(attempt);
  if (decision === 'reused') return { outcome: 'reused', session_id: family.session_id };
  if (decision === 'too_many') return { outcome: 'too_many' };
  if (decision === 'keep') return extendToken(trx, attempt);
  if (decision === 'repeat') {
    const { newest_parent_hash: parent_hash, newest_generation: generation } = family;
    return grantToken(family, family.expires_at, deriveChild(key, parent_hash ?? hash, generation), generation);
  }
  if (decision === 'rotate') await insertChild(trx, attempt);
  else await recordReissue(trx, attempt);
  return grantChildToken(attempt);
}

function grantChildToken({ key, hash, family, now_ms }: Attempt): Rotation {
  const generation = family.generation + 1;
  return grantToken(family, sessionExpiry(family.created_at, now_ms), deriveChild(key, hash, generation), generation);
}

function grantToken(family: Family, expires_at: Date, refresh_token: string, generation: number): Rotation {
  const { session_id: id, user_id, locked } = family;
  return { outcome: 'given', session: { id, user_id, expires_at }, locked, refresh_token, generation };
}

/** A presented token with its session, its user and the newest token of its family. */
interface Family {
  session_id: string;
  user_id: string;
  locked: boolean;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** Thumbprint of the key that the session is bound to; null if it is bound to none. */
  key_thumbprint: string | null;
  reissues: number;
  reissued_on: string | null;
  generation: number;
  issued_at: Date;
  rotated_at: Date | null;
  newest_generation: number;
  newest_parent_hash: Buffer | null;
  newest_confirmed_at: Date | null;
}

async function readFamily(database: Database | Trx, hash: Buffer): Promise<Family | undefined> {
  const { rows } = await sql<Family>`
    select s.id as session_id, s.user_id, not u.is_active as locked, s.created_at, s.expires_at, s.ended_at,
      s.key_thumbprint, s.reissues, s.reissued_on, t.generation, t.issued_at, t.rotated_at, newest.generation as newest_generation,
      newest.parent_hash as newest_parent_hash, newest.confirmed_at as newest_confirmed_at
    from refresh_tokens t
    join sessions s on s.id = t.session_id
    join users u on u.id = s.user_id
    cross join lateral (
      select generation, parent_hash, confirmed_at from refresh_tokens
      where session_id = t.session_id order by generation desc limit 1
    ) newest
    where t.token_hash = ${hash}`.execute(database);
  return rows[0];
}

function hasEnded({ ended_at, expires_at }: Family, now_ms: number): boolean {
  return ended_at !== null || expires_at.getTime() <= now_ms;
}

function decideRotation({ family, proof, now_ms, presented_token }: Attempt): RefreshDecision {
  const { key_thumbprint, generation, issued_at, rotated_at, newest_generation } = family;
  if (key_thumbprint === null) {
    const newest = { generation: newest_generation, confirmed_at: family.newest_confirmed_at };
    return decideRefresh({ token: { generation, rotated_at }, newest, family }, now_ms);
  }
  if (proof?.thumbprint !== key_thumbprint) return 'reused';
  if (generation < newest_generation) return 'repeat';
  return presented_token !== undefined && now_ms - issued_at.getTime() < ROTATION_INTERVAL_MS ? 'keep' : 'rotate';
}

/** Returns the same token and prolongs the session. */
async function extendToken(
  database: Database | Trx,
  { family, now_ms, presented_token = '' }: Attempt,
): Promise<Rotation> {
  const expires_at = sessionExpiry(family.created_at, now_ms);
  const { numUpdatedRows } = await database
    .updateTable('sessions')
    .set({ last_used_at: new Date(now_ms), expires_at })
    .where('id', '=', family.session_id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n
    ? grantToken(family, expires_at, presented_token, family.generation)
    : { outcome: 'unknown' };
}

/**
 * Rotates the token, prolongs its session and binds it to the first proven key. Returns false, and is a no-op, if the
 * token is already rotated or the session is over. Locks the session before the token, as every writer of both does.
 */
async function insertChild(database: Database | Trx, { key, hash, family, proof, now_ms }: Attempt): Promise<boolean> {
  const { session_id, generation, created_at } = family;
  const at = new Date(now_ms);
  const child_hash = hashToken(deriveChild(key, hash, generation + 1));
  const { numAffectedRows } = await sql`
    with live as materialized (
      select id from sessions where id = ${session_id} and ended_at is null and expires_at > ${at} for update
    ), parent as (
      update refresh_tokens set rotated_at = ${at}, confirmed_at = ${at}
      from live where token_hash = ${hash} and rotated_at is null
      returning session_id
    ), child as (
      insert into refresh_tokens (token_hash, session_id, generation, parent_hash, issued_at)
      select ${child_hash}, session_id, ${generation + 1}, ${hash}, ${at} from parent
    )
    update sessions set last_used_at = ${at}, expires_at = ${sessionExpiry(created_at, now_ms)},
      key_thumbprint = coalesce(key_thumbprint, ${proof?.thumbprint ?? null})
    from parent where id = parent.session_id`.execute(database);
  return numAffectedRows === 1n;
}

/** Restarts the grace period: other tabs that ask at the same moment do not count as further re-issues. */
async function recordReissue(trx: Trx, { hash, family, now_ms }: Attempt): Promise<void> {
  const at = new Date(now_ms);
  await trx.updateTable('refresh_tokens').set({ rotated_at: at }).where('token_hash', '=', hash).execute();
  const used = { last_used_at: at, expires_at: sessionExpiry(family.created_at, now_ms) };
  await trx
    .updateTable('sessions')
    .set({ ...countReissue(family, now_ms), ...used })
    .where('id', '=', family.session_id)
    .execute();
}
