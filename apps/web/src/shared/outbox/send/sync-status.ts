/** App sync status (spec, section 4). */
export type SyncStatus = 'idle' | 'syncing' | 'success' | 'error';

/** How long a result is shown before `idle` (spec, section 9). */
const SUCCESS_SHOWN_MS = 3_000;
const ERROR_SHOWN_MS = 5_000;
/** A tab that was closed while syncing sends no end; its status expires after this. */
const SYNCING_MAX_AGE_MS = 20_000;

const SHOWN_MS: Record<Exclude<SyncStatus, 'idle'>, number> = {
  syncing: SYNCING_MAX_AGE_MS,
  success: SUCCESS_SHOWN_MS,
  error: ERROR_SHOWN_MS,
};

export interface Timers {
  /** Returns a function that cancels it. */
  schedule: (delay_ms: number, run: () => void) => () => void;
}

/** idle → syncing → success or error → idle; the return to idle is automatic. `onChange` is called on every change. */
export function createSyncStatus({ schedule }: Timers, onChange: () => void) {
  let status: SyncStatus = 'idle';
  let cancel = () => {};

  function set(next: SyncStatus): void {
    cancel();
    cancel = next === 'idle' ? () => {} : schedule(SHOWN_MS[next], () => set('idle'));
    if (next === status) return;
    status = next;
    onChange();
  }
  return { get: () => status, set };
}
