export interface Listeners<Values extends unknown[] = []> {
  /** Calls the listener at every `notify`. Returns the function that unsubscribes it. */
  subscribe(listener: (...values: Values) => void): () => void;
  notify(...values: Values): void;
  isEmpty(): boolean;
}

export function createListeners<Values extends unknown[] = []>(): Listeners<Values> {
  const listeners = new Set<(...values: Values) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(...values) {
      for (const listener of listeners) listener(...values);
    },
    isEmpty: () => listeners.size === 0,
  };
}

/** A state outside React, in the shape that useSyncExternalStore needs. */
export interface Store<State> {
  getState(): State;
  /** Notifies the listeners, also of an equal state. */
  setState(next: State): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const { subscribe, notify } = createListeners();
  return {
    getState: () => state,
    setState(next) {
      state = next;
      notify();
    },
    subscribe,
  };
}
