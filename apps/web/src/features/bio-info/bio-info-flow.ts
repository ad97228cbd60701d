import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { type BioInfoValues, rebaseBioInfo } from '@sendlap/domain/bio-info/bio-info-form.ts';
import {
  type BioInfoEvent,
  type BioInfoState,
  bioInfoReducer,
  INITIAL_BIO_INFO,
} from '@sendlap/domain/bio-info/bio-info-machine.ts';
import type { Call } from '#web/shared/api/call.ts';
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
  hasNone: (user_id: string) => Promise<boolean>;
  /** This device's copies. */
  copies: {
    load(user_id: string): Promise<Cached<BioInfo> | null>;
    save(bio_info: BioInfo): Promise<void>;
    remove(user_id: string): Promise<void>;
    isPostponed(user_id: string): Promise<boolean>;
    postpone(user_id: string): Promise<unknown>;
  };
  /** Called with the server's current body data of this user; null: the server has none. */
  onKnown: (user_id: string, bio_info: BioInfo | null) => void;
  now: () => number;
  /** A new UUID. */
  newKey: () => string;
}

/** Body data of the signed-in user, outside React: the domain's state machine with its calls and copies. */
export function createBioInfoFlow(deps: BioInfoFlowDeps) {
  const { copies, now, userId } = deps;
  const calls = createBioInfoCalls(deps.call, deps.newKey);
  const store = createStore();
  const { dispatch, getState, subscribe } = store;
  let asked_at = Number.NEGATIVE_INFINITY;
  let departures = 0;

  const watchLeaving = () => {
    const before = departures;
    return () => departures !== before;
  };
  const keep = async (user_id: string, bio_info: BioInfo | null) => {
    deps.onKnown(user_id, bio_info);
    await (bio_info ? copies.save(bio_info) : copies.remove(user_id));
  };

  const write = createWrite({ calls, store, userId, watchLeaving, keep });

  async function ask(user_id: string): Promise<void> {
    const hasLeft = watchLeaving();
    dispatch({ type: 'check_started' });
    const [copy, postponed] = await Promise.all([copies.load(user_id), copies.isPostponed(user_id)]);
    if (hasLeft()) return;
    if (postponed) dispatch({ type: 'postponed' });
    if (copy) dispatch({ type: 'copy_found', bio_info: copy.value, cached_at: copy.cached_at });
    // A write that finished first is newer than this response.
    const isLate = () => hasLeft() || getState().check !== 'loading';
    try {
      if (await deps.hasNone(user_id)) throw new BioInfoNotFoundError();
      const bio_info = await calls.read(user_id);
      if (isLate()) return;
      asked_at = now();
      dispatch({ type: 'found', bio_info });
      await keep(user_id, bio_info);
    } catch (error) {
      if (isLate()) return;
      if (!(error instanceof BioInfoNotFoundError)) return dispatch({ type: 'check_failed', error });
      asked_at = now();
      dispatch({ type: 'not_found' });
      await keep(user_id, null);
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
      if (check !== 'error' && now() - asked_at < STALE_MS) return;
      await ask(user_id);
    },
    /** The outcome is in the state's `write`. Throws BioInfoError 'signedOut' if no user is signed in. */
    save: (values: BioInfoValues) => write((user_id) => calls.write(user_id, getState().bio_info, values), values),
    /** Deletes the body data; otherwise as `save`. */
    async remove() {
      const user_id = userId();
      await write((deleting) => calls.remove(deleting).then(() => null), null);
      // A user who deletes the data does not want to be asked for it at the next start.
      if (user_id !== null && user_id === userId() && getState().write === 'saved') await copies.postpone(user_id);
    },
    /** "Later", until the next sign-in. */
    postpone() {
      const user_id = userId();
      dispatch({ type: 'postponed' });
      if (user_id !== null) void copies.postpone(user_id);
    },
    /** Acknowledges the outcome of the last write; of two conflicting versions the saved one stays. */
    settle: () => dispatch({ type: 'write_settled' }),
    /** Forgets everything and ignores responses that are still in flight. */
    signOut() {
      departures += 1;
      asked_at = Number.NEGATIVE_INFINITY;
      dispatch({ type: 'signed_out' });
    },
  };
}

/** The machine's state, in the shape that useSyncExternalStore needs. */
function createStore() {
  let state: BioInfoFlowState = INITIAL_BIO_INFO;
  const listeners = new Set<() => void>();
  return {
    getState: () => state,
    dispatch(event: BioInfoEvent<BioInfo, BioInfoValues>) {
      const next = bioInfoReducer(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface WriteDeps extends Pick<BioInfoFlowDeps, 'userId'> {
  calls: ReturnType<typeof createBioInfoCalls>;
  store: ReturnType<typeof createStore>;
  /** Returns a function that says whether the current user has signed out since. */
  watchLeaving: () => () => boolean;
  /** Stores the server's new state; null: no body data. */
  keep: (user_id: string, bio_info: BioInfo | null) => Promise<void>;
}

/**
 * Saves and deletes. The outcome is in the state's `write`; on a conflict the state holds the server's version and the
 * user's. Throws BioInfoError 'signedOut' if no user is signed in, and nothing else.
 */
function createWrite({ calls, store: { dispatch, getState }, userId, watchLeaving, keep }: WriteDeps) {
  async function write(run: (user_id: string) => Promise<BioInfo | null>, wanted: BioInfoValues | null): Promise<void> {
    const user_id = userId();
    if (user_id === null) throw new BioInfoError('signedOut');
    if (getState().write === 'saving') return;
    const hasLeft = watchLeaving();
    const base = getState().bio_info;
    dispatch({ type: 'write_started' });
    try {
      const bio_info = await run(user_id);
      if (hasLeft()) return;
      dispatch({ type: 'written', bio_info });
      await keep(user_id, bio_info);
    } catch (error) {
      if (hasLeft()) return;
      if (error instanceof BioInfoConflictError && wanted) await showBoth(user_id, base, wanted, hasLeft);
      else dispatch({ type: 'write_failed', error });
    }
  }

  async function showBoth(user_id: string, base: BioInfo | null, wanted: BioInfoValues, hasLeft: () => boolean) {
    try {
      const newer = await readOrNull(calls.read(user_id));
      if (hasLeft()) return;
      dispatch({ type: 'conflict_found', bio_info: newer, wanted: rebaseBioInfo(base, wanted, newer) });
      await keep(user_id, newer);
    } catch (error) {
      dispatch({ type: 'write_failed', error });
    }
  }

  return write;
}

async function readOrNull(reading: Promise<BioInfo>): Promise<BioInfo | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BioInfoNotFoundError) return null;
    throw error;
  }
}
