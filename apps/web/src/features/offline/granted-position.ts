import type { Position } from '@sendlap/domain/geo.ts';
import { readPermission } from '#web/shared/data/device-position.ts';

/** Options for reading the position before preloading (spec, section 9). */
const OPTIONS: PositionOptions = { timeout: 5_000, maximumAge: 10 * 60_000, enableHighAccuracy: false };

/**
 * Returns the device's position if the permission was granted before, else null: preloading shows no prompt. The user
 * did not share the position by an action, so listeners of `readDevicePosition` are not notified.
 */
export async function readGrantedPosition(): Promise<Position | null> {
  if ((await readPermission()) !== 'granted') return null;
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      () => resolve(null),
      OPTIONS,
    );
  });
}
