import { saveBioInfo } from '@sendlap/contract/bio-info.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/** How long an answer is fresh. */
export const REQUEST_CACHE_LIFETIME_MS = 300_000;
/** Maximum number of cached answers; the oldest is evicted first. */
export const REQUEST_CACHE_MAX_ENTRIES = 100;

/** A read that has run for so long when the server answers again was sent into the outage. */
const HANGING_MS = 2_000;

const SPORT_CENTERS = 'sport-centers';

export interface RequestCacheDeps {
  onSignedOut: (listener: () => void) => void;
  onWritten: (listener: (endpoint: Pick<Endpoint, 'method' | 'path'>) => void) => void;
  /** Calls back when the server answers again. */
  onRecovered: (listener: () => void) => void;
  max_entries?: number;
}

/**
 * The request cache of the spec (section 9), built on TanStack Query: caches successful reads for 5 minutes, at most
 * 100, those of sport centers until the next write to one of their paths, all until sign-out. `call` retries and fails
 * at once while offline, so queries run offline too and answer from this device's copies.
 */
export function createRequestCache({
  onSignedOut,
  onWritten,
  onRecovered,
  max_entries,
}: RequestCacheDeps): QueryClient {
  const client = new RequestCache({
    defaultOptions: {
      queries: {
        staleTime: REQUEST_CACHE_LIFETIME_MS,
        gcTime: REQUEST_CACHE_LIFETIME_MS,
        retry: false,
        networkMode: 'always',
        // Only queries that failed: the live stream reports what the others have missed.
        refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    if (event.action.type === 'fetch') client.noteStart(event.query);
    if (event.action.type === 'error') client.refetchIfFromOutage(event.query);
    if (event.action.type !== 'success') return;
    evictOldest(client, event.query, max_entries);
    if (!event.action.manual) client.refetchIfInvalidated(event.query);
  });
  onWritten(({ method, path }) => {
    if (method === 'GET') return;
    // An age below the minimum for presence switches presence off on the server.
    if (path === saveBioInfo.path) void client.invalidateQueries({ queryKey: ['users'] });
    if (!path.includes(SPORT_CENTERS)) return;
    client.removeQueries({ queryKey: [SPORT_CENTERS], type: 'inactive' });
    // A screen keeps its data until the new answer arrives.
    void client.invalidateQueries({ queryKey: [SPORT_CENTERS] });
  });
  onRecovered(() => client.recover());
  onSignedOut(() => client.clear());
  return client;
}

/**
 * TanStack Query restarts a running read on invalidation only if an older answer can be shown. The first answer of a
 * query may have been computed before the event that invalidated it, and would count as fresh: it is read once more.
 */
class RequestCache extends QueryClient {
  readonly #overtaken = new WeakSet<Query>();
  readonly #started_at = new WeakMap<Query, number>();
  #recovered_at = Number.NEGATIVE_INFINITY;

  override invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.data === undefined && query.state.fetchStatus === 'fetching') this.#overtaken.add(query);
    }
    return super.invalidateQueries(filters, options);
  }

  /** Call when a read begins. */
  noteStart(query: Query): void {
    this.#started_at.set(query, performance.now());
  }

  /**
   * Reads again what screens show and the outage left failed or hanging. TanStack Query does so when the device's network
   * is back, but it does not see a server that was silent while the device was online.
   */
  recover(): void {
    this.#recovered_at = performance.now();
    const began_before = this.#recovered_at - HANGING_MS;
    const is_hanging = (query: Query) =>
      // The next page of a list: the user asks for it again.
      !query.state.fetchMeta?.fetchMore && (this.#started_at.get(query) ?? 0) <= began_before;
    const cache = this.getQueryCache();
    for (const query of cache.findAll({ type: 'active', fetchStatus: 'fetching', predicate: is_hanging })) {
      void query.cancel({ silent: true });
      query.fetch().catch(() => {});
    }
    cache.onOnline();
  }

  /** Call with a query that just failed: its last attempt may have been sent before the server answered again. */
  refetchIfFromOutage(query: Query): void {
    if (query.isActive() && (this.#started_at.get(query) ?? 0) < this.#recovered_at) query.fetch().catch(() => {});
  }

  /** Call with a query that was just read. */
  refetchIfInvalidated(query: Query): void {
    if (this.#overtaken.delete(query)) void super.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

/** Evicts the oldest answers. Queries of mounted screens are never evicted. */
function evictOldest(client: QueryClient, newest: Query, max_entries = REQUEST_CACHE_MAX_ENTRIES): void {
  const cache = client.getQueryCache();
  const cached_queries = cache.getAll().filter((query) => query.state.data !== undefined);
  const evictable = cached_queries.filter((query) => query !== newest && !query.isActive());
  evictable.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
  for (const query of evictable.slice(0, Math.max(0, cached_queries.length - max_entries))) cache.remove(query);
}
