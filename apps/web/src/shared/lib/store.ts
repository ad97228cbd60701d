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
  /** Changes some of the fields, and notifies the listeners. */
  update(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const { subscribe, notify } = createListeners();
  const setState = (next: State) => {
    state = next;
    notify();
  };
  return {
    getState: () => state,
    setState,
    update: (change) => setState({ ...state, ...change }),
    subscribe,
  };
}
