import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Database } from '../database/database.ts';
import { createBoundedCache } from '../platform/bounded-cache.ts';
import { AppError } from '../platform/errors.ts';
import { addressKey } from './attempt-limit.ts';
import { createLeaseCounter } from './request-leases.ts';

/**
 * The share of the remaining window that one lease takes: seven messages of sixty, one request at a time near the end.
 */
const LEASE_SHARE = 1 / 8;
/** Above this the least recently used lease is dropped with its unspent requests. */
const MAX_LEASES = 100_000;

interface Limit {
  max: number;
  window_s: number;
}

/** Requests that this node may admit without asking the database. */
interface Lease {
  available: number;
  /** Requests of the window that no node has leased yet. */
  unleased: number;
  ends_at_ms: number;
}

interface Verdict {
  is_admitted: boolean;
  /** Requests of the window that are still available. */
  remaining: number;
  ends_at_ms: number;
}

/** Returns a hook that counts a caller's requests; limits with the same name share their counts. */
export type LimitRequests = (name: string, limit: Limit) => onRequestHookHandler;

/**
 * Rate limits that all nodes share: the table counts leased requests, and each node spends its leases in memory. No
 * window admits more than `max` across all nodes. A node refuses when all is leased: it cannot use other nodes' unspent
 * requests, at most `max` / 8 each. While the database is unavailable, each node counts alone.
 */
export function createRequestLimits(database: Database): LimitRequests {
  const leases = createBoundedCache<Lease>({ max: MAX_LEASES });
  const renewals = new Map<string, Promise<void>>();
  const countLease = createLeaseCounter(database);
  return (name, { max, window_s }) => {
    const window_ms = window_s * 1000;

    const requestLease = async (key: string, previous: Lease | undefined): Promise<Lease> => {
      const unleased = previous?.unleased ?? max;
      const requests = Math.max(1, Math.floor(unleased * LEASE_SHARE));
      try {
        const { leased, ends_at_ms } = await countLease({ key: `${name} ${key}`, requests, window_ms });
        const available = Math.max(0, Math.min(requests, max - leased + requests));
        return { available, unleased: Math.max(0, max - leased), ends_at_ms };
      } catch {
        return { available: unleased, unleased: 0, ends_at_ms: previous?.ends_at_ms ?? Date.now() + window_ms };
      }
    };
    const renewLease = async (key: string, previous: Lease | undefined) => {
      const lease = await requestLease(key, previous);
      leases.set(`${name} ${key}`, lease);
    };
    /** Spends one request of the lease, after renewing the lease if needed. */
    const spend = (key: string): Verdict | Promise<Verdict> => {
      const id = `${name} ${key}`;
      const previous = leases.get(id);
      const lease = previous && previous.ends_at_ms > Date.now() ? previous : undefined;
      if (lease && (lease.available > 0 || lease.unleased === 0)) {
        const is_admitted = lease.available > 0;
        if (is_admitted) lease.available -= 1;
        return { is_admitted, remaining: lease.available + lease.unleased, ends_at_ms: lease.ends_at_ms };
      }
      let renewal = renewals.get(id);
      if (!renewal) {
        renewal = renewLease(key, lease).finally(() => renewals.delete(id));
        renewals.set(id, renewal);
      }
      return renewal.then(() => spend(key));
    };

    return (request, reply, done) => {
      const verdict = spend(callerKey(request));
      if (verdict instanceof Promise) verdict.then((found) => applyVerdict(found, max, reply)).then(() => done(), done);
      else {
        applyVerdict(verdict, max, reply);
        done();
      }
    };
  };
}

/** Callers without a session share their address' count. So do made-up cookies: each would have a count of its own. */
function callerKey({ session, kiosk, cookie_session_id, ip }: FastifyRequest): string {
  return session?.user_id ?? kiosk?.kiosk_id ?? cookie_session_id ?? addressKey(ip);
}

/** Throws `too_many_requests` unless the request was admitted. */
function applyVerdict({ is_admitted, remaining, ends_at_ms }: Verdict, max: number, reply: FastifyReply): void {
  const retry_after_s = Math.ceil(Math.max(0, ends_at_ms - Date.now()) / 1000);
  reply.header('x-ratelimit-limit', max);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', retry_after_s);
  if (is_admitted) return;
  throw new AppError('too_many_requests', 'Too many requests, please wait a little', { retry_after_s });
}
