import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import type { BioInfoValues } from '@sendlap/domain/bio-info-form.ts';
import type { Call } from '#web/shared/api/call.ts';
import type { Cached } from '#web/shared/local-db/schema.ts';
import { createBioInfoCalls } from './bio-info-calls.ts';
import { BioInfoNotFoundError } from './bio-info-errors.ts';
import { type BioInfoStore, createBioInfoStore } from './bio-info-store.ts';
import { createBioInfoWrites } from './bio-info-writes.ts';

/** An answer of the server counts as fresh for so long (spec, section 9: request cache). */
const STALE_MS = 300_000;

export interface BioInfoFlowDeps {
  call: Call;
  /** Who is signed in, null: nobody. */
  userId: () => string | null;
  /** The server has just said that this user has no body data, so that it need not be asked. Never throws. */
  hasNone: (user_id: string) => Promise<boolean>;
  /** This device's memory. */
  copies: {
    load(user_id: string): Promise<Cached<BioInfo> | null>;
    save(bio_info: BioInfo): Promise<void>;
    remove(user_id: string): Promise<void>;
    isPostponed(user_id: string): Promise<boolean>;
    postpone(user_id: string): Promise<unknown>;
  };
  /** Told what the server now knows about this user, null: nothing. */
  onKnown: (user_id: string, bio_info: BioInfo | null) => void;
  now: () => number;
  /** A new UUID. */
  newKey: () => string;
}

export interface BioInfoFlow extends Pick<BioInfoStore, 'getState' | 'subscribe'> {
  /** Asks the server, unless it was asked a moment ago. Never throws. */
  check(): Promise<void>;
  /** Saves; how it went is the state's `write`. Throws BioInfoError 'signedOut' when nobody is signed in. */
  save(values: BioInfoValues): Promise<void>;
  /** Deletes; how it went is the state's `write`. Throws BioInfoError 'signedOut' when nobody is signed in. */
  remove(): Promise<void>;
  /** "Later", until the next sign-in. */
  postpone(): void;
  /** The outcome of the last write was taken note of; of two versions the saved one stays. */
  settle(): void;
  /** Forgets everything; answers still on their way are nobody's. */
  signOut(): void;
}

/** Body data of the signed-in user, outside React: the machine of the domain with calls and copies around it. */
export function createBioInfoFlow(deps: BioInfoFlowDeps): BioInfoFlow {
  const { copies, now, userId } = deps;
  const calls = createBioInfoCalls(deps.call, deps.newKey);
  const store = createBioInfoStore();
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
  const writes = createBioInfoWrites({ calls, store, userId, watchLeaving, keep });

  async function ask(user_id: string): Promise<void> {
    const hasLeft = watchLeaving();
    dispatch({ type: 'check_started' });
    const [copy, postponed] = await Promise.all([copies.load(user_id), copies.isPostponed(user_id)]);
    if (hasLeft()) return;
    if (postponed) dispatch({ type: 'postponed' });
    if (copy) dispatch({ type: 'copy_found', bio_info: copy.value, cached_at: copy.cached_at });
    // A write that was quicker knows better than this answer.
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
    async check() {
      const user_id = userId();
      const { check } = getState();
      if (user_id === null || check === 'loading') return;
      if (check !== 'error' && now() - asked_at < STALE_MS) return;
      await ask(user_id);
    },
    save: writes.save,
    async remove() {
      const user_id = userId();
      await writes.remove();
      // Who deletes does not want to be asked for it at the next start.
      if (user_id !== null && user_id === userId() && getState().write === 'saved') await copies.postpone(user_id);
    },
    postpone() {
      const user_id = userId();
      dispatch({ type: 'postponed' });
      if (user_id !== null) void copies.postpone(user_id);
    },
    settle: () => dispatch({ type: 'write_settled' }),
    signOut() {
      departures += 1;
      asked_at = Number.NEGATIVE_INFINITY;
      dispatch({ type: 'signed_out' });
    },
  };
}
