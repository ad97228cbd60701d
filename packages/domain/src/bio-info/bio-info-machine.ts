/** Where the question "is there bio info?" stands (spec, section 4). */
export type BioInfoCheck = 'not_checked' | 'loading' | 'loaded' | 'first_time' | 'error';
/** Where the last write stands. `conflict`: somebody else wrote first. */
export type BioInfoWrite = 'idle' | 'saving' | 'saved' | 'failed' | 'conflict';

/** The shape of the body data is the contract's; `Wanted` is what the person tried to save. */
export interface BioInfoState<BioInfo, Wanted> {
  check: BioInfoCheck;
  /** The last that is known: the server's word, or this device's copy (`cached_at`). */
  bio_info: BioInfo | null;
  /** When the copy was fetched, ms epoch; null: as the server says now. */
  cached_at: number | null;
  /** Why the server could not be asked; null when it could. */
  check_error: unknown;
  write: BioInfoWrite;
  write_error: unknown;
  /** What the person wanted although there is something newer, which then is `bio_info` (null: deleted). */
  wanted: Wanted | null;
  /** "Later": not asked again until the next sign-in. */
  postponed: boolean;
}

export type BioInfoEvent<BioInfo, Wanted> =
  | { type: 'check_started' }
  /** This device's copy, which is here before the server's answer. */
  | { type: 'copy_found'; bio_info: BioInfo; cached_at: number }
  | { type: 'found'; bio_info: BioInfo }
  | { type: 'not_found' }
  | { type: 'check_failed'; error: unknown }
  | { type: 'write_started' }
  /** null: deleted. */
  | { type: 'written'; bio_info: BioInfo | null }
  | { type: 'write_failed'; error: unknown }
  | { type: 'conflict_found'; bio_info: BioInfo | null; wanted: Wanted }
  /** The outcome of the last write was taken note of. */
  | { type: 'write_settled' }
  | { type: 'postponed' }
  | { type: 'signed_out' };

export const INITIAL_BIO_INFO: BioInfoState<never, never> = {
  check: 'not_checked',
  bio_info: null,
  cached_at: null,
  check_error: null,
  write: 'idle',
  write_error: null,
  wanted: null,
  postponed: false,
};

/** Whether the modal for first-time users is to be seen. */
export function isBioInfoModalShown({ check, postponed }: BioInfoState<unknown, unknown>): boolean {
  return check === 'first_time' && !postponed;
}

/**
 * Bio info flow after an event (spec, section 4). An answer to a question that nobody asks any more (somebody signed
 * out meanwhile) changes nothing.
 */
export function bioInfoReducer<BioInfo, Wanted>(
  state: BioInfoState<BioInfo, Wanted>,
  event: BioInfoEvent<BioInfo, Wanted>,
): BioInfoState<BioInfo, Wanted> {
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
    case 'write_settled':
      return state.write === 'saving' ? state : { ...state, write: 'idle', write_error: null, wanted: null };
    case 'postponed':
      return { ...state, postponed: true };
    case 'signed_out':
      return INITIAL_BIO_INFO;
  }
}

type CheckAnswer = 'copy_found' | 'found' | 'not_found' | 'check_failed';

function afterCheck<BioInfo, Wanted>(
  state: BioInfoState<BioInfo, Wanted>,
  event: Extract<BioInfoEvent<BioInfo, Wanted>, { type: CheckAnswer }>,
): BioInfoState<BioInfo, Wanted> {
  switch (event.type) {
    case 'copy_found':
      return state.bio_info ? state : { ...state, bio_info: event.bio_info, cached_at: event.cached_at };
    case 'found':
      return { ...state, check: 'loaded', bio_info: event.bio_info, cached_at: null, check_error: null };
    case 'not_found':
      return { ...state, check: 'first_time', bio_info: null, cached_at: null, check_error: null };
    case 'check_failed':
      // What is known goes on being shown; only with nothing to show it is an error.
      return { ...state, check: state.bio_info ? 'loaded' : 'error', check_error: event.error };
  }
}

type WriteAnswer = 'written' | 'write_failed' | 'conflict_found';

function afterWrite<BioInfo, Wanted>(
  state: BioInfoState<BioInfo, Wanted>,
  event: Extract<BioInfoEvent<BioInfo, Wanted>, { type: WriteAnswer }>,
): BioInfoState<BioInfo, Wanted> {
  switch (event.type) {
    case 'write_failed':
      return { ...state, write: 'failed', write_error: event.error };
    case 'written':
      return { ...state, ...known(event.bio_info), write: 'saved', wanted: null, postponed: true };
    case 'conflict_found':
      return { ...state, ...known(event.bio_info), write: 'conflict', wanted: event.wanted };
  }
}

/** Who saved or deleted has been asked, so the modal stays away from now on. */
function known<BioInfo>(bio_info: BioInfo | null) {
  const check: BioInfoCheck = bio_info ? 'loaded' : 'first_time';
  return { check, bio_info, cached_at: null, check_error: null };
}
