/** Whether this device had no room for a copy, so that somebody can be told: once in a page life. */
let state: 'fine' | 'full' | 'told' = 'fine';
const listeners = new Set<() => void>();

function set(next: typeof state): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

export const storageState = {
  /** From a write that found no room even after tiles were given up, until `dismiss`. */
  isFull: () => state === 'full',
  noteFull(): void {
    if (state === 'fine') set('full');
  },
  /** The user knows. */
  dismiss: () => set('told'),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
