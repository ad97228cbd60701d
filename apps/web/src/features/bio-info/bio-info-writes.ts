import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { type BioInfoValues, rebaseBioInfo } from '@sendlap/domain/bio-info-form.ts';
import { type BioInfoCalls, BioInfoConflictError } from './bio-info-calls.ts';
import { BioInfoError, BioInfoNotFoundError } from './bio-info-errors.ts';
import type { BioInfoStore } from './bio-info-store.ts';

export interface BioInfoWritesDeps {
  calls: BioInfoCalls;
  store: BioInfoStore;
  userId: () => string | null;
  /** Whether the user of now has left by the time that the answer is here. */
  watchLeaving: () => () => boolean;
  /** Takes over what the server has from now on, null: nothing. */
  keep: (user_id: string, bio_info: BioInfo | null) => Promise<void>;
}

/**
 * Saving and deleting. How it went is the state's `write`; when somebody else was quicker, what they saved stands
 * beside what was wanted. Both throw BioInfoError 'signedOut' when nobody is signed in, and nothing else.
 */
export function createBioInfoWrites({ calls, store, userId, watchLeaving, keep }: BioInfoWritesDeps) {
  const { dispatch, getState } = store;

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

  return {
    save: (values: BioInfoValues) => write((user_id) => calls.write(user_id, getState().bio_info, values), values),
    remove: () => write((user_id) => calls.remove(user_id).then(() => null), null),
  };
}

async function readOrNull(reading: Promise<BioInfo>): Promise<BioInfo | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BioInfoNotFoundError) return null;
    throw error;
  }
}
