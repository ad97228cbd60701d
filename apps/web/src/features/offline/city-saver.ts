import { session } from '#web/shared/api/client.ts';
import { openTabChannel } from '#web/shared/lib/tab-channel.ts';
import { withFreeLock, withLock } from '#web/shared/lib/web-lock.ts';
import { requestPersistentStorage } from '#web/shared/local-db/copies-bucket.ts';
import { CACHE_LIFETIME_MS } from '#web/shared/local-db/database.ts';
import { loadSavedCity, removeCity } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { CITY_DEPS, searchPage } from './city-calls.ts';
import { cityLockName } from './deleted-cities.ts';
import { changeOfflineState, getOfflineState, reloadOfflineState } from './offline-store.ts';
import { isMapArea, type SavableArea } from './savable-area.ts';
import { CENTER_BYTES, saveCity } from './save-city.ts';
import { planTiles } from './tile-plan.ts';

const controllers = new Map<string, AbortController>();

/** Asks the other tabs to stop saving a city. */
const cancelChannel = openTabChannel<string>('sendlap-cancel-city');
cancelChannel.listen(cancelInThisTab);
// Saved map areas reveal where the user was, so sign-out cancels the saving of areas.
session.onSignedOut(() => {
  for (const id of controllers.keys()) if (isMapArea({ id })) cancelInThisTab(id);
});

/** Estimates the centers and bytes of an area; `is_lower_bound`: the server stopped counting, so both are minimums. */
export async function estimateCity(area: SavableArea, signal: AbortSignal) {
  const [{ total, total_is_lower_bound: is_lower_bound }, config, tile_budget] = await Promise.all([
    searchPage(area, null, signal, 1),
    CITY_DEPS.mapConfig(),
    CITY_DEPS.tileBudget(area.id),
  ]);
  const bytes = total * CENTER_BYTES + planTiles(area, config, tile_budget).bytes;
  return { centers: total, bytes, is_lower_bound };
}

/**
 * Saves or refreshes an area, unless this or another tab is already doing so; the progress is in the store. Never
 * rejects. `isStillNeeded` is called once the city is locked against other tabs.
 */
export async function startSaving(area: SavableArea, isStillNeeded = async () => true): Promise<void> {
  if (controllers.has(area.id)) return;
  const controller = new AbortController();
  controllers.set(area.id, controller);
  setStatus(area.id, { progress: 0 });
  // Without it, the browser may evict all data when the disk is nearly full. If it refuses, saving still works.
  void requestPersistentStorage();
  try {
    await withFreeLock(cityLockName(area.id), async () => {
      if (!(await isStillNeeded())) return;
      const onProgress = (progress: number) => setStatus(area.id, { progress });
      const outcome = await saveCity(area, CITY_DEPS, { signal: controller.signal, onProgress });
      if (outcome === 'no_room') setStatus(area.id, { failed: 'no_room' });
    });
  } catch (error) {
    console.warn('offline', error);
    setStatus(area.id, { failed: 'unreachable' });
  }
  controllers.delete(area.id);
  setStatus(area.id, {});
  await reloadOfflineState();
}

/** Cancels the saving of a city, also in another tab. */
export function cancelSaving(id: string): void {
  cancelInThisTab(id);
  cancelChannel.post(id);
}

function cancelInThisTab(id: string): void {
  controllers.get(id)?.abort(new DOMException('cancelled', 'AbortError'));
}

/** Removes a city from this device, even while it is being saved. */
export async function removeSavedCity(id: string): Promise<void> {
  cancelSaving(id);
  // Wait for the lock: the cancelled saving releases it when it has ended.
  await withLock(cityLockName(id), () => removeCity(id, { centers: true }));
  const { [id]: _, ...failed } = getOfflineState().failed;
  changeOfflineState({ failed });
  await reloadOfflineState();
}

/** Resumes interrupted cities and refreshes old ones, one after the other. */
export async function resumeCities(): Promise<void> {
  await reloadOfflineState();
  for (const { id } of getOfflineState().cities ?? []) {
    // Load it again: another tab may have removed or refreshed it while earlier cities were saved.
    const city = navigator.onLine ? await loadIfDue(id) : null;
    if (city) await startSaving(city, async () => (await loadIfDue(id)) !== null);
  }
}

/** Returns the city if it is still saved and needs work, else null. */
async function loadIfDue(id: string): Promise<SavedCity | null> {
  const city = await loadSavedCity(id);
  return city && needsFetch(city, Date.now()) ? city : null;
}

/**
 * Whether a city has to be fetched (again): it is incomplete, or centers have reached their maximum age (spec, section
 * 9).
 */
function needsFetch({ state, saved_at }: Pick<SavedCity, 'state' | 'saved_at'>, now: number): boolean {
  return state === 'saving' || saved_at === null || now - saved_at >= CACHE_LIFETIME_MS;
}

function setStatus(id: string, status: { progress?: number; failed?: 'no_room' | 'unreachable' }): void {
  const { running, failed } = getOfflineState();
  const { [id]: _, ...other_progress } = running;
  const { [id]: __, ...other_failures } = failed;
  changeOfflineState({
    running: status.progress === undefined ? other_progress : { ...other_progress, [id]: status.progress },
    // A failure stays visible until the next attempt.
    failed: status.failed
      ? { ...other_failures, [id]: status.failed }
      : status.progress === undefined
        ? failed
        : other_failures,
  });
}
