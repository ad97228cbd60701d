import { publishPosition, type SharedPosition } from './last-position.ts';

/** `blocked`: the page's context forbids it, not the user (no https, a frame, a policy). */
export type PositionFailure = 'denied' | 'unavailable' | 'timeout' | 'blocked';

export type DevicePosition = Pick<SharedPosition, 'latitude' | 'longitude' | 'accuracy_m'>;

const TIMEOUT_MS = 5000;
const MAX_AGE_MS = 10 * 60_000;
const FAILURES: Record<number, PositionFailure> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' };
const POSITION_FAILURES: unknown[] = ['denied', 'unavailable', 'timeout', 'blocked'] satisfies PositionFailure[];

/** The browser APIs that are used here; a test passes its own. */
interface PositionSource {
  geolocation: Pick<Geolocation, 'getCurrentPosition'> | undefined;
  /** Whether the page may ask at all, whatever the user decides. */
  is_allowed: boolean;
}

/**
 * Reads the device's position; the browser asks the user for permission first, if undecided. Rejects with a
 * PositionFailure. A position that arrives after `signal` aborts is not announced: it rejects with `unavailable`.
 */
export function readDevicePosition(source = browserSource(), signal?: AbortSignal): Promise<SharedPosition> {
  const { promise, resolve, reject } = Promise.withResolvers<SharedPosition>();
  const fail = (reason: PositionFailure) => reject(reason);
  if (!source.is_allowed) fail('blocked');
  else if (!source.geolocation) fail('unavailable');
  else {
    source.geolocation.getCurrentPosition(
      ({ coords, timestamp }) => {
        if (signal?.aborted) return fail('unavailable');
        const { latitude, longitude, accuracy } = coords;
        const position = { latitude, longitude, accuracy_m: Math.round(accuracy), measured_at: timestamp };
        publishPosition(position);
        resolve(position);
      },
      (error) => fail(FAILURES[error.code] ?? 'unavailable'),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS, enableHighAccuracy: false },
    );
  }
  return promise;
}

/** Returns the permission's state: a user who has already decided needs no explanation first. */
export async function readPermission(): Promise<PermissionState> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    return 'prompt';
  }
}

export function isPositionFailure(error: unknown): error is PositionFailure {
  return POSITION_FAILURES.includes(error);
}

/** Browsers answer "denied" for a page that may not ask; that is a different problem with a different fix. */
function browserSource(): PositionSource {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  const is_allowed = isSecureContext && featurePolicy?.allowsFeature('geolocation') !== false;
  return { geolocation: navigator.geolocation, is_allowed };
}
