import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { SERVER_INCARNATION } from '../platform/server-incarnation.ts';
import { ACCESS_TOKEN_LIFETIME_S } from './access-tokens.ts';

/** A poll this young is trusted: every node notices an ended session or a changed user within it (we promise 5 s). */
const MAX_POLL_AGE_MS = 4_000;
/** Older than this, the next request starts a poll but does not wait for it. */
const REFRESH_AFTER_MS = 2_000;
/** How long a transaction may run before it commits its change (statement and idle timeouts together). */
const MAX_TRANSACTION_MS = 20_000;
const RETENTION_MS = (ACCESS_TOKEN_LIFETIME_S + 60) * 1000;
/** With more changed users than this in one poll, all users count as changed. */
const MAX_CHANGED_USERS = 1_000;

/** Called for each user who changed, on this node or another one; without an id, any user may have changed. */
type OnUserChange = (user_id: string | undefined) => void;

export type RecentChanges = ReturnType<typeof createRecentChanges>;

interface Change {
  kind: 'session' | 'user' | 'life';
  id: string;
  version: string | null;
}

/**
 * Recently ended sessions and changed users, from one query per 2 s of traffic and node instead of one per request.
 * Only session ends of the last eleven minutes matter: access tokens of older ones have expired. No polls while idle;
 * after a longer pause any user may have changed.
 */
export function createRecentChanges(database: Database) {
  const ended = new Map<string, number>();
  const versions = new Map<string, { version: string; seen_at_ms: number }>();
  const listeners: OnUserChange[] = [];
  /** That of the server that answered last: another incarnation may have lost changes that this node saw. */
  let incarnation: string | undefined;
  let polled_at_ms = Number.NEGATIVE_INFINITY;
  let poll: { started_at_ms: number; done: Promise<void> } | undefined;

  const notifyListeners: OnUserChange = (user_id) => {
    for (const listener of listeners) listener(user_id);
  };

  async function readChanges(started_at_ms: number): Promise<void> {
    const lookback_ms = started_at_ms - polled_at_ms + MAX_TRANSACTION_MS;
    const since_ms = Math.min(lookback_ms, RETENTION_MS);
    const changes = await selectChanges(database, since_ms);
    const users = changes.filter(({ kind }) => kind === 'user');
    for (const { kind, id } of changes) if (kind === 'session') recordEnded(id, started_at_ms);
    const previous_incarnation = incarnation;
    incarnation = changes.find(({ kind }) => kind === 'life')?.id;
    const has_new_incarnation = previous_incarnation !== undefined && previous_incarnation !== incarnation;
    if (has_new_incarnation || lookback_ms > since_ms || users.length > MAX_CHANGED_USERS) notifyListeners(undefined);
    else for (const user of users) recordVersion(user, started_at_ms);
    pruneBefore(started_at_ms - RETENTION_MS);
    polled_at_ms = Math.max(polled_at_ms, started_at_ms);
  }

  function recordEnded(session_id: string, at_ms: number): void {
    if (!ended.has(session_id)) ended.set(session_id, at_ms);
  }

  /** Several polls contain the same change; it is reported once. */
  function recordVersion({ id, version }: Change, seen_at_ms: number): void {
    if (version === null) return;
    if (versions.get(id)?.version !== version) notifyListeners(id);
    versions.set(id, { version, seen_at_ms });
  }

  function pruneBefore(limit_ms: number): void {
    for (const [id, seen_at_ms] of ended) if (seen_at_ms < limit_ms) ended.delete(id);
    for (const [id, { seen_at_ms }] of versions) if (seen_at_ms < limit_ms) versions.delete(id);
  }

  function startPoll(now_ms: number): Promise<void> {
    const started = { started_at_ms: now_ms, done: readChanges(now_ms) };
    const clear = () => {
      if (poll === started) poll = undefined;
    };
    // Also keeps a failed poll from ending the process if no caller awaits it.
    started.done.then(clear, clear);
    poll = started;
    return started.done;
  }

  return {
    /**
     * Returns undefined while the last poll is young enough to be trusted, else a promise of the next one. It rejects
     * when the database is unavailable (the caller answers 503, never 401 and never a stale result).
     */
    ensureFresh(): Promise<void> | undefined {
      const now_ms = performance.now();
      const age_ms = now_ms - polled_at_ms;
      if (age_ms <= REFRESH_AFTER_MS) return undefined;
      const running = poll && now_ms - poll.started_at_ms < MAX_POLL_AGE_MS ? poll.done : startPoll(now_ms);
      return age_ms > MAX_POLL_AGE_MS ? running : undefined;
    },
    /** Returns false for live sessions. Valid only right after `ensureFresh`. */
    hasEnded: (session_id: string) => ended.has(session_id),
    /** Records a session end on this node. */
    addEnded: (session_id: string) => recordEnded(session_id, performance.now()),
    /** Records a user's change on this node; called after its commit. */
    addUserChange: notifyListeners,
    onUserChange: (listener: OnUserChange) => void listeners.push(listener),
  };
}

/** `version` is in microseconds, the database's precision: two changes within a millisecond stay distinct. */
async function selectChanges(database: Database, since_ms: number): Promise<Change[]> {
  const since = sql`now() - make_interval(secs => ${since_ms / 1000}::float8)`;
  const { rows } = await sql<Change>`
    select 'session' as kind, id::text, null as version from sessions where ended_at > ${since}
    union all
    select 'life', ${SERVER_INCARNATION}, null
    union all
    (select 'user', id::text, changed_at::text from users where changed_at > ${since} limit ${MAX_CHANGED_USERS + 1})
  `.execute(database);
  return rows;
}
