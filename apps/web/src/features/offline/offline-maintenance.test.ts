import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startOfflineMaintenance } from './offline-maintenance.ts';

const HOUR_MS = 3_600_000;
let online: boolean;
let network: (event: 'online' | 'offline') => void;
let signIn: () => void;
let calls: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  online = true;
  calls = [];
  stop = () => {};
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function start(failing: string[] = []): void {
  const recordCall = (name: string) => async () => {
    calls.push(name);
    if (failing.includes(name)) throw new Error(name);
  };
  stop = startOfflineMaintenance({
    isOnline: () => online,
    onNetwork(listener) {
      network = listener;
      return () => {};
    },
    onSignedIn(listener) {
      signIn = listener;
      return () => {};
    },
    cleanUp: recordCall('clean up'),
    reloadState: recordCall('recheck'),
    preload: recordCall('preload'),
    resumeCities: recordCall('cities'),
  });
}

const after = async (ms: number) => {
  calls = [];
  await vi.advanceTimersByTimeAsync(ms);
  return calls;
};

test('without a network nothing is fetched, and a network that is gone again within a second starts nothing', async () => {
  online = false;
  start();
  expect(await after(5_000)).toEqual(['recheck']);
  network('online');
  await after(999);
  network('offline');
  expect(await after(5_000)).toEqual([]);
});

test('a task that fails does not stop the others', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  start(['clean up', 'preload', 'cities', 'recheck']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toEqual(['clean up', 'recheck', 'preload', 'cities', 'recheck']);
  expect(warn).toHaveBeenCalledTimes(5);
});

test('getting ready begins 1 s after the network came, once [spec 9.preload.delay]', async () => {
  online = false;
  start();
  await after(10_000);
  online = true;
  network('online');
  expect(await after(999)).toEqual([]);
  expect(await after(1)).toEqual(['preload', 'cities', 'recheck']);
  expect(await after(10_000)).toEqual([]);
});

test('getting ready begins a second after the start too', async () => {
  start();
  await after(0);
  expect(await after(999)).toEqual([]);
  expect(await after(1)).toEqual(['preload', 'cities', 'recheck']);
});

test('a sign-in without a network starts nothing; with one, preloading begins a second later', async () => {
  start();
  await after(10_000);
  online = false;
  signIn();
  expect(await after(5_000)).toEqual([]);
  online = true;
  signIn();
  expect(await after(999)).toEqual([]);
  expect(await after(1)).toEqual(['preload', 'cities', 'recheck']);
});

test('old copies are cleaned away at the start and then every hour [spec 9.cache.cleanup]', async () => {
  online = false;
  start();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toContain('clean up');
  expect(await after(HOUR_MS - 1)).not.toContain('clean up');
  expect(await after(1)).toContain('clean up');
  expect((await after(5 * HOUR_MS)).filter((name) => name === 'clean up')).toHaveLength(5);
});

test('the saved cities are checked every 5 minutes, until it is stopped [spec 9.cache.recheck]', async () => {
  online = false;
  start();
  await after(0);
  expect(await after(299_999)).toEqual([]);
  expect(await after(1)).toEqual(['recheck']);
  expect(await after(300_000)).toEqual(['recheck']);
  stop();
  expect(await after(10 * HOUR_MS)).toEqual([]);
});
