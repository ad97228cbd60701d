/** State of the question "is there bio info?" (spec, section 4). */
export type BioInfoCheck = 'not_checked' | 'loading' | 'loaded' | 'first_time' | 'error';
/** State of the last write. `conflict`: another tab or device wrote first. */
export type BioInfoWrite = 'idle' | 'saving' | 'saved' | 'failed' | 'conflict';

/** The contract defines the shape of the body data; `Attempted` is the data that the user tried to save. */
export interface BioInfoState<BioInfo, Attempted> {
  check: BioInfoCheck;
  /** The last known data: the server's answer, or this device's copy (`cached_at`). */
  bio_info: BioInfo | null;
  /** When the copy was fetched, ms epoch; null: the server's current answer. */
  cached_at: number | null;
  /** Why the last request failed; null if it succeeded. */
  check_error: unknown;
  write: BioInfoWrite;
  write_error: unknown;
  /** The data that the user tried to save despite a newer version, which is now `bio_info` (null: deleted). */
  attempted: Attempted | null;
  /** Declined: not asked again until the next sign-in. */
  postponed: boolean;
}

export type BioInfoEvent<BioInfo, Attempted> =
  | { type: 'check_started' }
  /** This device's copy, found before the server's answer. */
  | { type: 'copy_found'; bio_info: BioInfo; cached_at: number }
  | { type: 'found'; bio_info: BioInfo }
  | { type: 'not_found' }
  | { type: 'check_failed'; error: unknown }
  | { type: 'write_started' }
  /** null: deleted. */
  | { type: 'written'; bio_info: BioInfo | null }
  | { type: 'write_failed'; error: unknown }
  | { type: 'conflict_found'; bio_info: BioInfo | null; attempted: Attempted }
  /** The user has seen the result of the last write. */
  | { type: 'write_acknowledged' }
  | { type: 'postponed' }
  | { type: 'signed_out' };

export const INITIAL_BIO_INFO: BioInfoState<never, never> = {
  check: 'not_checked',
  bio_info: null,
  cached_at: null,
  check_error: null,
  write: 'idle',
  write_error: null,
  attempted: null,
  postponed: false,
};

/** Returns whether a first-time user is asked for the data, where it matters. */
export function shouldAskForBioInfo({ check, postponed }: BioInfoState<unknown, unknown>): boolean {
  return check === 'first_time' && !postponed;
}

/**
 * Returns the bio info state after an event (spec, section 4). A stale answer (the user has signed out since) is
 * ignored.
 */
export function bioInfoReducer<BioInfo, Attempted>(
  state: BioInfoState<BioInfo, Attempted>,
  event: BioInfoEvent<BioInfo, Attempted>,
): BioInfoState<BioInfo, Attempted> {
  switch (event.type) {
    case 'check_started':
      return { ...state, check: 'loading' };
    case 'copy_found':
    case 'found':
    case 'not_found':
    case 'check_failed':
      return state.check === 'loading' ? afterCheck(state, event) : state;
    case 'write_started':
      return { ...state, write: 'saving', write_error: null };
    case 'written':
    case 'write_failed':
    case 'conflict_found':
      return state.write === 'saving' ? afterWrite(state, event) : state;
    case 'write_acknowledged':
      return state.write === 'saving' ? state : { ...state, write: 'idle', write_error: null, attempted: null };
    case 'postponed':
      return { ...state, postponed: true };
    case 'signed_out':
      return INITIAL_BIO_INFO;
  }
}

type CheckResult = 'copy_found' | 'found' | 'not_found' | 'check_failed';

function afterCheck<BioInfo, Attempted>(
  state: BioInfoState<BioInfo, Attempted>,
  event: Extract<BioInfoEvent<BioInfo, Attempted>, { type: CheckResult }>,
): BioInfoState<BioInfo, Attempted> {
  switch (event.type) {
    case 'copy_found':
      return state.bio_info ? state : { ...state, bio_info: event.bio_info, cached_at: event.cached_at };
    case 'found':
      return { ...state, check: 'loaded', bio_info: event.bio_info, cached_at: null, check_error: null };
    case 'not_found':
      return { ...state, check: 'first_time', bio_info: null, cached_at: null, check_error: null };
    case 'check_failed':
      // Known data stays visible; without any it is an error.
      return { ...state, check: state.bio_info ? 'loaded' : 'error', check_error: event.error };
  }
}

type WriteResult = 'written' | 'write_failed' | 'conflict_found';

function afterWrite<BioInfo, Attempted>(
  state: BioInfoState<BioInfo, Attempted>,
  event: Extract<BioInfoEvent<BioInfo, Attempted>, { type: WriteResult }>,
): BioInfoState<BioInfo, Attempted> {
  switch (event.type) {
    case 'write_failed':
      return { ...state, write: 'failed', write_error: event.error };
    case 'written':
      return { ...state, ...afterSuccessfulWrite(event.bio_info), write: 'saved', attempted: null, postponed: true };
    case 'conflict_found':
      return { ...state, ...afterSuccessfulWrite(event.bio_info), write: 'conflict', attempted: event.attempted };
  }
}

/** A user who saved or deleted the data has been asked, so the modal does not open again. */
function afterSuccessfulWrite<BioInfo>(bio_info: BioInfo | null) {
  const check: BioInfoCheck = bio_info ? 'loaded' : 'first_time';
  return { check, bio_info, cached_at: null, check_error: null };
}
