/** What a full disk has no room for: copies of what the server has, or the app itself, which then needs a network to open. */
export type Unkept = 'copies' | 'app';

/** Whether this device had no room for something, so that somebody can be told: once in a page life. */
let state: 'fine' | Unkept | 'told' = 'fine';
const listeners = new Set<() => void>();

function set(next: typeof state): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

export const storageState = {
  /** What found no room, even after tiles were given up, until `dismiss`; null: nothing. The app comes before copies. */
  unkept: (): Unkept | null => (state === 'copies' || state === 'app' ? state : null),
  noteFull(unkept: Unkept = 'copies'): void {
    if (state === 'fine' || (state === 'copies' && unkept === 'app')) set(unkept);
  },
  /** The user knows. */
  dismiss: () => set('told'),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
