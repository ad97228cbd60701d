import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import type { Secrets } from '../database/secrets.ts';
import { AppError } from '../platform/errors.ts';
import { hashToken } from '../platform/hash-token.ts';
import { ACCESS_TOKEN_LIFETIME_S, createAccessTokens } from './access-tokens.ts';
import { createConfirmations } from './confirmations.ts';
import { type EndReason, endSessions, type LiveSession, listLiveSessions, sweepSessions } from './end-sessions.ts';
import { createExistenceCheck } from './existence-check.ts';
import { createRecentChanges, type RecentChanges } from './recent-changes.ts';
import { type RefreshGrant, rotateRefreshToken } from './refresh-rotation.ts';
import { sessionExpiry } from './session-expiry.ts';
import { consumeProof, type SessionProof } from './session-proof.ts';

const REFRESH_TOKEN_BYTES = 32;
const RATE_LIMIT_RETRY_AFTER_S = 3_600;

/** A live session of a user, authenticated by its bearer token. */
export interface Session {
  user_id: string;
  session_id: string;
  /** The account was locked when the token was issued: the session may only call endpoints marked `while_locked`. */
  locked: boolean;
}

interface SessionTokens {
  access_token: string;
  /** In seconds. */
  expires_in: number;
  refresh_token: string;
}

export interface Sessions {
  /**
   * Creates a session; a locked one for a locked user. Throws `unauthenticated` if the user does not (or no longer)
   * exist.
   */
  create(
    user_id: string,
    device_name: string,
    options?: CreateOptions,
  ): Promise<SessionTokens & { session_id: string }>;
  /**
   * Throws `refresh_invalid` if the token can never work again, `too_many_requests` if it may work later, and
   * `proof_expired` for a used proof; with an unavailable database its error, which signs no user out. A session that
   * began with a proof needs its key each time, and then accepts a missing cookie or an older token.
   */
  refresh(refresh_token: string | undefined, proof?: SessionProof): Promise<SessionTokens>;
  /** Returns the user's live sessions, last used first. */
  list(user_id: string): Promise<LiveSession[]>;
  /** Ends the session everywhere: on this node at once, on others within 5 s. Ending twice is a no-op. */
  end(session_id: string, reason: EndReason): Promise<void>;
  /** Same as `end`, only for a live session of this user; else returns false. */
  endOwned(user_id: string, session_id: string, reason: EndReason): Promise<boolean>;
  /** Same as `end` for all current sessions of the user. */
  endAll(user_id: string, reason: EndReason): Promise<void>;
  /** Same as `endAll` within the caller's transaction. The caller runs the returned function after the commit. */
  endAllWithin(trx: Trx, user_id: string, reason: EndReason): Promise<() => void>;
  /** Returns the ID token of the sign-in of a live session; undefined if there was none, or it can't be decrypted. */
  findIdToken(session_id: string): Promise<string | undefined>;
  /**
   * Returns the session of a current or past refresh token; undefined if the token is unknown or the session was ended.
   */
  findByRefreshToken(refresh_token: string): Promise<Pick<Session, 'user_id' | 'session_id'> | undefined>;
  /** Throws `unauthenticated` unless the access token is valid and its session lives. */
  authenticate(access_token: string): Promise<Session>;
  /** Returns the result of `authenticate` if this node need not wait for it; undefined says nothing about the token. */
  authenticateCached(access_token: string): Session | undefined;
}

interface CreateOptions {
  /** Checks again, in the transaction that creates the session; if it throws, no session is created. */
  recheck?: ((trx: Trx) => Promise<void>) | undefined;
  /** Stored encrypted until the session ends, for the sign-out at the provider. */
  id_token?: string | undefined;
  /**
   * Proof of the key that the session is bound to. Earlier sessions of that key end: their user has left this browser.
   */
  proof?: SessionProof | undefined;
}

interface SessionsOptions {
  database: Database;
  secrets: Secrets;
  /** Shared with other readers, so that each node runs one poll. */
  changes?: RecentChanges;
  /** Epoch milliseconds; a test passes its own. */
  now?: () => number;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { database, secrets, changes = createRecentChanges(options.database), now = Date.now } = options;
  const tokens = createAccessTokens({ database, secrets, now });
  const confirmations = createConfirmations(database, now);
  const existence = createExistenceCheck(database);
  const key = secrets.derive('refresh tokens');

  async function issueTokens({ session, locked, refresh_token, generation }: RefreshGrant): Promise<SessionTokens> {
    const now_ms = now();
    const end_ms = Math.min(now_ms + ACCESS_TOKEN_LIFETIME_S * 1000, session.expires_at.getTime());
    const { id: session_id, user_id } = session;
    const access_token = await tokens.issue({ user_id, session_id, generation, locked }, end_ms);
    return { access_token, expires_in: Math.floor((end_ms - now_ms) / 1000), refresh_token };
  }

  async function end(selector: Parameters<typeof endSessions>[1], reason: EndReason): Promise<string[]> {
    const ids = await database.transaction().execute((trx) => endSessions(trx, selector, reason));
    for (const id of ids) changes.addEnded(id);
    return ids;
  }

  return {
    async create(user_id, device_name, { recheck, proof, id_token } = {}) {
      const new_session = buildSession(secrets, { user_id, device_name, proof, id_token, now_ms: now() });
      const { given: grant, replaced } = await database.transaction().execute(async (trx) => {
        const ids = proof ? await endSessions(trx, { key_thumbprint: proof.thumbprint }, 'replaced') : [];
        const created = await createSession(trx, new_session);
        await recheck?.(trx);
        return { given: created, replaced: ids };
      });
      for (const id of replaced) changes.addEnded(id);
      await sweepSessions(database, new_session.now_ms);
      return { ...(await issueTokens(grant)), session_id: grant.session.id };
    },

    async refresh(refresh_token, proof) {
      if (proof) await consumeProof(database, proof, now());
      const rotation = await rotateRefreshToken({ database, key, refresh_token, proof, now_ms: now() });
      if (rotation.outcome === 'reused') await end({ session_id: rotation.session_id }, 'refresh_reused');
      if (rotation.outcome === 'too_many') {
        throw new AppError('too_many_requests', 'Please try again later', { retry_after_s: RATE_LIMIT_RETRY_AFTER_S });
      }
      if (rotation.outcome !== 'given') throw refreshRefusal(rotation.outcome, refresh_token, proof);
      return issueTokens(rotation);
    },

    list: (user_id) => listLiveSessions(database, user_id, now()),

    async end(session_id, reason) {
      await end({ session_id }, reason);
      changes.addEnded(session_id);
    },

    endOwned: async (user_id, session_id, reason) => (await end({ user_id, session_id }, reason)).length > 0,

    endAll: async (user_id, reason) => void (await end({ user_id }, reason)),

    async endAllWithin(trx, user_id, reason) {
      const ids = await endSessions(trx, { user_id }, reason);
      return () => {
        for (const id of ids) changes.addEnded(id);
      };
    },

    findIdToken: (session_id) => findIdToken(database, secrets, session_id),

    findByRefreshToken: (refresh_token) => findSessionByToken(database, hashToken(refresh_token)),

    async authenticate(access_token) {
      const claims = await tokens.verify(access_token);
      const { user_id, session_id, locked } = claims;
      await changes.ensureFresh();
      if (changes.hasEnded(session_id)) {
        throw new AppError('unauthenticated', 'This session has ended, please sign in again');
      }
      await existence.check(claims);
      await confirmations.confirm(claims);
      return { user_id, session_id, locked };
    },

    authenticateCached(access_token) {
      const claims = tokens.getCached(access_token);
      if (!claims || !existence.isChecked(claims) || !confirmations.isUpToDate(claims)) return undefined;
      if (changes.ensureFresh() !== undefined) return undefined;
      return changes.hasEnded(claims.session_id) ? undefined : claims;
    },
  };
}

/** Logs whether the browser still had its cookie and key: a browser that lost its key looks like a thief. */
function refreshRefusal(refresh: string, refresh_token: string | undefined, proof: SessionProof | undefined): AppError {
  const log_fields = { refresh, has_cookie: refresh_token !== undefined, has_proof: proof !== undefined };
  return new AppError('refresh_invalid', 'Please sign in again', { log_fields });
}

interface NewSession {
  id: string;
  user_id: string;
  device_name: string;
  key_thumbprint: string | null;
  /** Encrypted. */
  id_token: Buffer | null;
  now_ms: number;
}

interface SessionInput extends Pick<CreateOptions, 'proof' | 'id_token'> {
  user_id: string;
  device_name: string;
  now_ms: number;
}

function buildSession(secrets: Secrets, { proof, id_token, ...new_session }: SessionInput): NewSession {
  const id = randomUUID();
  const sealed = id_token === undefined ? null : secrets.encrypt(Buffer.from(id_token), idTokenContext(id));
  return { ...new_session, id, key_thumbprint: proof?.thumbprint ?? null, id_token: sealed };
}

/**
 * One statement, under a lock of the user: a transaction that locks the account and then ends all sessions either finds
 * this session, or this session starts locked.
 */
async function createSession(database: Database | Trx, new_session: NewSession): Promise<RefreshGrant> {
  const { id, user_id, device_name, key_thumbprint, id_token, now_ms } = new_session;
  const refresh_token = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
  const at = new Date(now_ms);
  const session = { id, user_id, expires_at: sessionExpiry(at, now_ms) };
  const { rows } = await sql<{ is_active: boolean }>`
    with account as materialized (
      select id, is_active from users where id = ${user_id} for share
    ), family as (
      insert into sessions (id, user_id, device_name, created_at, last_used_at, expires_at, key_thumbprint, id_token)
      select ${session.id}, id, ${device_name}, ${at}, ${at}, ${session.expires_at}, ${key_thumbprint},
        ${id_token}::bytea from account
    ), token as (
      insert into refresh_tokens (token_hash, session_id, generation, issued_at)
      select ${hashToken(refresh_token)}, ${session.id}, 0, ${at} from account
    )
    select is_active from account`.execute(database);
  const [user] = rows;
  if (!user) throw new AppError('unauthenticated', 'This account is no longer there');
  return { session, locked: !user.is_active, refresh_token, generation: 0 };
}

const idTokenContext = (session_id: string) => `id token of session ${session_id}`;

async function findIdToken(database: Database, secrets: Secrets, session_id: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('sessions')
    .select('id_token')
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (!row?.id_token) return undefined;
  try {
    return secrets.decrypt(row.id_token, idTokenContext(session_id)).toString();
  } catch {
    // Encrypted with another secret.
    return undefined;
  }
}

function findSessionByToken(database: Database, hash: Buffer) {
  return database
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select(['sessions.id as session_id', 'sessions.user_id'])
    .where('token_hash', '=', hash)
    .where('sessions.ended_at', 'is', null)
    .executeTakeFirst();
}
