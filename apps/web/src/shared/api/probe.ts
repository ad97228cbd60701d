import { type BackOff, backOffMs } from '#web/shared/lib/back-off.ts';
import type { Reachability } from './reachability.ts';
import { singleFlight } from './single-flight.ts';

/** Users pass a captive portal within a minute or so; a server that is down stays down for longer. */
const FAST_INTERVAL: BackOff = { first_ms: 1_500, max_ms: 48_000 };
const FAST_PHASE_MS = 300_000;
const SLOW_INTERVAL_MS = 10_000;
/** If the server is lost again sooner than this after its return, the probe interval doubles each time. */
const STABLE_AFTER_MS = 60_000;

interface ProbeDeps {
  reachability: Reachability;
  /** Returns true if our server answered, and not a captive portal. */
  checkServer: () => Promise<boolean>;
  isVisible: () => boolean;
  /** Resolves after the delay, or earlier if a retry may succeed. */
  wait: (delay_ms: number) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  monotonicNow: () => number;
  /** Called when a probe has reached the server again. */
  onReached: () => void;
}

/**
 * Probes the unreachable server while the page is visible: a captive portal does not tell a device when it starts to
 * let it through. Returns the function to call whenever the server was not reached.
 */
export function createProbe(deps: ProbeDeps): () => Promise<void> {
  const { reachability, checkServer, isVisible, wait, monotonicNow, onReached } = deps;
  let last_reached_at = Number.NEGATIVE_INFINITY;
  let losses = 0;

  async function probe(): Promise<void> {
    const began_at = monotonicNow();
    // Some calls fail while the server answers others.
    losses = began_at - last_reached_at < STABLE_AFTER_MS ? losses + 1 : 0;
    const fast_interval_ms = backOffMs(FAST_INTERVAL, losses + 1);
    while (!reachability.isReached()) {
      await wait(
        monotonicNow() - began_at < FAST_PHASE_MS ? fast_interval_ms : Math.max(fast_interval_ms, SLOW_INTERVAL_MS),
      );
      if (reachability.isReached() || !isVisible() || !(await checkServer())) continue;
      last_reached_at = monotonicNow();
      reachability.set(true);
      onReached();
    }
  }
  return singleFlight(probe);
}
