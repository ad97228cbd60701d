import type { Position } from '@sendlap/domain/geo.ts';
import { readPermission } from '#web/shared/data/device-position.ts';

/** How the position is asked for to get ready for offline (spec, section 9). */
const OPTIONS: PositionOptions = { timeout: 5_000, maximumAge: 10 * 60_000, enableHighAccuracy: false };

/**
 * Where the device is, if that was allowed before; null otherwise: getting ready asks nobody anything. Nobody shared it
 * by this, so it is not announced as `readDevicePosition` does.
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
