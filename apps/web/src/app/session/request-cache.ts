import { saveBioInfo } from '@sendlap/contract/bio-info.ts';
import type { Endpoint } from '@sendlap/contract/endpoint.ts';
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/** How long an answer counts without being asked for again. */
export const REQUEST_CACHE_LIFETIME_MS = 300_000;
/** Answers kept at once; the oldest goes first. */
export const REQUEST_CACHE_MAX_ENTRIES = 100;

const SPORT_CENTERS = 'sport-centers';

export interface RequestCacheDeps {
  onSignedOut: (listener: () => void) => void;
  onWritten: (listener: (endpoint: Pick<Endpoint, 'method' | 'path'>) => void) => void;
  max_entries?: number;
}

/**
 * The request cache of the spec (section 9), kept by TanStack Query: answers of successful reads for 5 minutes, at
 * most 100 of them, those of sport centers until the next write on one of their paths, all of them until a sign-out.
 * `call` does the retries and says at once when there is no network, so queries run offline too: they then answer
 * from the copies on this device.
 */
export function createRequestCache({ onSignedOut, onWritten, max_entries }: RequestCacheDeps): QueryClient {
  const client = new RequestCache({
    defaultOptions: {
      queries: {
        staleTime: REQUEST_CACHE_LIFETIME_MS,
        gcTime: REQUEST_CACHE_LIFETIME_MS,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    evictOldest(client, event.query, max_entries);
    if (!event.action.manual) client.readAgainIfOvertaken(event.query);
  });
  onWritten(({ method, path }) => {
    if (method === 'GET') return;
    // An age that is too young for presence switches that off at the server.
    if (path === saveBioInfo.path) void client.invalidateQueries({ queryKey: ['users'] });
    if (!path.includes(SPORT_CENTERS)) return;
    client.removeQueries({ queryKey: [SPORT_CENTERS], type: 'inactive' });
    // What a screen shows stays until the new answer is there.
    void client.invalidateQueries({ queryKey: [SPORT_CENTERS] });
  });
  onSignedOut(() => client.clear());
  return client;
}

/**
 * A read under way is asked anew by TanStack Query only when there is an older answer to show meanwhile. The answer of a
 * first one may have been put together before the news that made it outdated, and would count as new: it is read once more.
 */
class RequestCache extends QueryClient {
  readonly #overtaken = new WeakSet<Query>();

  override invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.data === undefined && query.state.fetchStatus === 'fetching') this.#overtaken.add(query);
    }
    return super.invalidateQueries(filters, options);
  }

  /** To be called with what was just read. */
  readAgainIfOvertaken(query: Query): void {
    if (this.#overtaken.delete(query)) void super.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

/** Makes room for the newest answer. What a screen shows right now is no cache and is never taken from it. */
function evictOldest(client: QueryClient, newest: Query, max_entries = REQUEST_CACHE_MAX_ENTRIES): void {
  const cache = client.getQueryCache();
  const held = cache.getAll().filter((query) => query.state.data !== undefined);
  const evictable = held.filter((query) => query !== newest && !query.isActive());
  evictable.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
  for (const query of evictable.slice(0, Math.max(0, held.length - max_entries))) cache.remove(query);
}
