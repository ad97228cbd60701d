import { ApiError, isServerRefusal } from '#web/shared/api/errors.ts';
import { createStore } from '#web/shared/lib/store.ts';
import type { Timers } from '../send/sync-status.ts';
import type { SealedWork } from '../store/records.ts';
import { NO_ROWS, STORES, type StoredRows } from '../store/rows.ts';
import { unseal } from './seal-box.ts';
import type { OpenedWork, SealingStore } from './sealing-store.ts';

/** Retry interval while sealed work of the signed-in user could not be opened. */
export const RETRY_WHILE_SEALED_MS = 60_000;

export interface SealedWorkDeps extends Timers {
  store: SealingStore;
  /** Id of the signed-in user, null while signed out. */
  userId: () => string | null;
  /** Fetches the user's public key. Throws ApiError. */
  fetchKey: (user_id: string) => Promise<string>;
  /** Fetches the secret that the user's key shares with an ephemeral key. Throws ApiError. */
  fetchSecret: (user_id: string, ephemeral_key: string) => Promise<string>;
}

/** Sealed work as the screens show it. */
export interface SealedWorkState {
  /** Of the signed-in user; opened as soon as the server answers. */
  opening: readonly SealedWork[];
  /** Of the signed-in user, but damaged. */
  unreadable: readonly SealedWork[];
  /** Sealed for other accounts. */
  foreign: readonly SealedWork[];
}

const NONE: SealedWorkState = { opening: [], unreadable: [], foreign: [] };

/** Opens the signed-in user's sealed work, and keeps the user's public key here for the end of the session. */
export function createSealedWork(deps: SealedWorkDeps) {
  const { store, userId, schedule } = deps;
  const unreadable_ids = new Set<number>();
  /** Opened, but not restored yet: all are restored together, and the server limits how many are opened in an hour. */
  const opened_rows = new Map<number, StoredRows>();
  const shown = createShownState();
  let running: Promise<void> | null = null;
  let rerun_requested = false;
  let cancelRetry = () => {};

  async function readState(public_key: string): Promise<SealedWorkState> {
    const sealed = await store.listSealed();
    const own = sealed.filter((work) => work.public_key === public_key);
    return {
      opening: own.filter(({ id }) => !unreadable_ids.has(id)),
      unreadable: own.filter(({ id }) => unreadable_ids.has(id)),
      // Others' copies of acknowledged work are no loss.
      foreign: sealed.filter((work) => work.public_key !== public_key && work.item_count > 0),
    };
  }

  async function openAll(): Promise<void> {
    const user_id = userId();
    if (user_id === null) {
      opened_rows.clear();
      return shown.set(NONE);
    }
    const isSignedIn = () => userId() === user_id;
    const public_key = await loadKey(deps, user_id, isSignedIn);
    const before = await readState(public_key);
    shown.set(before);
    const opened: OpenedWork[] = [];
    for (const work of before.opening) {
      const rows = opened_rows.get(work.id) ?? (await readSealedRows(deps, work, user_id));
      if (rows) {
        opened_rows.set(work.id, rows);
        opened.push({ id: work.id, rows });
      } else unreadable_ids.add(work.id);
    }
    if (opened.length > 0) await store.restore(opened, isSignedIn);
    opened_rows.clear();
    shown.set(isSignedIn() ? await readState(public_key) : NONE);
  }

  async function run(): Promise<void> {
    cancelRetry();
    try {
      do {
        rerun_requested = false;
        await openAll();
      } while (rerun_requested);
    } catch (error) {
      if (!(error instanceof ApiError)) console.warn('sealed work', error);
      // A refusal (a locked account) lasts longer than a minute.
      if (!isServerRefusal(error)) cancelRetry = schedule(RETRY_WHILE_SEALED_MS, () => void refresh());
    } finally {
      running = null;
    }
  }

  /** Opens what can be opened. Never throws: without the server or room on the disk, it is tried again in a minute. */
  function refresh(): Promise<void> {
    rerun_requested = true;
    running ??= run();
    return running;
  }

  return {
    refresh,
    getState: shown.get,
    subscribe: shown.subscribe,
    /** Whether the user's rows can be sealed at the end of the session. */
    canSeal: async (user_id: string): Promise<boolean> => (await store.findKey(user_id)) !== null,
    async discard(works: readonly SealedWork[]): Promise<void> {
      await store.discard(works.map(({ id }) => id));
      await refresh();
    },
  };
}

function createShownState() {
  const { getState: get, setState, subscribe } = createStore(NONE);
  return {
    get,
    set(next: SealedWorkState): void {
      if (JSON.stringify(idsOf(next)) !== JSON.stringify(idsOf(get()))) setState(next);
    },
    subscribe,
  };
}

function idsOf({ opening, unreadable, foreign }: SealedWorkState): number[][] {
  return [opening, unreadable, foreign].map((works) => works.map(({ id }) => id));
}

/** Returns the public key of this device, or fetches and saves it. Throws ApiError. */
async function loadKey(
  { store, fetchKey }: SealedWorkDeps,
  user_id: string,
  isSignedIn: () => boolean,
): Promise<string> {
  const known = await store.findKey(user_id);
  if (known !== null) return known;
  const public_key = await fetchKey(user_id);
  await store.saveKey({ user_id, public_key }, isSignedIn);
  return public_key;
}

/** Returns null if the work is damaged. Throws ApiError if the server did not answer. */
async function readSealedRows(
  { fetchSecret }: SealedWorkDeps,
  work: SealedWork,
  user_id: string,
): Promise<StoredRows | null> {
  try {
    const text = await unseal(work, work.public_key, await fetchSecret(user_id, work.ephemeral_key));
    return text === null ? null : parseRows(text, user_id);
  } catch (error) {
    if (isServerRefusal(error) && (error as ApiError).backend_error === 'validation_failed') return null;
    throw error;
  }
}

/** Returns null unless all rows are the user's own. */
function parseRows(text: string, user_id: string): StoredRows | null {
  try {
    // An older version of the app had fewer kinds of rows.
    const rows: StoredRows = { ...NO_ROWS, sent: [], ...JSON.parse(text) };
    return STORES.every((name) => rows[name].every((row) => row.user_id === user_id)) ? rows : null;
  } catch {
    return null;
  }
}
