/**
 * Data that a full disk has no room for: copies of the server's data, or the app itself, which then needs a network to
 * open.
 */
export type Unkept = 'copies' | 'app';

/** Whether this device had no room for some data, so that the user can be told: once per page life. */
let state: 'fine' | Unkept | 'told' = 'fine';
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
  unkept: (): Unkept | null => (state === 'copies' || state === 'app' ? state : null),
  noteFull(unkept: Unkept = 'copies'): void {
    if (state === 'fine' || (state === 'copies' && unkept === 'app')) set(unkept);
  },
  /** The user has seen it. */
  dismiss: () => set('told'),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
