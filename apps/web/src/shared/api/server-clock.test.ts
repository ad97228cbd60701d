import { beforeEach, describe, expect, test } from 'vitest';
import { createServerClock, watchPage } from './server-clock.ts';

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

test('a device without any answer of the server has no offset and no age', () => {
  expect(clock().clockReading()).toEqual({ offset_ms: 0, age_ms: null, jump_ms: 0 });
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
  expect(device.clockReading()).toEqual({ offset_ms: 5_100, age_ms: 0, jump_ms: 0 });
  wall += 1_000;
  monotonic += 1_000;
  expect(device.correctedNow()).toBe(1_006_100);
  expect(device.clockReading().age_ms).toBe(1_000);
});

test('a slower answer does not replace a quicker one, unless that one is old', () => {
  const device = clock();
  device.observe(String(wall + 5_000), 20);
  device.observe(String(wall + 4_900), 2_000);
  expect(device.clockReading().offset_ms).toBe(5_010);
  monotonic = 300_000;
  wall += 300_000;
  device.observe(String(wall + 4_900), 2_000);
  expect(device.clockReading().offset_ms).toBe(5_900);
});

test('a slower answer that contradicts a quicker one replaces it: the clock of the server was set in between', () => {
  const device = clock();
  device.observe(String(wall + 1_200_000), 20);
  device.observe(String(wall), 2_000);
  expect(device.clockReading()).toEqual({ offset_ms: 1_000, age_ms: 0, jump_ms: 0 });
});

test('the offset is there at the next start without network, with its age', () => {
  clock().observe(String(wall + 60_000), 0);
  wall += 3_600_000;
  monotonic = 12;
  expect(clock().clockReading()).toEqual({ offset_ms: 60_000, age_ms: 3_600_000, jump_ms: 0 });
});

test('a page without a measurement takes over one of another tab, and counts jumps since then', () => {
  const page = clock();
  wall += 60_000;
  expect(page.clockReading().jump_ms).toBe(60_000);
  clock().observe(String(wall + 5_000), 0);
  expect(page.clockReading()).toEqual({ offset_ms: 5_000, age_ms: 0, jump_ms: 0 });
  wall += 70_000;
  expect(page.clockReading()).toEqual({ offset_ms: 5_000, age_ms: 70_000, jump_ms: 70_000 });
});

test('a move after the measurement of another tab is not part of it, although this page reads the clock later', () => {
  const page = clock();
  const window = Object.assign(new EventTarget(), { document: new EventTarget() as Document });
  watchPage(page, window);
  clock().observe(String(wall + 5_000), 0);
  window.dispatchEvent(new Event('storage'));
  wall += 70_000;
  expect(page.clockReading()).toEqual({ offset_ms: 5_000, age_ms: 70_000, jump_ms: 70_000 });
});

test('a page that has measured keeps its own measurement, whatever another tab has measured since', () => {
  const page = clock();
  page.observe(String(wall + 1_000), 0);
  wall += 60_000;
  clock().observe(String(wall + 5_000), 0);
  expect(page.clockReading()).toEqual({ offset_ms: 1_000, age_ms: 0, jump_ms: 60_000 });
});

describe('the copy in the database', () => {
  const measured = (offset_ms: number, measured_at_ms: number) => JSON.stringify({ offset_ms, measured_at_ms });

  function clockWith(load: () => Promise<string | null>, save: (text: string) => Promise<void> = async () => {}) {
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: () => {} };
    return createServerClock({ now: () => wall, monotonicNow: () => monotonic, storage, database: { load, save } });
  }

  test('keeps each measurement', () => {
    const saved: string[] = [];
    const device = clockWith(
      async () => null,
      async (text) => void saved.push(text),
    );
    device.observe(String(wall + 60_000), 0);
    expect(saved).toEqual([measured(60_000, 1_060_000)]);
  });

  test.each([
    ['nothing', null, measured(60_000, 900_000), 60_000],
    ['an older measurement', measured(5_000, 800_000), measured(60_000, 900_000), 60_000],
    ['a newer measurement', measured(5_000, 950_000), measured(60_000, 900_000), 5_000],
    ['a measurement, and the database a spoiled one', measured(5_000, 800_000), '{"offset_ms":60000}', 5_000],
  ])('counts if it is newer: a killed browser has kept %s in local storage', async (_what, stored, copy, offset_ms) => {
    if (stored) kept.set('server-clock', stored);
    const device = clockWith(async () => copy);
    await Promise.resolve();
    expect(device.clockReading().offset_ms).toBe(offset_ms);
    expect(device.clockNote()?.before?.offset_ms).toBe(offset_ms);
  });

  test('that cannot be read or written changes nothing', async () => {
    const broken = () => Promise.reject(new Error('no database'));
    const device = clockWith(broken, broken);
    device.observe(String(wall + 60_000), 0);
    await Promise.resolve();
    expect(device.clockReading().offset_ms).toBe(60_000);
  });
});

test('a spoiled copy counts as none', () => {
  kept.set('server-clock', '{"offset_ms":"x"}');
  expect(clock().clockReading()).toEqual({ offset_ms: 0, age_ms: null, jump_ms: 0 });
});

test('a clock that is set shows how far it jumped, until the offset is measured again', () => {
  const device = clock();
  device.observe(String(wall + 5_000), 20);
  wall -= 7_200_000;
  expect(device.clockReading().jump_ms).toBe(-7_200_000);
  // Slower than the previous measurement, but the only one since the clock change.
  device.observe(String(wall + 7_205_000), 900);
  expect(device.clockReading()).toEqual({ offset_ms: 7_205_450, age_ms: 0, jump_ms: 0 });
});

test('time that passes for both clocks is no jump', () => {
  const device = clock();
  wall += 3_600_000;
  monotonic += 3_600_000;
  expect(device.clockReading().jump_ms).toBe(0);
});

test('a jump is never more than the contract takes', () => {
  const device = clock();
  wall += 99_000_000_000;
  expect(device.clockReading().jump_ms).toBe(31_536_000_000);
});

test('a clock that jumped forward while the page was hidden may have slept, which is no jump', () => {
  const device = clock();
  device.onPageHidden();
  wall += 3_600_000;
  device.onPageVisible();
  expect(device.clockReading().jump_ms).toBe(0);
});

test.each([
  ['back while the page was out of sight', 0, -3_600_000],
  ['forward while the page was in sight', 3_600_000, 0],
])('a clock that jumped %s has jumped', (_, in_sight, out_of_sight) => {
  const device = clock();
  wall += in_sight;
  device.onPageHidden();
  wall += out_of_sight;
  device.onPageVisible();
  device.onPageHidden();
  device.onPageVisible();
  expect(device.clockReading().jump_ms).toBe(in_sight + out_of_sight);
});

test('after a possible sleep a slower measurement replaces a quicker one', () => {
  const device = clock();
  device.observe(String(wall + 5_000), 20);
  device.onPageHidden();
  wall += 60_000;
  device.onPageVisible();
  device.observe(String(wall - 55_000), 900);
  expect(device.clockReading().offset_ms).toBe(-54_550);
});

describe('a time of now', () => {
  function measured() {
    const device = clock();
    device.observe(String(wall + 5_000), 0);
    return device;
  }

  test.each([
    ['was never measured', () => clock(), null],
    [
      'was set since',
      () => {
        const device = measured();
        wall += 60_000;
        return device;
      },
      5_000,
    ],
    [
      'slept since',
      () => {
        const device = measured();
        wall += 60_000;
        monotonic += 2_000;
        return device;
      },
      5_000,
    ],
    [
      'was measured by an earlier page',
      () => {
        measured();
        return clock();
      },
      5_000,
    ],
    [
      'another tab has measured since',
      () => {
        const device = clock();
        measured();
        return device;
      },
      5_000,
    ],
  ])('of a device that %s is noted with its clocks, and is no measurement', (_what, prepare, offset_ms) => {
    const device = prepare();
    const note = device.clockNote();
    expect(note?.moment).toMatchObject({ wall_ms: wall, monotonic_ms: monotonic });
    expect(note?.before?.offset_ms ?? null).toBe(offset_ms);
    if (note?.before) expect(note.before.wall_ms).toBe(1_000_000);
    expect(device.measurement()).toBeNull();
  });

  test('is proven by a measurement as long as both clocks run alike, and by the next one again', () => {
    const device = measured();
    wall += 60_000;
    monotonic += 60_000;
    expect(device.clockNote()).toBeNull();
    expect(device.measurement()).toMatchObject({ wall_ms: 1_000_000, monotonic_ms: 0, offset_ms: 5_000 });
    wall += 3_600_000;
    expect(device.clockNote()).not.toBeNull();
    device.observe(String(1_065_000), 500);
    expect(device.clockNote()).toBeNull();
    expect(device.measurement()).toMatchObject({ offset_ms: -3_594_750 });
  });
});
