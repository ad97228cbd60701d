import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BioInfoEvent,
  type BioInfoState,
  bioInfoReducer,
  INITIAL_BIO_INFO,
  shouldAskForBioInfo,
} from './bio-info-machine.ts';

type Data = { version: number };
type State = BioInfoState<Data, string>;
type Event = BioInfoEvent<Data, string>;

const DATA: Data = { version: 1 };
const NEWER: Data = { version: 2 };
const OFFLINE = new Error('offline');

const stateAfter = (...events: Event[]) => events.reduce<State>(bioInfoReducer, INITIAL_BIO_INFO);
const CHECKED: Event[] = [{ type: 'check_started' }, { type: 'found', bio_info: DATA }];
const FIRST_TIME: Event[] = [{ type: 'check_started' }, { type: 'not_found' }];
const SAVING: Event = { type: 'write_started' };

test('nothing is known before the check, and while it runs; the modal is hidden [spec 4.bio-info.loading]', () => {
  expect(stateAfter().check).toBe('not_checked');
  expect(stateAfter({ type: 'check_started' }).check).toBe('loading');
  expect(shouldAskForBioInfo(stateAfter())).toBe(false);
  expect(shouldAskForBioInfo(stateAfter({ type: 'check_started' }))).toBe(false);
});

test('existing bio info is loaded, and the modal stays hidden [spec 4.bio-info.loaded]', () => {
  const state = stateAfter(...CHECKED);
  expect(state).toMatchObject({ check: 'loaded', bio_info: DATA, cached_at: null, check_error: null });
  expect(shouldAskForBioInfo(state)).toBe(false);
});

test('a server that has none means a first-time user, and the modal is shown [spec 4.bio-info.first-time]', () => {
  const state = stateAfter(...FIRST_TIME);
  expect(state).toMatchObject({ check: 'first_time', bio_info: null });
  expect(shouldAskForBioInfo(state)).toBe(true);
});

describe('a check that fails', () => {
  test('is an error, not a first-time user [spec 4.bio-info.error]', () => {
    const state = stateAfter({ type: 'check_started' }, { type: 'check_failed', error: OFFLINE });
    expect(state).toMatchObject({ check: 'error', check_error: OFFLINE, bio_info: null });
    expect(shouldAskForBioInfo(state)).toBe(false);
  });

  test('leaves the copy of this device with its age', () => {
    const copy: Event = { type: 'copy_found', bio_info: DATA, cached_at: 5 };
    const state = stateAfter({ type: 'check_started' }, copy, { type: 'check_failed', error: OFFLINE });
    expect(state).toMatchObject({ check: 'loaded', bio_info: DATA, cached_at: 5, check_error: OFFLINE });
  });

  test('is forgotten when a later one succeeds', () => {
    const state = stateAfter({ type: 'check_started' }, { type: 'check_failed', error: OFFLINE }, ...CHECKED);
    expect(state).toMatchObject({ check: 'loaded', check_error: null });
  });
});

test('the copy of this device never hides the server’s answer', () => {
  const again: Event = { type: 'check_started' };
  expect(stateAfter(...CHECKED, again, { type: 'copy_found', bio_info: NEWER, cached_at: 5 }).bio_info).toBe(DATA);
});

test('whatever happened, signing out resets it [spec 4.bio-info.reset]', () => {
  const state = stateAfter(...FIRST_TIME, { type: 'postponed' }, SAVING, { type: 'write_failed', error: OFFLINE });
  expect(bioInfoReducer(state, { type: 'signed_out' })).toEqual(INITIAL_BIO_INFO);
});

describe('an answer that comes after signing out changes nothing', () => {
  test.each<Event>([
    { type: 'found', bio_info: DATA },
    { type: 'copy_found', bio_info: DATA, cached_at: 1 },
    { type: 'not_found' },
    { type: 'check_failed', error: OFFLINE },
    { type: 'written', bio_info: DATA },
    { type: 'write_failed', error: OFFLINE },
    { type: 'conflict_found', bio_info: DATA, attempted: 'mine' },
  ])('$type', (answer) => {
    expect(stateAfter({ type: 'check_started' }, SAVING, { type: 'signed_out' }, answer)).toEqual(INITIAL_BIO_INFO);
  });
});

describe('saving', () => {
  test('keeps the modal until it is saved, and hides it then', () => {
    const saving = stateAfter(...FIRST_TIME, SAVING);
    expect([saving.write, shouldAskForBioInfo(saving)]).toEqual(['saving', true]);
    const saved = bioInfoReducer(saving, { type: 'written', bio_info: DATA });
    expect(saved).toMatchObject({ check: 'loaded', write: 'saved', bio_info: DATA });
    expect(shouldAskForBioInfo(saved)).toBe(false);
  });

  test('that fails keeps the known data and says why, until the next try', () => {
    const failed = stateAfter(...CHECKED, SAVING, { type: 'write_failed', error: OFFLINE });
    expect(failed).toMatchObject({ write: 'failed', write_error: OFFLINE, bio_info: DATA });
    expect(bioInfoReducer(failed, SAVING)).toMatchObject({ write: 'saving', write_error: null });
  });

  test('that comes too late shows the newer values beside the wanted ones, until the person decides', () => {
    const conflict = stateAfter(...CHECKED, SAVING, { type: 'conflict_found', bio_info: NEWER, attempted: 'mine' });
    expect(conflict).toMatchObject({ write: 'conflict', bio_info: NEWER, attempted: 'mine' });
    expect(bioInfoReducer(conflict, SAVING)).toMatchObject({ bio_info: NEWER, attempted: 'mine' });
    const acknowledged = bioInfoReducer(conflict, { type: 'write_acknowledged' });
    expect(acknowledged).toMatchObject({ write: 'idle', bio_info: NEWER, attempted: null });
  });

  test('can not be acknowledged while it runs', () => {
    const saving = stateAfter(...CHECKED, SAVING);
    expect(bioInfoReducer(saving, { type: 'write_acknowledged' })).toBe(saving);
  });
});

test('an athlete who deletes body data, or says "Later", is not asked again at once', () => {
  expect(shouldAskForBioInfo(stateAfter(...FIRST_TIME, { type: 'postponed' }))).toBe(false);
  const deleted = stateAfter(...CHECKED, SAVING, { type: 'written', bio_info: null });
  expect(deleted).toMatchObject({ check: 'first_time', bio_info: null });
  expect(shouldAskForBioInfo(deleted)).toBe(false);
});

const events: fc.Arbitrary<Event> = fc.constantFrom<Event>(
  { type: 'check_started' },
  { type: 'copy_found', bio_info: DATA, cached_at: 5 },
  { type: 'found', bio_info: DATA },
  { type: 'not_found' },
  { type: 'check_failed', error: OFFLINE },
  { type: 'write_started' },
  { type: 'written', bio_info: NEWER },
  { type: 'written', bio_info: null },
  { type: 'write_failed', error: OFFLINE },
  { type: 'conflict_found', bio_info: NEWER, attempted: 'mine' },
  { type: 'write_acknowledged' },
  { type: 'postponed' },
  { type: 'signed_out' },
);

test('in any order: loaded data can be shown, absent data is not, and no conflict loses the attempted change', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 30 }), (happened) => {
      const state = stateAfter(...happened);
      if (state.check === 'loaded') expect(state.bio_info).not.toBeNull();
      if (['not_checked', 'first_time', 'error'].includes(state.check)) expect(state.bio_info).toBeNull();
      if (state.write === 'conflict') expect(state.attempted).toBe('mine');
      if (shouldAskForBioInfo(state)) expect([state.bio_info, state.postponed]).toEqual([null, false]);
    }),
  );
});
