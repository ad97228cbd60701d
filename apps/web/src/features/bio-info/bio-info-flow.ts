import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { type BioInfoValues, rebaseBioInfo } from '@sendlap/domain/bio-info/bio-info-form.ts';
import {
  type BioInfoEvent,
  type BioInfoState,
  bioInfoReducer,
  INITIAL_BIO_INFO,
} from '@sendlap/domain/bio-info/bio-info-machine.ts';
import type { Call } from '#web/shared/api/call.ts';
import { createStore } from '#web/shared/lib/store.ts';
import type { Cached } from '#web/shared/local-db/schema.ts';
import { BioInfoConflictError, BioInfoError, BioInfoNotFoundError, createBioInfoCalls } from './bio-info-calls.ts';

export type BioInfoFlowState = BioInfoState<BioInfo, BioInfoValues>;

/** How long a server response counts as fresh (spec, section 9: request cache). */
const STALE_MS = 300_000;

interface BioInfoFlowDeps {
  call: Call;
  /** The id of the signed-in user; null: signed out. */
  userId: () => string | null;
  /**
   * Whether the server has just said that this user has no body data, so that a request is unnecessary. Never throws.
   */
  isConfirmedEmpty: (user_id: string) => Promise<boolean>;
  /** This device's copies. */
  copies: {
    load(user_id: string): Promise<Cached<BioInfo> | null>;
    save(bio_info: BioInfo): Promise<void>;
    remove(user_id: string): Promise<void>;
    isPostponed(user_id: string): Promise<boolean>;
    postpone(user_id: string): Promise<unknown>;
  };
  /** Called with the server's current body data of this user; null: the server has none. */
  onServerValue: (user_id: string, bio_info: BioInfo | null) => void;
  now: () => number;
  /** A new UUID. */
  newKey: () => string;
}

/** Body data of the signed-in user, outside React: the domain's state machine with its calls and copies. */
export function createBioInfoFlow(deps: BioInfoFlowDeps) {
  const { copies, now, userId } = deps;
  const calls = createBioInfoCalls(deps.call, deps.newKey);
  const store = createFlowStore();
  const { dispatch, getState, subscribe } = store;
  let answered_at = Number.NEGATIVE_INFINITY;
  let sign_out_count = 0;

  const watchSignOut = () => {
    const before = sign_out_count;
    return () => sign_out_count !== before;
  };
  const applyServerValue = async (user_id: string, bio_info: BioInfo | null) => {
    deps.onServerValue(user_id, bio_info);
    await (bio_info ? copies.save(bio_info) : copies.remove(user_id));
  };

  const runWrite = createWriter({ calls, store, userId, watchSignOut, applyServerValue });

  async function fetchFromServer(user_id: string): Promise<void> {
    const hasSignedOut = watchSignOut();
    dispatch({ type: 'check_started' });
    const [copy, postponed] = await Promise.all([copies.load(user_id), copies.isPostponed(user_id)]);
    if (hasSignedOut()) return;
    if (postponed) dispatch({ type: 'postponed' });
    if (copy) dispatch({ type: 'copy_found', bio_info: copy.value, cached_at: copy.cached_at });
    // A write that finished first is newer than this response.
    const isSuperseded = () => hasSignedOut() || getState().check !== 'loading';
    try {
      if (await deps.isConfirmedEmpty(user_id)) throw new BioInfoNotFoundError();
      const bio_info = await calls.read(user_id);
      if (isSuperseded()) return;
      answered_at = now();
      dispatch({ type: 'found', bio_info });
      await applyServerValue(user_id, bio_info);
    } catch (error) {
      if (isSuperseded()) return;
      if (!(error instanceof BioInfoNotFoundError)) return dispatch({ type: 'check_failed', error });
      answered_at = now();
      dispatch({ type: 'not_found' });
      await applyServerValue(user_id, null);
    }
  }

  return {
    getState,
    subscribe,
    /** Asks the server unless the last response is still fresh. Never throws. */
    async check() {
      const user_id = userId();
      const { check } = getState();
      if (user_id === null || check === 'loading') return;
      if (check !== 'error' && now() - answered_at < STALE_MS) return;
      await fetchFromServer(user_id);
    },
    /** The outcome is in the state's `write`. Throws BioInfoError 'signedOut' if no user is signed in. */
    save: (values: BioInfoValues) => runWrite((user_id) => calls.write(user_id, getState().bio_info, values), values),
    /** Deletes the body data; otherwise as `save`. */
    async remove() {
      const user_id = userId();
      await runWrite((deleting_user_id) => calls.remove(deleting_user_id).then(() => null), null);
      // A user who deletes the data does not want to be asked for it at the next start.
      if (user_id !== null && user_id === userId() && getState().write === 'saved') await copies.postpone(user_id);
    },
    /** "No, thanks", until the next sign-in. */
    postpone() {
      const user_id = userId();
      dispatch({ type: 'postponed' });
      if (user_id !== null) void copies.postpone(user_id);
    },
    /** Acknowledges the outcome of the last write; of two conflicting versions the saved one stays. */
    acknowledgeWrite: () => dispatch({ type: 'write_acknowledged' }),
    /** Resets the state and ignores responses that are still in flight. */
    signOut() {
      sign_out_count += 1;
      answered_at = Number.NEGATIVE_INFINITY;
      dispatch({ type: 'signed_out' });
    },
  };
}

/** The machine's state. */
function createFlowStore() {
  const { getState, setState, subscribe } = createStore<BioInfoFlowState>(INITIAL_BIO_INFO);
  return {
    getState,
    dispatch(event: BioInfoEvent<BioInfo, BioInfoValues>) {
      const next = bioInfoReducer(getState(), event);
      if (next !== getState()) setState(next);
    },
    subscribe,
  };
}

interface WriteDeps extends Pick<BioInfoFlowDeps, 'userId'> {
  calls: ReturnType<typeof createBioInfoCalls>;
  store: ReturnType<typeof createFlowStore>;
  /** Returns a function that says whether the current user has signed out since. */
  watchSignOut: () => () => boolean;
  /** Stores the server's new state; null: no body data. */
  applyServerValue: (user_id: string, bio_info: BioInfo | null) => Promise<void>;
}

/**
 * Saves and deletes. The outcome is in the state's `write`; on a conflict the state holds the server's version and the
 * user's. Throws BioInfoError 'signedOut' if no user is signed in, and nothing else.
 */
function createWriter({ calls, store: { dispatch, getState }, userId, watchSignOut, applyServerValue }: WriteDeps) {
  async function write(
    run: (user_id: string) => Promise<BioInfo | null>,
    attempted: BioInfoValues | null,
  ): Promise<void> {
    const user_id = userId();
    if (user_id === null) throw new BioInfoError('signedOut');
    if (getState().write === 'saving') return;
    const hasSignedOut = watchSignOut();
    const base = getState().bio_info;
    dispatch({ type: 'write_started' });
    try {
      const bio_info = await run(user_id);
      if (hasSignedOut()) return;
      dispatch({ type: 'written', bio_info });
      await applyServerValue(user_id, bio_info);
    } catch (error) {
      if (hasSignedOut()) return;
      if (error instanceof BioInfoConflictError && attempted)
        await loadConflict(user_id, base, attempted, hasSignedOut);
      else dispatch({ type: 'write_failed', error });
    }
  }

  async function loadConflict(
    user_id: string,
    base: BioInfo | null,
    attempted: BioInfoValues,
    hasSignedOut: () => boolean,
  ) {
    try {
      const newer = await readOrNull(calls.read(user_id));
      if (hasSignedOut()) return;
      dispatch({ type: 'conflict_found', bio_info: newer, attempted: rebaseBioInfo(base, attempted, newer) });
      await applyServerValue(user_id, newer);
    } catch (error) {
      dispatch({ type: 'write_failed', error });
    }
  }

  return write;
}

async function readOrNull(request: Promise<BioInfo>): Promise<BioInfo | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof BioInfoNotFoundError) return null;
    throw error;
  }
}
