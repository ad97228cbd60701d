import { expect, test, vi } from 'vitest';
import { session } from '../api/client.ts';
import { isPositionFailure, readDevicePosition } from './device-position.ts';
import { getLastPosition, onPosition, publishPosition } from './last-position.ts';

const failing = (code: number) => ({
  getCurrentPosition: (_: unknown, fail?: ((error: GeolocationPositionError) => void) | null) =>
    fail?.({ code } as GeolocationPositionError),
});
const POSITION = { coords: { latitude: 42.5, longitude: 1.5, accuracy: 18.4 }, timestamp: 1000 } as GeolocationPosition;
const answering = { getCurrentPosition: (answer: PositionCallback) => answer(POSITION) };

test.each([
  [1, 'denied'],
  [2, 'unavailable'],
  [3, 'timeout'],
  [9, 'unavailable'],
])('the failure %d of a device is called %s', async (code, failure) => {
  await expect(readDevicePosition({ geolocation: failing(code), is_allowed: true })).rejects.toBe(failure);
});

test('a page that may not ask does not ask', async () => {
  const geolocation = { getCurrentPosition: vi.fn() };
  await expect(readDevicePosition({ geolocation, is_allowed: false })).rejects.toBe('blocked');
  expect(geolocation.getCurrentPosition).not.toHaveBeenCalled();
});

test('a device that knows no positions is unavailable', async () => {
  await expect(readDevicePosition({ geolocation: undefined, is_allowed: true })).rejects.toBe('unavailable');
  expect(isPositionFailure('unavailable')).toBe(true);
  expect(isPositionFailure(new Error('unavailable'))).toBe(false);
});

test('a position is sent to listeners, with its time', async () => {
  const heard = vi.fn();
  const stop = onPosition(heard);
  const position = { latitude: 42.5, longitude: 1.5, accuracy_m: 18, measured_at: 1000 };
  expect(await readDevicePosition({ geolocation: answering, is_allowed: true })).toEqual(position);
  expect(heard).toHaveBeenCalledExactlyOnceWith(position);
  expect(getLastPosition()).toEqual(position);
  stop();
  await readDevicePosition({ geolocation: answering, is_allowed: true });
  expect(heard).toHaveBeenCalledOnce();
});

test('a position that arrives after the last listener left is dropped', async () => {
  const before = getLastPosition();
  const waiting = new AbortController();
  let find = () => {};
  const geolocation = {
    getCurrentPosition: (found: PositionCallback) => {
      find = () => found({ ...POSITION, timestamp: 2000 });
    },
  };
  const reading = readDevicePosition({ geolocation, is_allowed: true }, waiting.signal);
  waiting.abort();
  find();
  await expect(reading).rejects.toBe('unavailable');
  expect(getLastPosition()).toEqual(before);
});

test('the last position is deleted when its user signs out', async () => {
  publishPosition({ latitude: 1, longitude: 2, accuracy_m: 3, measured_at: 4 });
  await session.logout();
  expect(getLastPosition()).toBeNull();
});
