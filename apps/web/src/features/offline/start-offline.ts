import { listRecommendedSportCenters } from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { call, serverClock, session } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { loadLastOrigin } from '#web/shared/data/last-origin.ts';
import { onPosition } from '#web/shared/data/last-position.ts';
import { cleanUp } from '#web/shared/local-db/clean-up.ts';
import { withFallback } from '#web/shared/local-db/database.ts';
import { loadTile } from '#web/shared/local-db/map-tiles.ts';
import { saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { searchPage, TILE_BASE } from './city-calls.ts';
import { resumeCities } from './city-saver.ts';
import { releaseDeletedCities } from './deleted-cities.ts';
import { readGrantedPosition } from './granted-position.ts';
import { startOfflineMaintenance } from './offline-maintenance.ts';
import { reloadOfflineState } from './offline-store.ts';
import { keepPosition, loadKeptPosition } from './position-copy.ts';
import { PRELOAD_RADIUS_KM, type PreloadDeps, preload } from './preload.ts';
import type { SavableArea } from './savable-area.ts';
import { tilesAround, tileUrl } from './tile-plan.ts';

/** The farthest that the server looks: a user may live far from any center. */
const MAX_RADIUS_KM = 500;

let is_started = false;

/**
 * Starts the offline maintenance, once per page load. `fallbackOrigin`: the position to use when the user has not
 * chosen one.
 */
export function startOffline(fallbackOrigin: () => Position | null): void {
  if (is_started) return;
  is_started = true;
  onPosition((position) => void keepPosition(position));
  startOfflineMaintenance({
    isOnline: () => navigator.onLine,
    onNetwork(listener) {
      const ended = new AbortController();
      for (const event of ['online', 'offline'] as const)
        addEventListener(event, () => listener(event), { signal: ended.signal });
      return () => ended.abort();
    },
    onSignedIn,
    async cleanUp() {
      await withFallback(releaseDeletedCities(), undefined);
      await removeOldCopies();
    },
    reloadState: reloadOfflineState,
    async preload() {
      const user_id = session.getState().user?.id;
      if (user_id !== undefined) await preload(preloadDeps(user_id, fallbackOrigin));
      // At the start no answer had measured the clock yet.
      await removeOldCopies();
    },
    resumeCities: async () => (isDataSaverOn() ? undefined : resumeCities()),
  });
}

function removeOldCopies(): Promise<void> {
  return cleanUp(Date.now(), serverClock.measurement()?.offset_ms ?? null);
}

function onSignedIn(listener: () => void): () => void {
  let last = session.getState().user?.id;
  return session.subscribe(() => {
    const before = last;
    last = session.getState().user?.id;
    if (last !== undefined && last !== before) listener();
  });
}

function preloadDeps(user_id: string, fallbackOrigin: () => Position | null): PreloadDeps {
  const isStillSignedIn = () => session.getState().user?.id === user_id;
  /** Aborts if the user has changed: requests must not run in the name of the next user. */
  const assertSameUser = () => {
    if (!isStillSignedIn()) throw new Error('the user has left');
  };
  return {
    isOnline: () => navigator.onLine,
    isDataSaverOn,
    readGrantedPosition: () => readGrantedPosition({ keep: keepPosition, load: loadKeptPosition }),
    async loadLastOrigin() {
      return (await loadLastOrigin()) ?? fallbackOrigin();
    },
    loadMetadata,
    // A user's location is deleted at sign-out, and must not be written after that.
    async saveMetadata(key, value) {
      if (isStillSignedIn()) await saveMetadata(key, value, user_id);
    },
    async saveCentersAround(position, cursor) {
      assertSameUser();
      const page = await searchPage(areaAround(position), cursor, new AbortController().signal);
      await saveSportCenters(page.items);
      return page.next_cursor;
    },
    async saveRecommended({ latitude, longitude }, limit) {
      assertSameUser();
      const query = { latitude: String(latitude), longitude: String(longitude), limit: String(limit) };
      const find = (radius_km: number) =>
        call(listRecommendedSportCenters, { query: { ...query, radius_km: String(radius_km) } });
      const nearby = await find(PRELOAD_RADIUS_KM);
      const centers = nearby.length > 0 ? nearby : await find(MAX_RADIUS_KM);
      await saveSportCenters(centers);
      return centers.map(({ id }) => id);
    },
    async saveTilesAround(position) {
      for (const tile of tilesAround(areaAround(position)))
        await loadTile(tileUrl(TILE_BASE, { layer: 'world', ...tile }), tile.zoom, tile.x, tile.y);
    },
    now: () => Date.now(),
  };
}

function areaAround(position: Position): SavableArea {
  return { id: '', name: null, name_es: null, country: '', ...position, radius_km: PRELOAD_RADIUS_KM };
}

function isDataSaverOn(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
