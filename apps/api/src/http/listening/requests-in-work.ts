import type { FastifyRequest } from 'fastify';

/** The node is overloaded while `requests` of those that count have been in work for longer than a limit of time. */
export interface WorkLimits {
  requests: number;
  requests_of_user: number;
}

/** A request that takes longer hangs: it is no sign of load. */
const STUCK_MS = 15_000;
/** For so long after the last refusal their number counts too. */
const EPISODE_MS = 1_000;
const AVERAGED_MS = 250;

/**
 * The requests that a node works on, oldest first. Of an account's activity ops only the oldest counts: they wait for
 * each other, which is no load of the node.
 */
export function createRequestsInWork(limits: WorkLimits) {
  /** When each that counts began, or the ops before it ended. */
  const counted = new Map<FastifyRequest, number>();
  const begun = new Map<FastifyRequest, { user_id: string | undefined; has_ops: boolean; at: number }>();
  const of_users = new Map<string, FastifyRequest[]>();
  const answers = createRate();
  let overloaded_at = Number.NEGATIVE_INFINITY;

  function remove(request: FastifyRequest): void {
    const { user_id, has_ops = false } = begun.get(request) ?? {};
    begun.delete(request);
    const was_counted = counted.delete(request);
    if (user_id === undefined) return;
    const others = (of_users.get(user_id) ?? []).filter((one) => one !== request);
    if (others.length > 0) of_users.set(user_id, others);
    else of_users.delete(user_id);
    const next = others.find((one) => begun.get(one)?.has_ops);
    if (next !== undefined && has_ops && was_counted) counted.set(next, performance.now());
  }

  function removeStuck(now: number): void {
    for (const [request, since] of counted) {
      if (now - since < STUCK_MS) break;
      remove(request);
    }
    // Those behind one that hangs have waited as long.
    for (const [request, { at }] of begun) {
      if (now - at < STUCK_MS) break;
      remove(request);
    }
  }

  return {
    size: () => counted.size,
    /** Adds a request that may still be refused. */
    arrive(request: FastifyRequest): void {
      counted.set(request, performance.now());
    },
    /** Adds a request whose body is here. `has_ops`: it waits for the earlier ones of its account that have. */
    begin(request: FastifyRequest, has_ops: boolean): void {
      const user_id = request.session?.user_id;
      const at = performance.now();
      const earlier = user_id === undefined ? [] : (of_users.get(user_id) ?? []);
      const is_behind = has_ops && earlier.some((one) => begun.get(one)?.has_ops);
      begun.set(request, { user_id, has_ops, at });
      if (user_id !== undefined) of_users.set(user_id, [...earlier, request]);
      if (!is_behind) counted.set(request, at);
    },
    remove,
    /** Removes a request of which the reply is ready. */
    end(request: FastifyRequest): void {
      // Those that were refused before say nothing about what the node can do.
      if (begun.has(request)) answers.count(performance.now());
      remove(request);
    },
    hasTooManyOf: ({ session }: FastifyRequest) =>
      session !== undefined && (of_users.get(session.user_id)?.length ?? 0) >= limits.requests_of_user,
    /**
     * Whether the requests take longer than this, or, if this was so a moment ago, are more than the node answers in
     * this time: their age alone says so too late, and too many are admitted before.
     */
    isOverloaded(limit_ms: number): boolean {
      const now = performance.now();
      removeStuck(now);
      if (counted.size < limits.requests) return false;
      const [since = now] = counted.values().drop(limits.requests - 1);
      const is_late = now - since >= limit_ms;
      const are_too_many = now - overloaded_at < EPISODE_MS && counted.size >= answers.perMs(now) * limit_ms;
      if (is_late || are_too_many) overloaded_at = now;
      return is_late || are_too_many;
    },
  };
}

/** The rate of events, mostly of those of the last `AVERAGED_MS`. */
function createRate() {
  let per_ms = 0;
  let counted_at = 0;
  const perMs = (now: number) => per_ms * Math.exp((counted_at - now) / AVERAGED_MS);
  return {
    perMs,
    count(now: number) {
      per_ms = perMs(now) + 1 / AVERAGED_MS;
      counted_at = now;
    },
  };
}
