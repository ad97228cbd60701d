import { LRUCache } from 'lru-cache';

/**
 * A cache that drops the least recently used of more than `max` entries. It grows with its entries: with its own `max`,
 * lru-cache allocates all of them at once, 10 MB for the caches of one server.
 */
export function createBoundedCache<Value extends object>({ max, ttl_ms }: { max: number; ttl_ms?: number }) {
  return new LRUCache<string, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    ...(ttl_ms === undefined ? {} : { ttl: ttl_ms, ttlResolution: 0 }),
  });
}
