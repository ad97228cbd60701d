import type { BrowserContext } from '@playwright/test';

const MARK = 'Sendlap-clock';

/**
 * Switches of a browser whose clock is this far ahead of the machine's. Pages and the service worker read it from the
 * user agent, which they know before their first line runs.
 */
export function clockSwitches(ahead_ms: number): string[] {
  return ahead_ms === 0 ? [] : [`--user-agent=${MARK}/${ahead_ms} Chrome/140.0.0.0`];
}

/** Sets the clock of all pages of a browser; `shiftClock.toString()` does the same at the end of a worker's script. */
export async function shiftClockOfPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(shiftClock);
}

/** Code for the end of the service worker's script. */
export const SHIFT_CLOCK_OF_WORKER = `\n;(${shiftClock.toString()})();\n`;

/** Runs in the page and in the worker. */
function shiftClock(): void {
  const shift_ms = Number(/Sendlap-clock\/(-?\d+)/.exec(navigator.userAgent)?.[1] ?? 0);
  if (shift_ms === 0) return;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts, self) =>
      Reflect.construct(target, parts.length === 0 ? [RealDate.now() + shift_ms] : parts, self),
    apply: () => new RealDate(RealDate.now() + shift_ms).toString(),
    get: (target, name) => (name === 'now' ? () => RealDate.now() + shift_ms : Reflect.get(target, name)),
  });
}
