import { createStore } from '#web/shared/lib/store.ts';

export interface Reachability {
  /** False from an unanswered call until the next answered one. */
  isReached(): boolean;
  set(reached: boolean): void;
  subscribe(listener: () => void): () => void;
}

/** Whether the server answers; a device may be online when it does not. */
export function createReachability(): Reachability {
  const { getState: isReached, setState, subscribe } = createStore(true);
  return {
    isReached,
    set(reached) {
      if (reached !== isReached()) setState(reached);
    },
    subscribe,
  };
}
