import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ClockMeasurement, type ClockReading, estimateTime, MIN_CLOCK_MOVE_MS } from './clock-correction.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = Date.parse('2026-11-21T12:00:00Z');

/** A device whose clocks a test reads: the true time goes on, the wall clock is set, sleep stops the monotonic one. */
class Device {
  true_ms = NOON_MS;
  #shift_ms = 0;
  #monotonic_ms = 0;
  #page = 0;

  pass(duration_ms: number): void {
    this.true_ms += duration_ms;
    this.#monotonic_ms += duration_ms;
  }

  sleep(duration_ms: number): void {
    this.true_ms += duration_ms;
  }

  set(move_ms: number): void {
    this.#shift_ms += move_ms;
  }

  reload(): void {
    this.#page += 1;
    this.#monotonic_ms = 0;
  }

  read(): ClockReading {
    const wall_ms = this.true_ms + this.#shift_ms;
    return { wall_ms, monotonic_ms: this.#monotonic_ms, page_id: String(this.#page) };
  }

  measure(): ClockMeasurement {
    return { ...this.read(), offset_ms: -this.#shift_ms };
  }
}

/** Measures, does `first`, takes the moment, does `second`, and measures again. */
function estimate(first: (device: Device) => void, second: (device: Device) => void) {
  const device = new Device();
  const before = device.measure();
  first(device);
  const [moment, true_ms] = [device.read(), device.true_ms];
  second(device);
  return { ...estimateTime(moment, before, device.measure()), true_ms };
}

const known = ({ true_ms, ...time }: ReturnType<typeof estimate>) =>
  expect(time).toEqual({ kind: 'known', at_ms: true_ms });

describe('the athlete is asked about times that cannot be known', () => {
  test('a clock set an hour ahead, on a day without a contact: before or after the moment?', () => {
    const time = estimate(
      (device) => {
        device.pass(8 * HOUR_MS);
        device.set(HOUR_MS);
        device.reload();
      },
      (device) => {
        device.pass(4 * HOUR_MS);
        device.reload();
      },
    );
    expect(time).toEqual({
      kind: 'unknown',
      true_ms: NOON_MS + 8 * HOUR_MS,
      earliest_ms: NOON_MS,
      latest_ms: NOON_MS + 12 * HOUR_MS,
      candidates_ms: [NOON_MS + 8 * HOUR_MS, NOON_MS + 9 * HOUR_MS],
    });
  });

  test('a clock that was set ahead and back in between, so that no single move explains the moment', () => {
    const time = estimate(
      (device) => {
        device.set(3 * DAY_MS);
        device.reload();
      },
      (device) => {
        device.reload();
        device.set(-3 * DAY_MS);
      },
    );
    expect(time).toMatchObject({ kind: 'unknown', candidates_ms: [], earliest_ms: NOON_MS, latest_ms: NOON_MS });
  });
});

describe.each([
  ['ahead', 3 * DAY_MS],
  ['behind', -3 * DAY_MS],
])('a clock that was set 3 days %s', (_way, move_ms) => {
  test.each([
    ['in one page', () => {}],
    ['over a reload', (device: Device) => device.reload()],
    ['with 8 hours of sleep', (device: Device) => device.sleep(8 * HOUR_MS)],
  ])('before the moment, %s', (_how, also) => {
    const set = (device: Device) => {
      device.pass(HOUR_MS);
      device.set(move_ms);
      also(device);
    };
    known(estimate(set, (device) => device.pass(HOUR_MS)));
    known(
      estimate(set, (device) => {
        device.pass(HOUR_MS);
        also(device);
      }),
    );
  });

  test('after the moment', () => {
    known(
      estimate(
        (device) => device.reload(),
        (device) => {
          device.pass(HOUR_MS);
          device.set(move_ms);
          device.reload();
        },
      ),
    );
  });
});

test('8 hours of sleep move no clock', () => {
  known(
    estimate(
      (device) => device.sleep(8 * HOUR_MS),
      (device) => device.sleep(8 * HOUR_MS),
    ),
  );
});

test('a device that was never measured has the time of its first contact, unless that is before the moment', () => {
  const device = new Device();
  device.set(3 * DAY_MS);
  const moment = device.read();
  device.reload();
  device.pass(HOUR_MS);
  expect(estimateTime(moment, null, device.measure())).toEqual({ kind: 'known', at_ms: NOON_MS });
  device.set(-6 * DAY_MS);
  expect(estimateTime(moment, null, device.measure())).toMatchObject({ kind: 'unknown', candidates_ms: [] });
});

const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(6 * HOUR_MS) }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.nat(10 * HOUR_MS) }),
    fc.record({ kind: fc.constant('reload' as const), ms: fc.constant(0) }),
  ),
  { maxLength: 4 },
);
const moves = fc.integer({ min: -4 * DAY_MS, max: 4 * DAY_MS });
type Events = typeof events extends fc.Arbitrary<infer Value> ? Value : never;

function play(device: Device, list: Events): void {
  for (const { kind, ms } of list) kind === 'reload' ? device.reload() : device[kind](ms);
}

test('properties: with at most one move, a known time is the true one, and otherwise the true one is among those offered', () => {
  fc.assert(
    fc.property(events, events, events, moves, fc.boolean(), (first, second, third, move_ms, is_moved_before) => {
      const device = new Device();
      const before = device.measure();
      play(device, first);
      if (is_moved_before) device.set(move_ms);
      play(device, second);
      const [moment, true_ms] = [device.read(), device.true_ms];
      if (!is_moved_before) device.set(move_ms);
      play(device, third);
      const time = estimateTime(moment, before, device.measure());
      const isTrue = (at_ms: number) => Math.abs(at_ms - true_ms) <= MIN_CLOCK_MOVE_MS;
      const offered = time.kind === 'known' ? [time.at_ms] : time.candidates_ms;
      expect(offered.some(isTrue)).toBe(true);
      if (time.kind === 'known') return;
      expect(true_ms).toBeGreaterThanOrEqual(time.earliest_ms);
      expect(true_ms).toBeLessThanOrEqual(time.latest_ms);
    }),
    { numRuns: 2_000 },
  );
});
