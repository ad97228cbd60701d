import { onTestFinished } from 'vitest';

interface Asked {
  /** How often the app asked for the device's position. */
  times: number;
}

type Answer = Pick<GeolocationCoordinates, 'latitude' | 'longitude' | 'accuracy'> | { failure: 1 | 2 | 3 };

/**
 * jsdom has no geolocation. Sets the user's earlier decision and the browser's answer: a position, or one of its errors
 * (1: permission denied, 2: unavailable, 3: timeout).
 */
export function setGeolocation(permission: PermissionState, answer: Answer): Asked {
  const asked = { times: 0 };
  const geolocation: Pick<Geolocation, 'getCurrentPosition'> = {
    getCurrentPosition(succeed, fail) {
      asked.times += 1;
      if ('failure' in answer) fail?.({ code: answer.failure, message: '' } as GeolocationPositionError);
      else succeed({ coords: answer, timestamp: Date.now() } as unknown as GeolocationPosition);
    },
  };
  define({ geolocation, permissions: { query: async () => ({ state: permission }) } });
  onTestFinished(() => define({ geolocation: undefined, permissions: undefined }));
  return asked;
}

function define(properties: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(navigator, name, { value, configurable: true });
  }
}
