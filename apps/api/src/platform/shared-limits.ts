import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 2000;
/** Nobody waits for a limit for long. */
const COMMAND_TIMEOUT_MS = 500;
/** After an answer that did not come, nobody waits for the next for so long. */
const AWAY_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 500;
const MAX_OWN_KEYS = 5_000;

/** KEYS: the count. ARGV: its window in ms. Gives the count and the ms that are left of its window. */
const COUNT = `
  local current = redis.call('incr', KEYS[1])
  if current == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return { current, redis.call('pttl', KEYS[1]) }`;

export interface SharedLimits {
  options: { store: FastifyRateLimitStoreCtor };
  /** Whether they are counted together just now. */
  isShared(): boolean;
  close(): void;
}

interface SharedLimitsOptions {
  url: string;
  /** Begins all names; no other database's nodes have the same. */
  prefix: string;
  log: { warn(fields: object, text: string): void };
  /** How long a request waits for its count. */
  command_timeout_ms?: number;
}

interface Count {
  current: number;
  /** What is left of the window, in ms. */
  ttl: number;
}

type Counter = (key: string, window_ms: number) => Promise<Count>;

/** Where the nodes count requests together. While Redis is away each node counts its own. */
export function openSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { url, prefix, log, command_timeout_ms = COMMAND_TIMEOUT_MS } = options;
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: command_timeout_ms,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS),
  });
  let is_lost = false;
  let away_until = 0;
  const noteLost = (error: unknown) => {
    if (!is_lost) log.warn({ err: error }, 'Redis does not answer; each node counts requests by itself');
    is_lost = true;
  };
  redis.on('error', noteLost);
  redis.on('ready', () => {
    is_lost = false;
  });
  const isShared = () => redis.status === 'ready' && performance.now() >= away_until;
  const countOwn = createOwnCounter();
  const count: Counter = async (key, window_ms) => {
    if (!isShared()) return countOwn(key, window_ms);
    try {
      const [current, ttl] = (await redis.eval(COUNT, 1, key, window_ms)) as [number, number];
      return { current, ttl };
    } catch (error) {
      // A connection that fell silent would stay so.
      if (isShared()) redis.disconnect(true);
      away_until = performance.now() + AWAY_MS;
      noteLost(error);
      return countOwn(key, window_ms);
    }
  };
  return {
    options: { store: storeOf(count, `${prefix}limit:`) },
    isShared,
    close: () => redis.disconnect(),
  };
}

/** In this process; of very many the oldest are forgotten. */
function createOwnCounter() {
  const counts = new Map<string, { current: number; ends_at: number }>();
  return (key: string, window_ms: number): Count => {
    const now = performance.now();
    const known = counts.get(key);
    const count = known && known.ends_at > now ? known : { current: 0, ends_at: now + window_ms };
    count.current += 1;
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > MAX_OWN_KEYS && oldest !== undefined) counts.delete(oldest);
    return { current: count.current, ttl: count.ends_at - now };
  };
}

/** As the plugin wants it: one for all, and one for each route. */
function storeOf(count: Counter, name: string): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    #name = name;

    incr(key: string, done: (error: Error | null, count?: Count) => void, window_ms: number): void {
      count(this.#name + key, window_ms).then((counted) => done(null, counted), done);
    }

    child(route: object): Store {
      // The plugin gives the route under another name than its types say.
      const { routeInfo } = route as { routeInfo: { method: string; url: string } };
      const store = new Store();
      store.#name = `${name}${routeInfo.method}${routeInfo.url}-`;
      return store;
    }
  };
}
