import { randomBytes, randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { ACCESS_TOKEN_LIFETIME_S, createAccessTokens } from './access-tokens.ts';
import { createConfirmations } from './confirmations.ts';
import type { Database, Trx } from './database.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { AppError } from './errors.ts';
import { countReissue, decideRefresh, deriveChild, hashToken } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';

const DAY_MS = 86_400_000;
export const IDLE_END_MS = 30 * DAY_MS;
const ABSOLUTE_END_MS = 90 * DAY_MS;
const REFRESH_TOKEN_BYTES = 32;
const TOO_MANY_RETRY_S = 3_600;

/** A live session of a user, as the bearer token proved it. */
export interface Session {
  user_id: string;
  session_id: string;
}

interface SessionTokens {
  access_token: string;
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
}

type EndReason = 'logout' | 'replaced' | 'refresh_reused';

export interface Sessions {
  create(user_id: string, device_name: string): Promise<SessionTokens & { session_id: string }>;
  /**
   * Throws `refresh_invalid` when the token can never work again, `too_many_requests` when later it may; a database
   * that is down stays a database error, so that nobody is logged out by it.
   */
  refresh(refresh_token: string): Promise<SessionTokens>;
  /** Ends it everywhere: here at once, on other nodes within 5 s. Ending twice is harmless. */
  end(session_id: string, reason: EndReason): Promise<void>;
  /** The session that a refresh token, current or past, belongs to; undefined when it is unknown or over. */
  findByRefreshToken(refresh_token: string): Promise<Session | undefined>;
  /** Throws `unauthenticated` unless the access token is valid and its session lives. */
  authenticate(access_token: string): Promise<Session>;
}

interface SessionsOptions {
  database: Database;
  secrets: Secrets;
  /** Epoch milliseconds; a test passes its own. */
  now?: () => number;
}

type SessionRow = Selectable<Tables['sessions']>;

export function createSessions({ database, secrets, now = Date.now }: SessionsOptions): Sessions {
  const tokens = createAccessTokens({ database, secrets, now });
  const ended = createEndedSessions(database);
  const confirm = createConfirmations(database, now);
  const key = secrets.derive('refresh tokens');

  async function issue({ session, refresh_token, generation }: Given): Promise<SessionTokens> {
    const now_ms = now();
    const end_ms = Math.min(now_ms + ACCESS_TOKEN_LIFETIME_S * 1000, session.expires_at.getTime());
    const access_token = await tokens.issue({ user_id: session.user_id, session_id: session.id, generation }, end_ms);
    return { access_token, expires_in: Math.floor((end_ms - now_ms) / 1000), refresh_token };
  }

  const end = async (session_id: string, reason: EndReason) => {
    await endSession(database, session_id, reason);
    ended.add(session_id);
  };

  return {
    async create(user_id, device_name) {
      const now_ms = now();
      const refresh_token = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
      const at = new Date(now_ms);
      const expires_at = new Date(now_ms + IDLE_END_MS);
      const session = { id: randomUUID(), user_id, device_name, created_at: at, last_used_at: at, expires_at };
      const token = { token_hash: hashToken(refresh_token), session_id: session.id, generation: 0, parent_hash: null };
      await database.transaction().execute(async (trx) => {
        await trx.insertInto('sessions').values(session).execute();
        await trx
          .insertInto('refresh_tokens')
          .values({ ...token, issued_at: at })
          .execute();
      });
      return { ...(await issue({ session, refresh_token, generation: 0 })), session_id: session.id };
    },

    async refresh(refresh_token) {
      const rotation = await rotate({ database, key, refresh_token, now_ms: now() });
      if (rotation.outcome === 'reused') await end(rotation.session_id, 'refresh_reused');
      if (rotation.outcome === 'too_many') {
        throw new AppError('too_many_requests', 'Please try again later', { retry_after_s: TOO_MANY_RETRY_S });
      }
      if (rotation.outcome !== 'given') throw new AppError('refresh_invalid', 'Please sign in again');
      return issue(rotation);
    },

    end,

    async findByRefreshToken(refresh_token) {
      const row = await findToken(database, hashToken(refresh_token));
      return row ? { user_id: row.user_id, session_id: row.session_id } : undefined;
    },

    async authenticate(access_token) {
      const claims = await tokens.verify(access_token);
      const { user_id, session_id } = claims;
      if (await ended.has(session_id)) {
        throw new AppError('unauthenticated', 'This session has ended, please sign in again');
      }
      await confirm(claims);
      return { user_id, session_id };
    },
  };
}

/** A refresh token about to be handed out. */
interface Given {
  session: Pick<SessionRow, 'id' | 'user_id' | 'expires_at'>;
  refresh_token: string;
  generation: number;
}

type Rotation =
  | ({ outcome: 'given' } & Given)
  | { outcome: 'unknown' | 'too_many' }
  | { outcome: 'reused'; session_id: string };

/** One refresh under the session's row lock, so that all tabs of a browser queue up and get the same answer. */
function rotate(request: {
  database: Database;
  key: Buffer;
  refresh_token: string;
  now_ms: number;
}): Promise<Rotation> {
  const { key, now_ms } = request;
  const hash = hashToken(request.refresh_token);
  return request.database.transaction().execute(async (trx): Promise<Rotation> => {
    const found = await findToken(trx, hash);
    if (!found) return { outcome: 'unknown' };
    const session = await lockSession(trx, found.session_id);
    if (!session || session.ended_at || session.expires_at.getTime() <= now_ms) return { outcome: 'unknown' };
    const token = await readToken(trx, hash);
    const newest = await readNewest(trx, session.id);
    const decision = decideRefresh({ token, newest, family: session }, now_ms);
    if (decision === 'reused') return { outcome: 'reused', session_id: session.id };
    if (decision === 'too_many') return { outcome: 'too_many' };
    if (decision === 'repeat') {
      const { parent_hash, generation } = newest;
      return {
        outcome: 'given',
        session,
        refresh_token: deriveChild(key, parent_hash ?? hash, generation),
        generation,
      };
    }
    const generation = token.generation + 1;
    const refresh_token = deriveChild(key, hash, generation);
    if (decision === 'rotate') await insertChild(trx, { refresh_token, parent: token, now_ms });
    else await noteReissue(trx, { session, token, now_ms });
    return { outcome: 'given', session: await touchSession(trx, session, now_ms), refresh_token, generation };
  });
}

async function insertChild(
  trx: Trx,
  { refresh_token, parent, now_ms }: { refresh_token: string; parent: TokenRow; now_ms: number },
): Promise<void> {
  const { token_hash, session_id, generation } = parent;
  const at = new Date(now_ms);
  await trx
    .updateTable('refresh_tokens')
    .set({ rotated_at: at, confirmed_at: at })
    .where('token_hash', '=', token_hash)
    .execute();
  const child = {
    token_hash: hashToken(refresh_token),
    session_id,
    generation: generation + 1,
    parent_hash: token_hash,
  };
  await trx
    .insertInto('refresh_tokens')
    .values({ ...child, issued_at: at })
    .execute();
}

/** Starts the grace again: the other tabs that ask at the same moment are not further re-issues. */
async function noteReissue(
  trx: Trx,
  { session, token, now_ms }: { session: SessionRow; token: TokenRow; now_ms: number },
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ rotated_at: new Date(now_ms) })
    .where('token_hash', '=', token.token_hash)
    .execute();
  await trx.updateTable('sessions').set(countReissue(session, now_ms)).where('id', '=', session.id).execute();
}

async function touchSession(trx: Trx, session: SessionRow, now_ms: number): Promise<SessionRow> {
  const expires_at = new Date(Math.min(session.created_at.getTime() + ABSOLUTE_END_MS, now_ms + IDLE_END_MS));
  const used = { last_used_at: new Date(now_ms), expires_at };
  await trx.updateTable('sessions').set(used).where('id', '=', session.id).execute();
  return { ...session, ...used };
}

type TokenRow = Selectable<Tables['refresh_tokens']>;

function findToken(database: Database | Trx, hash: Buffer) {
  return database
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as session_id', 'sessions.user_id'])
    .where('token_hash', '=', hash)
    .where('sessions.ended_at', 'is', null)
    .where('users.is_active', '=', true)
    .executeTakeFirst();
}

function lockSession(trx: Trx, session_id: string): Promise<SessionRow | undefined> {
  return trx.selectFrom('sessions').selectAll().where('id', '=', session_id).forUpdate().executeTakeFirst();
}

/** Read after the lock: another request may have rotated it meanwhile. */
function readToken(trx: Trx, hash: Buffer): Promise<TokenRow> {
  return trx.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirstOrThrow();
}

function readNewest(trx: Trx, session_id: string): Promise<TokenRow> {
  return trx
    .selectFrom('refresh_tokens')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** `ended_at` is the database's clock, by which the nodes read each other's ends. The family's tokens go with it. */
async function endSession(database: Database, session_id: string, reason: EndReason): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await trx
      .updateTable('sessions')
      .set({ ended_at: sql<Date>`now()`, end_reason: reason })
      .where('id', '=', session_id)
      .where('ended_at', 'is', null)
      .execute();
    await trx.deleteFrom('refresh_tokens').where('session_id', '=', session_id).execute();
  });
}
