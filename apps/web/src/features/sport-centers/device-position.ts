import type { Position } from '@sendlap/domain/geo.ts';

export type PositionFailure = 'denied' | 'unavailable' | 'timeout';

export interface DevicePosition extends Position {
  accuracy_m: number;
}

const TIMEOUT_MS = 5000;
const MAX_AGE_MS = 10 * 60_000;
const FAILURES: Record<number, PositionFailure> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' };

/** Asks the device where it is; the browser asks the user first where nothing was decided. Rejects with a PositionFailure. */
export function readDevicePosition(): Promise<DevicePosition> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) return reject('unavailable' satisfies PositionFailure);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ latitude: coords.latitude, longitude: coords.longitude, accuracy_m: Math.round(coords.accuracy) }),
      (error) => reject(FAILURES[error.code] ?? 'unavailable'),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS, enableHighAccuracy: false },
    );
  });
}

/** What was decided before about asking: then nobody needs an explanation first. */
export async function readPermission(): Promise<PermissionState> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    return 'prompt';
  }
}

export function isPositionFailure(error: unknown): error is PositionFailure {
  return error === 'denied' || error === 'unavailable' || error === 'timeout';
}
