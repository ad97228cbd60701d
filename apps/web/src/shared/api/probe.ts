import type { Reachability } from './reachability.ts';

/** A portal is passed within a minute or so; a server that is down stays so for longer. */
const OFTEN_MS = 1_500;
const OFTEN_FOR_MS = 300_000;
const SELDOM_MS = 10_000;

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
 * signed in to it tells nobody when they have.
 */
export async function probe(deps: ProbeDeps): Promise<void> {
  const { reachability, ask, isVisible, wait, monotonicNow, onReached } = deps;
  const began_at = monotonicNow();
  while (!reachability.isReached()) {
    await wait(monotonicNow() - began_at < OFTEN_FOR_MS ? OFTEN_MS : SELDOM_MS);
    if (reachability.isReached() || !isVisible() || !(await ask())) continue;
    reachability.set(true);
    onReached();
  }
}
