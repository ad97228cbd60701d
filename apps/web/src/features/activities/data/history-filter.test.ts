import { expect, test } from 'vitest';
import { historyBounds, matchesHistoryFilter, readHistoryFilter, writeHistoryFilter } from './history-filter.ts';

const WHOLE_HISTORY = { sport: null, status: null, from: null, to: null };
const read = (text: string) => readHistoryFilter(new URLSearchParams(text));

test('invalid filters in an address are ignored', () => {
  expect(read('sport=chess&status=active&from=2026-02-30&to=tomorrow')).toEqual(WHOLE_HISTORY);
});

test('a filter is read back from its address, beside other parameters', () => {
  const filter = { sport: 'swimming', status: 'validated', from: '2026-11-01', to: '2026-11-21' } as const;
  const written = writeHistoryFilter(filter, new URLSearchParams('view=calendar&sport=climbing'));
  expect(readHistoryFilter(written)).toEqual(filter);
  expect(written.get('view')).toBe('calendar');
  expect(writeHistoryFilter(WHOLE_HISTORY, written).toString()).toBe('view=calendar');
});

test('the last day is inside: the server is asked until the end of it', () => {
  const { from, to } = historyBounds({ from: '2026-11-21', to: '2026-11-21' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000);
  expect(historyBounds(WHOLE_HISTORY)).toEqual({});
});

test('an activity fits by the local date of its start', () => {
  const activity = { sport_type: 'climbing', status: 'finished', started_at: '2026-11-21T23:30:00Z' } as const;
  const on = (date: string) => ({ ...WHOLE_HISTORY, from: date, to: date });
  expect(matchesHistoryFilter(on('2026-11-21'), activity, 'Europe/Madrid')).toBe(false);
  expect(matchesHistoryFilter(on('2026-11-22'), activity, 'Europe/Madrid')).toBe(true);
  expect(matchesHistoryFilter(on('2026-11-21'), activity, 'America/New_York')).toBe(true);
  expect(matchesHistoryFilter({ ...WHOLE_HISTORY, sport: 'swimming' }, activity, 'UTC')).toBe(false);
  expect(matchesHistoryFilter({ ...WHOLE_HISTORY, status: 'validated' }, activity, 'UTC')).toBe(false);
  expect(matchesHistoryFilter({ ...WHOLE_HISTORY, sport: 'climbing', status: 'finished' }, activity, 'UTC')).toBe(true);
});
