export interface Reachability {
  /** False from an unanswered call until the next answered one. */
  isReached(): boolean;
  set(reached: boolean): void;
  subscribe(listener: () => void): () => void;
}

/** Whether the server answers; a device may be online when it does not. */
export function createReachability(): Reachability {
  let reached = true;
  const listeners = new Set<() => void>();
  return {
    isReached: () => reached,
    set(now_reached) {
      if (now_reached === reached) return;
      reached = now_reached;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
