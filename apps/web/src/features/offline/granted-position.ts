import type { Position } from '@sendlap/domain/geo.ts';
import { readPermission } from '#web/shared/data/device-position.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';

/** Options for reading the position before preloading (spec, section 9). */
const OPTIONS: PositionOptions = { timeout: 5_000, maximumAge: 10 * 60_000, enableHighAccuracy: false };

/** The user's position on this device. */
interface PositionCopy {
  keep: (position: SharedPosition) => Promise<void>;
  load: () => Promise<Position | null>;
}

/**
 * Returns the device's position, or the copy of an earlier one if it does not find it; null if the permission was not
 * granted before: preloading shows no prompt. The user did not share the position by an action, so listeners of
 * `onPosition` are not notified.
 */
export async function readGrantedPosition({ keep, load }: PositionCopy): Promise<Position | null> {
  if ((await readPermission()) !== 'granted') return null;
  const position = await readPosition();
  if (!position) return load();
  await keep(position);
  return position;
}

function readPosition(): Promise<SharedPosition | null> {
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy }, timestamp }) =>
        resolve({ latitude, longitude, accuracy_m: Math.round(accuracy), measured_at: timestamp }),
      () => resolve(null),
      OPTIONS,
    );
  });
}
