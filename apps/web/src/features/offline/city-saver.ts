import { session } from '#web/shared/api/client.ts';
import { persistCopies } from '#web/shared/local-db/copies-bucket.ts';
import { CACHE_LIFETIME_MS } from '#web/shared/local-db/database.ts';
import { loadSavedCity, removeCity } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { alone, cityLock } from './alone.ts';
import { CITY_DEPS, searchPage } from './city-calls.ts';
import { changeOfflineState, getOfflineState, recheckOffline } from './offline-store.ts';
import { isArea, type SavablePlace } from './place.ts';
import { CENTER_BYTES, saveCity } from './save-city.ts';
import { planTiles } from './tile-plan.ts';

const controllers = new Map<string, AbortController>();

/** Asks the other tabs to stop saving a city. */
const cancels = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('sendlap-cancel-city');
cancels?.addEventListener('message', ({ data }: MessageEvent<string>) => cancelHere(data));
// Saved map areas reveal where the user was: saving them stops at sign-out.
session.onSignedOut(() => {
  for (const id of controllers.keys()) if (isArea({ id })) cancelHere(id);
});

/** Estimates what saving a place takes; `is_lower_bound`: the server stopped counting, so both numbers are minimums. */
export async function estimateCity(place: SavablePlace, signal: AbortSignal) {
  const [{ total, total_is_lower_bound: is_lower_bound }, config, room] = await Promise.all([
    searchPage(place, null, signal, 1),
    CITY_DEPS.mapConfig(),
    CITY_DEPS.room(place.id),
  ]);
  const bytes = total * CENTER_BYTES + planTiles(place, config, room).bytes;
  return { centers: total, bytes, is_lower_bound };
}

/**
 * Saves or refreshes a place, unless this or another tab is already doing so; the progress is in the store. Never
 * rejects. `isWanted` is called once the city is locked against other tabs.
 */
export async function startSaving(place: SavablePlace, isWanted = async () => true): Promise<void> {
  if (controllers.has(place.id)) return;
  const controller = new AbortController();
  controllers.set(place.id, controller);
  note(place.id, { running: 0 });
  // Otherwise the browser may evict everything when the disk gets full. If it refuses, saving works all the same.
  void persistCopies();
  try {
    await alone(cityLock(place.id), async () => {
      if (!(await isWanted())) return;
      const onProgress = (share: number) => note(place.id, { running: share });
      const outcome = await saveCity(place, CITY_DEPS, { signal: controller.signal, onProgress });
      if (outcome === 'no_room') note(place.id, { failed: 'no_room' });
    });
  } catch (error) {
    console.warn('offline', error);
    note(place.id, { failed: 'unreachable' });
  }
  controllers.delete(place.id);
  note(place.id, {});
  await recheckOffline();
}

/** Cancels the saving of a city, also in another tab. */
export function cancelSaving(id: string): void {
  cancelHere(id);
  cancels?.postMessage(id);
}

function cancelHere(id: string): void {
  controllers.get(id)?.abort(new DOMException('cancelled', 'AbortError'));
}

/** Removes a city from this device, even while it is being saved. */
export async function removeSavedCity(id: string): Promise<void> {
  cancelSaving(id);
  // Wait for the lock: the cancelled saving releases it when it has ended.
  await alone(cityLock(id), () => removeCity(id, { centers: true }), true);
  const { [id]: _, ...failed } = getOfflineState().failed;
  changeOfflineState({ failed });
  await recheckOffline();
}

/** Resumes interrupted cities and refreshes old ones, one after the other. */
export async function continueCities(): Promise<void> {
  await recheckOffline();
  for (const { id } of getOfflineState().cities ?? []) {
    // Load it again: another tab may have removed or refreshed it while earlier cities were saved.
    const city = navigator.onLine ? await loadDue(id) : null;
    if (city) await startSaving(city, async () => (await loadDue(id)) !== null);
  }
}

/** Returns the city if it is still saved and needs work, else null. */
async function loadDue(id: string): Promise<SavedCity | null> {
  const city = await loadSavedCity(id);
  return city && needsWork(city, Date.now()) ? city : null;
}

/**
 * Whether a city has to be fetched (again): it is incomplete, or centers have reached their maximum age (spec, section
 * 9).
 */
function needsWork({ state, saved_at }: Pick<SavedCity, 'state' | 'saved_at'>, now: number): boolean {
  return state === 'saving' || saved_at === null || now - saved_at >= CACHE_LIFETIME_MS;
}

function note(id: string, news: { running?: number; failed?: 'no_room' | 'unreachable' }): void {
  const { running, failed } = getOfflineState();
  const { [id]: _, ...others } = running;
  const { [id]: __, ...fine } = failed;
  changeOfflineState({
    running: news.running === undefined ? others : { ...others, [id]: news.running },
    // A failure stays visible until the next attempt.
    failed: news.failed ? { ...fine, [id]: news.failed } : news.running === undefined ? failed : fine,
  });
}
