import { sql } from 'kysely';
import { ACCESS_TOKEN_LIFETIME_S } from './access-tokens.ts';
import type { Database } from './database.ts';

/** A poll this young is trusted, so an ended session dies on every node within it (the promise is 5 s). */
const TRUSTED_MS = 4_000;
/** Older than this, the next request starts a poll but does not wait for it. */
const YOUNG_MS = 2_000;
/** How long a transaction may run before it commits its `ended_at` (statement and idle timeouts together). */
const LATE_COMMIT_MS = 20_000;
const REMEMBERED_MS = (ACCESS_TOKEN_LIFETIME_S + 60) * 1000;

export interface EndedSessions {
  /** False for live sessions. Throws when the database cannot say (the caller becomes a 503, never a 401). */
  has(session_id: string): Promise<boolean>;
  /** Learned on this node. */
  add(session_id: string): void;
}

/**
 * Which sessions ended lately, from one query per 2 s of traffic and node instead of one per request. Only ends of
 * the last eleven minutes matter: an older session's access token has expired by itself. Nothing runs when idle.
 */
export function createEndedSessions(database: Database): EndedSessions {
  const ended = new Map<string, number>();
  let trusted_from_ms = Number.NEGATIVE_INFINITY;
  let poll: { started_at_ms: number; done: Promise<void> } | undefined;

  async function readEnds(started_at_ms: number): Promise<void> {
    const since_ms = Math.min(started_at_ms - trusted_from_ms + LATE_COMMIT_MS, REMEMBERED_MS);
    const rows = await database
      .selectFrom('sessions')
      .select('id')
      .where('ended_at', '>', sql<Date>`now() - make_interval(secs => ${since_ms / 1000})`)
      .execute();
    for (const { id } of rows) remember(id, started_at_ms);
    for (const [id, seen_at_ms] of ended) if (started_at_ms - seen_at_ms > REMEMBERED_MS) ended.delete(id);
    trusted_from_ms = started_at_ms;
  }

  function remember(session_id: string, at_ms: number): void {
    if (!ended.has(session_id)) ended.set(session_id, at_ms);
  }

  function startPoll(now_ms: number): { started_at_ms: number; done: Promise<void> } {
    const started = { started_at_ms: now_ms, done: readEnds(now_ms) };
    const clear = () => {
      if (poll === started) poll = undefined;
    };
    // Also keeps a poll that nobody waits for from ending the process when it fails.
    started.done.then(clear, clear);
    poll = started;
    return started;
  }

  return {
    async has(session_id) {
      const now_ms = performance.now();
      const age_ms = now_ms - trusted_from_ms;
      if (age_ms > YOUNG_MS) {
        const running = poll && now_ms - poll.started_at_ms < TRUSTED_MS ? poll : startPoll(now_ms);
        if (age_ms > TRUSTED_MS) await running.done;
      }
      return ended.has(session_id);
    },
    add: (session_id) => remember(session_id, performance.now()),
  };
}
