import { beforeEach, expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

let wall = 1_000_000;
let monotonic = 0;
let kept: Map<string, string>;
const clock = () =>
  createServerClock({
    now: () => wall,
    monotonicNow: () => monotonic,
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
  });

beforeEach(() => {
  wall = 1_000_000;
  monotonic = 0;
  kept = new Map();
});

test('a device that never heard of the server has no offset and no age', () => {
  expect(clock().clockReading()).toEqual({ offset_ms: 0, age_ms: null });
});

test.each([null, '', 'soon', '12.5', '-4', '99999999999999999', '1e9'])('the header %j is ignored', (header) => {
  const device = clock();
  device.observe(header, 10);
  expect(device.clockReading().age_ms).toBeNull();
});

test('an offset of more than a year is not believed', () => {
  const device = clock();
  device.observe(String(wall + 31_536_000_001), 0);
  expect(device.clockReading().age_ms).toBeNull();
});

test('the offset is the header plus half the round trip', () => {
  const device = clock();
  device.observe(String(wall + 5_000), 200);
  expect(device.clockReading()).toEqual({ offset_ms: 5_100, age_ms: 0 });
  wall += 1_000;
  monotonic += 1_000;
  expect(device.correctedNow()).toBe(1_006_100);
  expect(device.clockReading().age_ms).toBe(1_000);
});

test('a slower answer does not replace a quicker one, unless that one is old', () => {
  const device = clock();
  device.observe(String(wall + 5_000), 20);
  device.observe(String(wall + 9_000), 2_000);
  expect(device.clockReading().offset_ms).toBe(5_010);
  monotonic = 300_000;
  wall += 300_000;
  device.observe(String(wall + 9_000), 2_000);
  expect(device.clockReading().offset_ms).toBe(10_000);
});

test('the offset is there at the next start without network, with its age', () => {
  clock().observe(String(wall + 60_000), 0);
  wall += 3_600_000;
  monotonic = 12;
  expect(clock().clockReading()).toEqual({ offset_ms: 60_000, age_ms: 3_600_000 });
});

test('a spoiled copy counts as none', () => {
  kept.set('server-clock', '{"offset_ms":"x"}');
  expect(clock().clockReading()).toEqual({ offset_ms: 0, age_ms: null });
});
