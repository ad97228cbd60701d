import { expect, test } from 'vitest';
import { type ReloadConditions, shouldReload } from './reload-plan.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An evening with the last touch an hour ago, on a page loaded this morning. */
const calm: ReloadConditions = {
  page_age_ms: 10 * HOUR,
  untouched_ms: HOUR,
  board_unchanged_ms: HOUR,
  update_waiting_ms: null,
  hour: 19,
};

test.each<[string, Partial<ReloadConditions>]>([
  ['by day', {}],
  ['by night, when it was just loaded', { hour: 4, page_age_ms: 6 * HOUR - 1 }],
  ['by night, while it is being touched', { hour: 4, untouched_ms: 2 * MINUTE - 1 }],
  ['for a new version, while it is being touched', { update_waiting_ms: 0, untouched_ms: 2 * MINUTE - 1 }],
  ['for a new version, while the board moves', { update_waiting_ms: 0, board_unchanged_ms: 10 * MINUTE - 1 }],
])('it does not reload %s', (_, change) => {
  expect(shouldReload({ ...calm, ...change })).toBe(false);
});

test.each<[string, Partial<ReloadConditions>]>([
  ['each night', { hour: 4 }],
  ['for a new version when it is not touched', { update_waiting_ms: 0 }],
  [
    'for a new version at a place that is never quiet',
    { update_waiting_ms: 12 * HOUR, board_unchanged_ms: 0, untouched_ms: 0 },
  ],
  ['after thirty hours, whatever happens', { page_age_ms: 30 * HOUR, board_unchanged_ms: 0, untouched_ms: 0 }],
])('it reloads %s', (_, change) => {
  expect(shouldReload({ ...calm, ...change })).toBe(true);
});
