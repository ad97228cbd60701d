import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { saveMetadata } from '#web/shared/copies/metadata.ts';
import { deleteUserData, openCache } from '#web/shared/local-db/database.ts';
import { loadSavedCity, removeCity, saveCityRecord } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { putTile } from '#web/shared/local-db/tiles-store.ts';
import { cancelSaving, estimateCity, removeSavedCity, resumeCities, startSaving } from './city-saver.ts';
import { getOfflineState, reloadOfflineState } from './offline-store.ts';
import type { SavableArea } from './savable-area.ts';

const DAY_MS = 86_400_000;
const BILBAO: SavableArea = {
  id: 'geonames:3128026',
  name: 'Bilbao',
  name_es: null,
  country: 'ES',
  latitude: 43.26,
  longitude: -2.93,
  radius_km: 10,
};
const server = vi.hoisted(() => ({
  requested: [] as string[],
  /** Called before each tile is returned. */
  beforeTile: async (_signal: AbortSignal) => {},
  /** Listeners of a sign-out. */
  sign_out_listeners: [] as (() => void)[],
}));
const { requested } = server;

vi.mock('#web/shared/api/client.ts', () => ({
  session: { onSignedOut: (listener: () => void) => server.sign_out_listeners.push(listener) },
}));
vi.mock('./city-calls.ts', () => {
  const searchPage = async ({ id }: SavableArea) => {
    server.requested.push(id);
    return { items: [center(1)], next_cursor: null, total: 1, total_is_lower_bound: false };
  };
  return {
    searchPage,
    CITY_DEPS: {
      searchPage,
      mapConfig: async () => null,
      async saveTile(
        city_id: string,
        address: { zoom: number; x: number; y: number; url: string },
        signal: AbortSignal,
      ) {
        await server.beforeTile(signal);
        const id = `${address.zoom}-${address.x}-${address.y}`;
        await putTile({ id, ...address, data: new ArrayBuffer(10), cached_at: 1, expires_at: 2 }, city_id);
        return 'stored';
      },
      tileBudget: async () => 1e6,
      base: '',
      now: () => Date.now(),
      wait: async () => {},
    },
  };
});

let online: boolean;

beforeEach(() => {
  online = true;
  requested.length = 0;
  server.beforeTile = async () => {};
  const { locks } = navigator;
  vi.stubGlobal('navigator', {
    locks,
    get onLine() {
      return online;
    },
  });
});

afterEach(async () => {
  const database = await openCache();
  for (const name of database.objectStoreNames) await database.clear(name);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Checked by keys: `toMatchObject` with an empty object matches anything. */
const isIdle = () => {
  const { running, failed } = getOfflineState();
  return Object.keys({ ...running, ...failed }).length === 0;
};

/** Starts saving and pauses it before the first tile; `go` continues it. */
async function startPaused(area = BILBAO) {
  const [stopped, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.beforeTile = () => {
    stopped.resolve();
    return going.promise;
  };
  const done = startSaving(area);
  await stopped.promise;
  return { done, go: going.resolve };
}

const record = (id: string, facts: Partial<SavedCity>): SavedCity => ({
  ...BILBAO,
  id,
  state: 'saved',
  is_trimmed: false,
  center_count: 1,
  bytes: 1,
  saved_at: Date.now(),
  ...facts,
});

describe('saving', () => {
  test('is reported as it goes, and then the saved size', async () => {
    const { done, go } = await startPaused();
    expect(getOfflineState().running).toEqual({ [BILBAO.id]: 0.5 });
    go();
    await done;
    expect(isIdle()).toBe(true);
    expect(getOfflineState()).toMatchObject({ cities: [{ id: BILBAO.id, state: 'saved' }] });
    expect(getOfflineState()).toMatchObject({ center_count: 1 });
    expect(getOfflineState().tile_bytes).toBeGreaterThanOrEqual(90);
  });

  test('is done once however often it is requested, and not beside another tab', async () => {
    const { done, go } = await startPaused();
    await startSaving(BILBAO);
    go();
    await done;
    expect(requested).toHaveLength(1);
    await navigator.locks.request(`sendlap-city-${BILBAO.id}`, () => startSaving(BILBAO));
    expect(requested).toHaveLength(1);
    expect(getOfflineState().running).toEqual({});
  });

  test('that is cancelled leaves no city', async () => {
    const { done, go } = await startPaused();
    cancelSaving(BILBAO.id);
    go();
    await done;
    expect(isIdle()).toBe(true);
    expect(getOfflineState()).toMatchObject({ cities: [], tile_bytes: 0 });
  });

  test('that loses the network says why, until it is tried again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    server.beforeTile = () => Promise.reject(new TypeError('Failed to fetch'));
    await startSaving(BILBAO);
    expect(getOfflineState()).toMatchObject({ running: {}, failed: { [BILBAO.id]: 'unreachable' } });
    expect(getOfflineState().cities).toMatchObject([{ state: 'saving' }]);
    server.beforeTile = async () => {};
    await resumeCities();
    expect(isIdle()).toBe(true);
    expect(getOfflineState()).toMatchObject({ cities: [{ state: 'saved' }] });
  });
});

test('a city that is removed while it is being saved is gone', async () => {
  const { done, go } = await startPaused();
  const removed = removeSavedCity(BILBAO.id);
  go();
  await Promise.all([done, removed]);
  expect(isIdle()).toBe(true);
  expect(getOfflineState()).toMatchObject({ cities: [], tile_bytes: 0 });
});

test('a city that another tab is saving is gone as soon as it is removed here', async () => {
  const standing = Promise.withResolvers<void>();
  server.beforeTile = (signal) => {
    standing.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const done = startSaving(BILBAO);
  await standing.promise;
  vi.resetModules();
  const other_tab = await import('./city-saver.ts');
  await other_tab.removeSavedCity(BILBAO.id);
  await done;
  expect(isIdle()).toBe(true);
  expect(getOfflineState()).toMatchObject({ cities: [], tile_bytes: 0 });
});

test('removing a city removes its error', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  server.beforeTile = () => Promise.reject(new TypeError('Failed to fetch'));
  await startSaving(BILBAO);
  await removeSavedCity(BILBAO.id);
  expect(isIdle()).toBe(true);
  expect(getOfflineState()).toMatchObject({ cities: [] });
});

describe('when the user signs out', () => {
  const AREA = { ...BILBAO, id: 'area:43.26,-2.93,5', name: null };
  const signOut = async () => {
    await deleteUserData();
    for (const listener of server.sign_out_listeners) listener();
  };

  test('a part of the map that is being saved is not saved, a town is', async () => {
    const area = await startPaused(AREA);
    await signOut();
    area.go();
    await area.done;
    expect(await loadSavedCity(AREA.id)).toBeNull();
    const town = await startPaused();
    await signOut();
    town.go();
    await town.done;
    expect(getOfflineState()).toMatchObject({ cities: [{ id: BILBAO.id, state: 'saved' }] });
  });

  test('a part of the map that is being refreshed does not come back', async () => {
    await startSaving(AREA);
    const { done, go } = await startPaused(AREA);
    await signOut();
    go();
    await done;
    expect(await loadSavedCity(AREA.id)).toBeNull();
  });

  test('nothing on the screen reveals where they were', async () => {
    await saveCityRecord(record(AREA.id, {}));
    await saveCityRecord(record(BILBAO.id, {}));
    await saveSportCenters([center(3)]);
    await saveMetadata('recommended_centers', [center(3).id]);
    await saveMetadata('last_preload', { at: 7 });
    await reloadOfflineState();
    expect(getOfflineState()).toMatchObject({ last_preload_at: 7 });
    for (const listener of server.sign_out_listeners) listener();
    expect(getOfflineState()).toMatchObject({ last_preload_at: null, recommended: [], cities: [{ id: BILBAO.id }] });
  });
});

test('removing the only city removes its centers and tiles', async () => {
  await startSaving(BILBAO);
  await removeSavedCity(BILBAO.id);
  expect(getOfflineState()).toMatchObject({ cities: [], center_count: 0, tile_bytes: 0 });
});

test('recommended centers are listed in their order, with names, as far as this device has them', async () => {
  await saveSportCenters([center(2), center(3)]);
  await saveMetadata('recommended_centers', [center(3).id, center(4).id, center(2).id]);
  await reloadOfflineState();
  expect(getOfflineState().recommended.map(({ name }) => name)).toEqual(['Center 3', 'Center 2']);
});

describe('resuming', () => {
  beforeEach(async () => {
    await saveCityRecord(record('fresh', {}));
    await saveCityRecord(record('old', { saved_at: Date.now() - DAY_MS }));
    await saveCityRecord(record('begun', { state: 'saving', saved_at: null }));
  });

  test('waits for a network', async () => {
    online = false;
    await resumeCities();
    expect(requested).toEqual([]);
  });

  test('does not restore a city that was removed while it waited for its turn', async () => {
    await saveCityRecord(record('older', { saved_at: 1 }));
    server.beforeTile = async () => {
      await removeCity('old', { centers: true });
      await removeCity('older', { centers: true });
    };
    await resumeCities();
    expect(requested).toEqual(['begun']);
    expect(await loadSavedCity('older')).toBeNull();
  });

  test('does not restore a city that another tab removed a moment before, nor refresh what it refreshed', async () => {
    const { locks } = navigator;
    const request = async (name: string, options: LockOptions, work: (lock: Lock | null) => Promise<void>) => {
      await saveCityRecord(record('old', {}));
      await removeCity('begun', { centers: true });
      return locks.request(name, options, work);
    };
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
    await resumeCities();
    expect(requested).toEqual([]);
    expect(await loadSavedCity('begun')).toBeNull();
  });

  test('completes unfinished cities and refreshes those a day old', async () => {
    const before = Date.now();
    await resumeCities();
    expect([...requested].sort()).toEqual(['begun', 'old']);
    expect((await loadSavedCity('old'))?.saved_at).toBeGreaterThanOrEqual(before);
    expect(await loadSavedCity('begun')).toMatchObject({ state: 'saved' });
  });
});

test('an estimate says how many centers there are and about how much it takes', async () => {
  const { centers, bytes } = await estimateCity(BILBAO, new AbortController().signal);
  expect(centers).toBe(1);
  expect(bytes).toBeGreaterThan(10_000);
});
