import { onTestFinished, vi } from 'vitest';

/** The functions that tell the time or run timers, except those that the fake database uses. */
const CLOCKS = ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
/** After a long leap the device is awake for this long, so that everything due by then has run. */
const AWAKE_MS = 10_000;

let slept_ms = 0;

/** Sets the clock of the device. From there it runs as fast as the real one. */
export function startDeviceClock(now: string): void {
  vi.useFakeTimers({ now: new Date(now), shouldAdvanceTime: true, toFake: [...CLOCKS] });
  slept_ms = 0;
  // The fake clock has just replaced the function that drops them.
  if (stopped.size > 0) dropStoppedTimers();
  const monotonicNow = performance.now.bind(performance);
  performance.now = () => monotonicNow() + slept_ms;
}

/**
 * Lets time pass. Up to 10 s, every timer runs when it is due. Of a longer time, the device sleeps through all but the
 * last 10 s, like a phone in a pocket: no timer runs.
 */
export async function passDeviceTime(duration_ms: number): Promise<void> {
  const asleep_ms = Math.max(0, duration_ms - AWAKE_MS);
  slept_ms += asleep_ms;
  vi.setSystemTime(Date.now() + asleep_ms);
  await vi.advanceTimersByTimeAsync(duration_ms - asleep_ms);
}

/** Sets the wall clock of the device ahead, or back by a negative time; its monotonic clock goes on. */
export function moveDeviceClock(move_ms: number): void {
  vi.setSystemTime(Date.now() + move_ms);
}

/** Stops the clock, so that no timer of the app fires by itself. */
export function holdDeviceClock(): void {
  vi.setTimerTickMode('manual');
}

export function stopDeviceClock(): void {
  vi.useRealTimers();
}

type Schedule = typeof setTimeout;

const stopped = new Set<number>();
/** The functions that drop timers, each with the function that it replaced. */
const replaced = new WeakMap<Schedule, Schedule>();

/**
 * Timers of exactly this delay never fire in this test: a slow machine must not trigger a timeout of the app. Call it
 * before the app sets them.
 */
export function stopTimersOf(delay_ms: number): void {
  if (stopped.size === 0) {
    onTestFinished(() => {
      stopped.clear();
      const { setTimeout: dropping } = globalThis;
      Object.assign(globalThis, { setTimeout: replaced.get(dropping) ?? dropping });
    });
  }
  stopped.add(delay_ms);
  dropStoppedTimers();
}

function dropStoppedTimers(): void {
  const { setTimeout: before } = globalThis;
  if (replaced.has(before)) return;
  // A proxy, as the fake clock keeps notes on its functions that it needs to remove them.
  const dropping = new Proxy(before, {
    apply: (schedule, self, [work, ms, ...rest]) =>
      Reflect.apply(schedule, self, [ms !== undefined && stopped.has(ms) ? () => {} : work, ms, ...rest]),
  });
  Object.assign(globalThis, { setTimeout: dropping });
  replaced.set(dropping, before);
}
