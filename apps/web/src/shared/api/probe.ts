import type { Reachability } from './reachability.ts';
import { singleFlight } from './single-flight.ts';

/** A portal is passed within a minute or so; a server that is down stays so for longer. */
const OFTEN_MS = 1_500;
const OFTEN_FOR_MS = 300_000;
const SELDOM_MS = 10_000;
/** Whoever is lost again sooner than this after they were found is asked for less often each time. */
const SETTLED_MS = 60_000;
const MAX_DOUBLINGS = 5;

interface ProbeDeps {
  reachability: Reachability;
  /** True when our server answered, and nobody in its place. */
  ask: () => Promise<boolean>;
  isVisible: () => boolean;
  /** Resolves after the delay, or earlier when there is reason for hope. */
  wait: (delay_ms: number) => Promise<void>;
  /** ms of a clock that never jumps. */
  monotonicNow: () => number;
  /** The way to the server is open again. */
  onReached: () => void;
}

/**
 * Asks for the server while it is not reached and somebody looks: a network that lets nobody through before they have
 * signed in to it tells nobody when they have. The work to begin whenever the server was not reached.
 */
export function createProbe(deps: ProbeDeps): () => Promise<void> {
  const { reachability, ask, isVisible, wait, monotonicNow, onReached } = deps;
  let found_at = Number.NEGATIVE_INFINITY;
  let losses = 0;

  async function probe(): Promise<void> {
    const began_at = monotonicNow();
    // Some of its calls fail while it answers others.
    losses = began_at - found_at < SETTLED_MS ? Math.min(losses + 1, MAX_DOUBLINGS) : 0;
    const often_ms = OFTEN_MS * 2 ** losses;
    while (!reachability.isReached()) {
      await wait(monotonicNow() - began_at < OFTEN_FOR_MS ? often_ms : Math.max(often_ms, SELDOM_MS));
      if (reachability.isReached() || !isVisible() || !(await ask())) continue;
      found_at = monotonicNow();
      reachability.set(true);
      onReached();
    }
  }
  return singleFlight(probe);
}
