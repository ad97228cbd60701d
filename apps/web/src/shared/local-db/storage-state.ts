import { createStore } from '#web/shared/lib/store.ts';

/**
 * Data that a full disk has no room for: copies of the server's data, or the app itself, which then needs a network to
 * open.
 */
export type UnsavedData = 'copies' | 'app';

/** Whether this device had no room for some data, so that the user can be told: once per page life. */
const { getState, setState, subscribe } = createStore<'fine' | UnsavedData | 'told'>('fine');

export const storageState = {
  /**
   * Data that found no room even after tiles were evicted, until `dismiss`; else null. `app` takes precedence over
   * copies.
   */
  unsavedData(): UnsavedData | null {
    const state = getState();
    return state === 'copies' || state === 'app' ? state : null;
  },
  reportFull(unsaved: UnsavedData = 'copies'): void {
    const state = getState();
    if (state === 'fine' || (state === 'copies' && unsaved === 'app')) setState(unsaved);
  },
  /** The user has seen it. */
  dismiss: () => setState('told'),
  subscribe,
};
