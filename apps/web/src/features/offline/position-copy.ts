import type { Position } from '@sendlap/domain/geo.ts';
import { session } from '#web/shared/api/client.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';
import { loadUserLocation, saveUserLocation } from '#web/shared/local-db/user-location.ts';

const signedInId = () => session.getState().user?.id;

/** Keeps where the signed-in user is, on this device only, wherever the permission was given; a visitor's is not kept. */
export async function keepPosition({
  latitude,
  longitude,
  accuracy_m: accuracy,
  measured_at,
}: SharedPosition): Promise<void> {
  const user_id = signedInId();
  if (user_id === undefined) return;
  const location = { latitude, longitude, accuracy, timestamp: new Date(measured_at).toISOString() };
  await saveUserLocation(user_id, { ...location, sport_center_id: null }, () => signedInId() === user_id);
}

/** Returns where the signed-in user was in the last 24 hours; null if this device does not know. */
export async function loadKeptPosition(): Promise<Position | null> {
  const user_id = signedInId();
  return user_id === undefined ? null : ((await loadUserLocation(user_id))?.value ?? null);
}
