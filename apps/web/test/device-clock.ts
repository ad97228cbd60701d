import { onTestFinished, vi } from 'vitest';

/** What tells the time and runs timers; not what the fake database works with. */
const CLOCKS = ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
/** After a long leap the device is awake for this long, so that what is due by then has run. */
const AWAKE_MS = 10_000;

let slept_ms = 0;

/** Sets the clock of the device. It goes on by itself, as fast as the real one. */
export function startDeviceClock(now: string): void {
  vi.useFakeTimers({ now: new Date(now), shouldAdvanceTime: true, toFake: [...CLOCKS] });
  slept_ms = 0;
  const monotonicNow = performance.now.bind(performance);
  performance.now = () => monotonicNow() + slept_ms;
}

/**
 * Lets time pass. Up to 10 s every timer runs when it is due; of a longer time all but the last 10 s is slept through,
 * as a phone in a pocket does: no timer runs.
 */
export async function passDeviceTime(duration_ms: number): Promise<void> {
  const asleep_ms = Math.max(0, duration_ms - AWAKE_MS);
  slept_ms += asleep_ms;
  vi.setSystemTime(Date.now() + asleep_ms);
  await vi.advanceTimersByTimeAsync(duration_ms - asleep_ms);
}

/** Stops the clock: what the app would do by itself in a moment does not happen. */
export function holdDeviceClock(): void {
  vi.setTimerTickMode('manual');
}

export function stopDeviceClock(): void {
  vi.useRealTimers();
}

/** Timers of exactly this delay never run in this test: a slow machine must not end a patience of the app. */
export function stopTimersOf(delay_ms: number): void {
  const { setTimeout: schedule } = globalThis;
  const spy = vi.spyOn(globalThis, 'setTimeout');
  spy.mockImplementation(((work: () => void, ms?: number) =>
    schedule(ms === delay_ms ? () => {} : work, ms)) as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
}
