import 'fake-indexeddb/auto';
import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { refusal, reply } from '#test/unit/fake-server.ts';
import { createCenterSearchEngine } from '#web/shared/local-db/center-search-engine.ts';
import type { CopyRequest } from '#web/shared/local-db/center-search-messages.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { loadSportCenter } from '#web/shared/local-db/sport-centers.ts';
import {
  type CenterSearch,
  findCenterInResults,
  searchCopiesQuery,
  searchSportCentersQuery,
  sportCenterCopyQuery,
  sportCenterQuery,
} from './queries.ts';

// Node has no web workers: the same engine runs in this thread.
vi.mock('#web/shared/local-db/center-search.ts', () => ({
  searchCopies: (request: CopyRequest) => createCenterSearchEngine().search(request),
}));

const HERE = { latitude: 43.263, longitude: -2.935 };
const NO_FILTER = { sport: null, open_to_all: false, country: null, city: null, radius_km: null, box: null };
const SEARCH: CenterSearch = { from: HERE, q: '', ...NO_FILTER };
const WALL = makeCenter(1, { name: 'Roca Wall' });
const POOL = makeCenter(2, { name: 'Pool', is_private: true });

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  client.clear();
  await (await openCache()).clear('sport_centers');
});

function makeCenter(number: number, change: Partial<FoundSportCenter> = {}): FoundSportCenter {
  const latitude = HERE.latitude + number / 100;
  return { ...center(number, { city: null, latitude, longitude: HERE.longitude }), distance_km: number, ...change };
}

/** A server with these answers; returns the recorded requests. */
function serve(answer: (url: URL) => Response): URL[] {
  const requests: URL[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    const url = new URL(path, 'https://sendlap.test');
    requests.push(url);
    return answer(url);
  });
  return requests;
}

function goOffline(): void {
  vi.stubGlobal('navigator', { onLine: false });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
}

const search = (change: Partial<CenterSearch> = {}) =>
  client.fetchInfiniteQuery({ ...searchSportCentersQuery({ ...SEARCH, ...change }), staleTime: 0 });
const waitUntilSaved = (id: string) => vi.waitFor(async () => expect(await loadSportCenter(id)).not.toBeNull());

test('without network and without a single copy the search fails, so that the screen can say so', async () => {
  goOffline();
  await expect(search()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  expect(await client.fetchQuery(searchCopiesQuery(SEARCH))).toBeNull();
});

test('a search that the server refuses is not answered from copies', async () => {
  serve(() => reply({ items: [WALL], next_cursor: null, total: 1, total_is_lower_bound: false }));
  await search();
  await waitUntilSaved(WALL.id);
  serve(() => refusal(400, 'invalid_request'));
  await expect(search({ q: 'roca' })).rejects.toMatchObject({ status: 400 });
});

test('a center that is gone is said to be gone, also where a copy of it is left', async () => {
  serve(() => reply(WALL));
  await client.fetchQuery(sportCenterQuery(WALL.id));
  await waitUntilSaved(WALL.id);
  client.clear();
  serve(() => refusal(404, 'sport_center_not_found'));
  await expect(client.fetchQuery(sportCenterQuery(WALL.id))).rejects.toMatchObject({
    backend_error: 'sport_center_not_found',
  });
});

test('the position leaves the device rounded to about 100 m', async () => {
  const requests = serve(() => reply({ items: [], next_cursor: null, total: 0, total_is_lower_bound: false }));
  await search({ from: { latitude: 43.2634567, longitude: -2.9354321 } });
  expect(requests[0]?.search).toContain('latitude=43.263&longitude=-2.935&');
});

test('centers of a list and of a single read are stored, and answer without network in the same order [spec 7.centers.cached, 3.store.sport-centers]', async () => {
  serve(({ pathname }) =>
    reply(
      pathname.endsWith('/search')
        ? { items: [WALL, POOL], next_cursor: null, total: 2, total_is_lower_bound: false }
        : makeCenter(3),
    ),
  );
  const online = await search();
  await client.fetchQuery(sportCenterQuery(makeCenter(3).id));
  await waitUntilSaved(makeCenter(3).id);
  goOffline();
  client.clear();
  const offline = await search();
  expect(offline.pages[0]?.items.map(({ id }) => id)).toEqual([WALL, POOL, makeCenter(3)].map(({ id }) => id));
  expect(online.pages[0]?.cached_at).toBeNull();
  expect(offline.pages[0]?.cached_at).toBeGreaterThan(Date.now() - 60_000);
  const open = await search({ open_to_all: true, q: 'ROCA' });
  expect(open.pages[0]?.items.map(({ name }) => name)).toEqual(['Roca Wall']);
  expect((await client.fetchQuery(sportCenterCopyQuery(WALL.id)))?.value.name).toBe('Roca Wall');
});

test('a list continues with the server’s cursor, and one of copies with theirs', async () => {
  const many = Array.from({ length: 150 }, (_, number) => makeCenter(number));
  const requests = serve(({ searchParams }) =>
    searchParams.has('cursor')
      ? reply({ items: many.slice(100), next_cursor: null, total: 150, total_is_lower_bound: false })
      : reply({ items: many.slice(0, 100), next_cursor: 'abc', total: 150, total_is_lower_bound: false }),
  );
  const online = await client.fetchInfiniteQuery({ ...searchSportCentersQuery(SEARCH), pages: 2 });
  expect(requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, 'abc']);
  await waitUntilSaved(makeCenter(149).id);
  await waitUntilSaved(makeCenter(0).id);
  goOffline();
  client.clear();
  const offline = await client.fetchInfiniteQuery({ ...searchSportCentersQuery(SEARCH), pages: 3 });
  const ids = (pages: typeof online.pages) => pages.flatMap((page) => page.items.map(({ id }) => id));
  expect(ids(offline.pages)).toEqual(ids(online.pages));
});

test('a center in a list that is shown opens at once, without its distance', async () => {
  serve(() => reply({ items: [WALL], next_cursor: null, total: 1, total_is_lower_bound: false }));
  await search();
  expect(findCenterInResults(client, WALL.id)?.value).not.toHaveProperty('distance_km');
  expect(findCenterInResults(client, POOL.id)).toBeUndefined();
});

test('a country and a city are asked of the server, and without network of the copies', async () => {
  const [here, there] = [makeCenter(1, { city: 'Bilbao' }), makeCenter(2, { city: 'Wien', country: 'AT' })];
  const requests = serve(() =>
    reply({ items: [here, there], next_cursor: null, total: 2, total_is_lower_bound: false }),
  );
  await search({ country: 'AT', city: 'wien' });
  expect(requests[0]?.search).toContain('&country=AT&city=wien');
  await waitUntilSaved(there.id);
  goOffline();
  const ids = async (change: Partial<CenterSearch>) => (await search(change)).pages[0]?.items.map(({ id }) => id);
  expect(await ids({ country: 'AT' })).toEqual([there.id]);
  expect(await ids({ city: 'BILB' })).toEqual([here.id]);
  expect(await ids({ country: 'ES', city: 'wien' })).toEqual([]);
});
