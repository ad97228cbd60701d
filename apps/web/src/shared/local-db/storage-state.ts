/**
 * Data that a full disk has no room for: copies of the server's data, or the app itself, which then needs a network to
 * open.
 */
export type UnsavedData = 'copies' | 'app';

/** Whether this device had no room for some data, so that the user can be told: once per page life. */
let state: 'fine' | UnsavedData | 'told' = 'fine';
const listeners = new Set<() => void>();

function set(next: typeof state): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

export const storageState = {
  /**
   * Data that found no room even after tiles were evicted, until `dismiss`; else null. `app` takes precedence over
   * copies.
   */
  unsavedData: (): UnsavedData | null => (state === 'copies' || state === 'app' ? state : null),
  reportFull(unsaved: UnsavedData = 'copies'): void {
    if (state === 'fine' || (state === 'copies' && unsaved === 'app')) set(unsaved);
  },
  /** The user has seen it. */
  dismiss: () => set('told'),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
