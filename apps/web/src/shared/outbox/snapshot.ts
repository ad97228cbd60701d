import { createStore } from '#web/shared/lib/store.ts';
import type { SyncStatus } from './send/sync-status.ts';
import { NO_ROWS, type OutboxRows } from './store/rows.ts';

/** The shown state of the outbox: read from its rows, never counted separately. */
export interface OutboxSnapshot extends OutboxRows {
  /** null while signed out. */
  user_id: string | null;
  /** False until this user's rows have been read. */
  loaded: boolean;
  status: SyncStatus;
  /** Why the outbox itself can't be read or written; null without a problem. */
  storage_error: unknown;
}

/** Holds the rows of the shown user for the screens. Call `refresh` after every change, in any tab. */
export function createSnapshot(listRows: (user_id: string) => Promise<OutboxRows>, shownUserId: () => string | null) {
  const store = createStore<OutboxSnapshot>({
    ...NO_ROWS,
    user_id: null,
    loaded: false,
    status: 'idle',
    storage_error: null,
  });
  const { update } = store;
  let latest_read = 0;

  return {
    get: store.getState,
    update,
    subscribe: store.subscribe,
    async refresh(): Promise<void> {
      const user_id = shownUserId();
      latest_read += 1;
      const this_read = latest_read;
      if (user_id !== store.getState().user_id) update({ ...NO_ROWS, user_id, loaded: false });
      if (user_id === null) return;
      try {
        const rows = await listRows(user_id);
        // A newer read has started; an older one must not overwrite it.
        if (this_read === latest_read) update({ ...rows, loaded: true, storage_error: null });
      } catch (error) {
        update({ storage_error: error });
      }
    },
  };
}
