import { afterEach, expect, test, vi } from 'vitest';
import { readGrantedPosition } from './granted-position.ts';

const NO_COPY = { keep: async () => {}, load: async () => null };

afterEach(() => vi.unstubAllGlobals());

/** A device with this permission state; an Error: a browser that cannot query the permission. */
function device(state: PermissionState | Error, getCurrentPosition: (...args: never[]) => void) {
  const query = async () => {
    if (state instanceof Error) throw state;
    return { state };
  };
  vi.stubGlobal('navigator', { permissions: { query }, geolocation: { getCurrentPosition } });
}

test.each(['prompt', 'denied', new TypeError('unknown name')] as const)(
  'no prompt is shown while it is %s',
  async (state) => {
    const getCurrentPosition = vi.fn();
    device(state, getCurrentPosition);
    expect(await readGrantedPosition(NO_COPY)).toBeNull();
    expect(getCurrentPosition).not.toHaveBeenCalled();
  },
);

test('without the permission no copy of a position counts either', async () => {
  device('denied', () => {});
  expect(await readGrantedPosition({ ...NO_COPY, load: async () => ({ latitude: 1, longitude: 2 }) })).toBeNull();
});

test('a device that can not say where it is has no position', async () => {
  device('granted', (_done: PositionCallback, fail: PositionErrorCallback) =>
    fail({ code: 3 } as GeolocationPositionError),
  );
  expect(await readGrantedPosition(NO_COPY)).toBeNull();
});

test('waits 5 s for a position, of which one of the last 10 minutes will do [spec 9.preload.geo-timeout, 9.preload.geo-age]', async () => {
  const getCurrentPosition = vi.fn((done: PositionCallback, _fail: PositionErrorCallback, _options: PositionOptions) =>
    done({ coords: { latitude: 43.26, longitude: -2.93, accuracy: 20 }, timestamp: 4 } as GeolocationPosition),
  );
  device('granted', getCurrentPosition);
  expect(await readGrantedPosition(NO_COPY)).toMatchObject({ latitude: 43.26, longitude: -2.93 });
  expect(getCurrentPosition.mock.calls[0]?.[2]).toMatchObject({ timeout: 5_000, maximumAge: 600_000 });
});
