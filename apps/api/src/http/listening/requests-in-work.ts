import type { FastifyRequest } from 'fastify';

/** The node is overloaded while `requests` of them all have been in work for longer than a limit of time. */
export interface WorkLimits {
  requests: number;
  /** Fewer than `requests`: no account alone makes a node refuse the others. */
  requests_of_user: number;
}

/** A request that takes longer hangs: it is no sign of load. */
const STUCK_MS = 15_000;
/** For so long after the last refusal their number counts too. */
const EPISODE_MS = 1_000;
const AVERAGED_MS = 250;

/** The requests that a node works on, oldest first. */
export function createRequestsInWork(limits: WorkLimits) {
  const in_work = new Map<FastifyRequest, { since: number; user_id?: string | undefined; has_begun: boolean }>();
  const of_users = new Map<string, number>();
  const answers = createRate();
  let overloaded_at = Number.NEGATIVE_INFINITY;

  function remove(request: FastifyRequest): void {
    const user_id = in_work.get(request)?.user_id;
    if (user_id !== undefined) {
      const count = of_users.get(user_id) ?? 0;
      if (count > 1) of_users.set(user_id, count - 1);
      else of_users.delete(user_id);
    }
    in_work.delete(request);
  }

  function removeStuck(now: number): void {
    for (const [request, { since }] of in_work) {
      if (now - since < STUCK_MS) return;
      remove(request);
    }
  }

  return {
    size: () => in_work.size,
    /** Adds a request that may still be refused. */
    arrive(request: FastifyRequest): void {
      in_work.set(request, { since: performance.now(), has_begun: false });
    },
    /** Adds a request whose body is here. */
    begin(request: FastifyRequest): void {
      const user_id = request.session?.user_id;
      in_work.set(request, { since: performance.now(), user_id, has_begun: true });
      if (user_id !== undefined) of_users.set(user_id, (of_users.get(user_id) ?? 0) + 1);
    },
    remove,
    /** Removes a request of which the reply is ready. */
    end(request: FastifyRequest): void {
      // Those that were refused before say nothing about what the node can do.
      if (in_work.get(request)?.has_begun) answers.count(performance.now());
      remove(request);
    },
    hasTooManyOf: ({ session }: FastifyRequest) =>
      session !== undefined && (of_users.get(session.user_id) ?? 0) >= limits.requests_of_user,
    /**
     * Whether the requests take longer than this, or, if this was so a moment ago, are more than the node answers in
     * this time: their age alone says so too late, and too many are admitted before.
     */
    isOverloaded(limit_ms: number): boolean {
      const now = performance.now();
      removeStuck(now);
      if (in_work.size < limits.requests) return false;
      const [{ since } = { since: now }] = in_work.values().drop(limits.requests - 1);
      const is_late = now - since >= limit_ms;
      const are_too_many = now - overloaded_at < EPISODE_MS && in_work.size >= answers.perMs(now) * limit_ms;
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
