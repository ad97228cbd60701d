/** App sync status (spec, section 4). */
export type SyncStatus = 'idle' | 'syncing' | 'success' | 'error';

/** Back to idle after this long (spec, section 9). */
const SUCCESS_SHOWN_MS = 3_000;
const ERROR_SHOWN_MS = 5_000;
/** A tab that was closed while syncing says nothing any more; its word is forgotten then. */
const SYNCING_BELIEVED_MS = 20_000;

const SHOWN_MS: Record<Exclude<SyncStatus, 'idle'>, number> = {
  syncing: SYNCING_BELIEVED_MS,
  success: SUCCESS_SHOWN_MS,
  error: ERROR_SHOWN_MS,
};

export interface Timers {
  /** Returns how to cancel. */
  after: (delay_ms: number, run: () => void) => () => void;
}

/** idle → syncing → success or error → idle, the way back by itself. `onChange` hears every change. */
export function createSyncStatus({ after }: Timers, onChange: () => void) {
  let status: SyncStatus = 'idle';
  let cancel = () => {};

  function set(next: SyncStatus): void {
    cancel();
    cancel = next === 'idle' ? () => {} : after(SHOWN_MS[next], () => set('idle'));
    if (next === status) return;
    status = next;
    onChange();
  }
  return { get: () => status, set };
}
