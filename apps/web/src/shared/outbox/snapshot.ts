import type { SyncStatus } from './send/sync-status.ts';
import type { OutboxRows } from './store/rows.ts';

/** The shown state of the outbox: read from its rows, never counted separately. */
export interface OutboxSnapshot extends OutboxRows {
  /** null while signed out. */
  user_id: string | null;
  /** False until this user's rows have been read. */
  loaded: boolean;
  status: SyncStatus;
  /** Why the outbox itself can't be read or written; null without a problem. */
  broken: unknown;
}

const NO_ROWS: OutboxRows = { ops: [], dead: [], waiting: [], activities: [], messages: [] };

/** Holds the rows of the shown user for the screens. Call `refresh` after every change, in any tab. */
export function createSnapshot(listRows: (user_id: string) => Promise<OutboxRows>, shownUser: () => string | null) {
  const listeners = new Set<() => void>();
  let snapshot: OutboxSnapshot = { ...NO_ROWS, user_id: null, loaded: false, status: 'idle', broken: null };
  let reading = 0;

  function show(change: Partial<OutboxSnapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }

  return {
    get: () => snapshot,
    show,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async refresh(): Promise<void> {
      const user_id = shownUser();
      reading += 1;
      const turn = reading;
      if (user_id !== snapshot.user_id) show({ ...NO_ROWS, user_id, loaded: false });
      if (user_id === null) return;
      try {
        const rows = await listRows(user_id);
        // A newer reading has started; an older one must not overwrite it.
        if (turn === reading) show({ ...rows, loaded: true, broken: null });
      } catch (error) {
        show({ broken: error });
      }
    },
  };
}
