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

/** Timers of exactly this delay never fire in this test: a slow machine must not trigger a timeout of the app. */
export function stopTimersOf(delay_ms: number): void {
  const { setTimeout: schedule } = globalThis;
  const spy = vi.spyOn(globalThis, 'setTimeout');
  spy.mockImplementation(((work: () => void, ms?: number) =>
    schedule(ms === delay_ms ? () => {} : work, ms)) as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
}
