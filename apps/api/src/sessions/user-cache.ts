import { createBoundedCache } from '../platform/bounded-cache.ts';
import type { RecentChanges } from './recent-changes.ts';

const MAX_CACHED = 20_000;
/** Maximum age of a cached value, however many changes were missed for any reason. */
const MAX_AGE_MS = 60_000;

export interface UserCache<Value> {
  /**
   * Returns the loaded value, cached while it is at most 5 s behind changes of any node and not behind this node's own
   * (`RecentChanges.addUserChange`). Returns the same frozen object until the user changes. Throws when the database is
   * unavailable.
   */
  find(user_id: string): Promise<Value | undefined>;
  /** As `find`, at once; undefined if it has to wait or to load. */
  findCached(user_id: string): Value | undefined;
  /** Same as `find` for several users, in the order of their ids. */
  findAll(user_ids: readonly string[]): Promise<(Value | undefined)[]>;
}

interface CacheLimits {
  max_size?: number;
  max_age_ms?: number;
}

/** Caches the result of `load` per user until that user changes. Missing users are not cached. */
export function createUserCache<Value extends object>(
  changes: RecentChanges,
  load: (user_id: string) => Promise<Value | undefined>,
  { max_size = MAX_CACHED, max_age_ms = MAX_AGE_MS }: CacheLimits = {},
): UserCache<Value> {
  const cache = createBoundedCache<Value>({ max: max_size, ttl_ms: max_age_ms });
  /** Running loads whose result may be cached; a change removes the user's load, because its result may be stale. */
  const loading = new Map<string, Promise<Value | undefined>>();

  function evict(user_id: string | undefined): void {
    if (user_id === undefined) {
      cache.clear();
      loading.clear();
    } else {
      cache.delete(user_id);
      loading.delete(user_id);
    }
  }
  changes.onUserChange(evict);

  function startLoad(user_id: string): Promise<Value | undefined> {
    const loaded_at_ms = performance.now();
    const running = load(user_id).then(
      (value) => {
        if (loading.get(user_id) !== running) return value;
        loading.delete(user_id);
        if (value) cache.set(user_id, Object.freeze(value), { start: loaded_at_ms });
        return value;
      },
      (error: unknown) => {
        if (loading.get(user_id) === running) loading.delete(user_id);
        throw error;
      },
    );
    loading.set(user_id, running);
    return running;
  }

  const findFresh = (user_id: string) => cache.get(user_id) ?? loading.get(user_id) ?? startLoad(user_id);

  return {
    findCached: (user_id) => (changes.ensureFresh() === undefined ? cache.get(user_id) : undefined),
    async find(user_id) {
      const refreshing = changes.ensureFresh();
      if (refreshing !== undefined) await refreshing;
      return findFresh(user_id);
    },
    async findAll(user_ids) {
      const refreshing = changes.ensureFresh();
      if (refreshing !== undefined) await refreshing;
      return Promise.all(user_ids.map(findFresh));
    },
  };
}
