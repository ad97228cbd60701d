import { session } from '#web/shared/api/client.ts';
import { openCopiesBucket } from '#web/shared/local-db/copies-bucket.ts';
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
// Parts of the map say where somebody was: none is kept after they left.
session.onSignedOut(() => {
  for (const id of controllers.keys()) if (isArea({ id })) cancelHere(id);
});

/** What saving a place would take, about; `is_lower_bound`: the server counts no further, both numbers are the least. */
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
 * Saves a place or refreshes it, unless this or another tab is at it; how it goes is in the store. Never rejects.
 * `isWanted` is asked when nobody else can change the city any more.
 */
export async function startSaving(place: SavablePlace, isWanted = async () => true): Promise<void> {
  if (controllers.has(place.id)) return;
  const controller = new AbortController();
  controllers.set(place.id, controller);
  note(place.id, { running: 0 });
  // Without this the browser may drop everything when the disk gets full. It may say no; nothing else would change.
  openCopiesBucket()
    .then(({ persist }) => persist())
    .catch(() => {});
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

/** Stops the saving of a city, also where another tab is at it. */
export function cancelSaving(id: string): void {
  cancelHere(id);
  cancels?.postMessage(id);
}

function cancelHere(id: string): void {
  controllers.get(id)?.abort(new DOMException('cancelled', 'AbortError'));
}

/** Takes a city off this device, also one that is being saved. */
export async function removeSavedCity(id: string): Promise<void> {
  cancelSaving(id);
  // The lock: whoever was saving it has let go of it then.
  await alone(cityLock(id), () => removeCity(id, { centers: true }), true);
  const { [id]: _, ...failed } = getOfflineState().failed;
  changeOfflineState({ failed });
  await recheckOffline();
}

/** Goes on with what was interrupted and refreshes what is old, one after the other. */
export async function continueCities(): Promise<void> {
  await recheckOffline();
  for (const { id } of getOfflineState().cities ?? []) {
    // Read anew: by the time that it is its turn it may have been removed, or refreshed by another tab.
    const city = navigator.onLine ? await loadDue(id) : null;
    if (city) await startSaving(city, async () => (await loadDue(id)) !== null);
  }
}

/** The city, if it is still saved and has work to do. */
async function loadDue(id: string): Promise<SavedCity | null> {
  const city = await loadSavedCity(id);
  return city && needsWork(city, Date.now()) ? city : null;
}

/** Whether a city has to be fetched (again): it is not complete, or as old as centers may get (spec, section 9). */
function needsWork({ state, saved_at }: Pick<SavedCity, 'state' | 'saved_at'>, now: number): boolean {
  return state === 'saving' || saved_at === null || now - saved_at >= CACHE_LIFETIME_MS;
}

function note(id: string, news: { running?: number; failed?: 'no_room' | 'unreachable' }): void {
  const { running, failed } = getOfflineState();
  const { [id]: _, ...others } = running;
  const { [id]: __, ...fine } = failed;
  changeOfflineState({
    running: news.running === undefined ? others : { ...others, [id]: news.running },
    // What went wrong is told until it is tried again.
    failed: news.failed ? { ...fine, [id]: news.failed } : news.running === undefined ? failed : fine,
  });
}
