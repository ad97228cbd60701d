import { setTimeout as startTimer } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * For a test double that simulates slowness: a slow disk, a held lock, an outage. A test that waits uses vi.waitFor.
 */
export function afterDelay(delay_ms: number, options?: { ref: boolean }): Promise<void> {
  return startTimer(delay_ms, undefined, options);
}

/** Polls a condition that outlives one test, such as another process. Returns whether it became true in time. */
export async function pollUntil(
  isTrue: () => boolean | Promise<boolean>,
  { patience_ms, interval_ms = POLL_MS }: { patience_ms: number; interval_ms?: number },
): Promise<boolean> {
  const given_up_at = performance.now() + patience_ms;
  while (!(await isTrue())) {
    if (performance.now() >= given_up_at) return false;
    await startTimer(interval_ms);
  }
  return true;
}
