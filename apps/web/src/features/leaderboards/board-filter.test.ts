import { describe, expect, test } from 'vitest';
import { type BoardFilter, DEFAULT_BOARD, formatBoardFilter, isAffectedBy, parseBoardFilter } from './board-filter.ts';

const TODAY = '2026-11-21';

describe('the filter in the address', () => {
  test.each([
    'sport=curling&center=1%27--&period=decade&scope=enemies&key=tomorrow',
    // 2025 had 52 weeks, a quarter is not a week, W49 is in the future, and the app did not exist in 1999.
    'key=2025-W53',
    'key=2026-Q3',
    'key=2026-W49',
    'key=1999-W01',
    'period=week&key=',
    '',
  ])('ignores invalid parameters: %s', (search) => {
    expect(parseBoardFilter(search, TODAY)).toEqual(DEFAULT_BOARD);
  });

  test('a past week is not one of a season, nor of all time', () => {
    expect(parseBoardFilter('period=season&key=2026-W40', TODAY)).toEqual({ ...DEFAULT_BOARD, period: 'season' });
    expect(parseBoardFilter('period=all&key=2026-Q3', TODAY)).toEqual({ ...DEFAULT_BOARD, period: 'all' });
  });

  test('the week that has begun only further east is one already', () => {
    expect(parseBoardFilter('key=2026-W48', '2026-11-22').key).toBe('2026-W48');
  });

  test('a written filter is read back, and the first board needs no parameters', () => {
    expect(formatBoardFilter(DEFAULT_BOARD)).toBe('');
    const sport_center_id = crypto.randomUUID();
    const filters: BoardFilter[] = [
      DEFAULT_BOARD,
      { ...DEFAULT_BOARD, key: '2020-W53' },
      { ...DEFAULT_BOARD, sport: 'swimming', sport_center_id },
      { ...DEFAULT_BOARD, period: 'season', key: '2026-Q3', scope: 'friends' },
      { ...DEFAULT_BOARD, period: 'all', sport: 'climbing', sport_center_id, scope: 'friends' },
    ];
    for (const filter of filters) expect(parseBoardFilter(formatBoardFilter(filter), TODAY)).toEqual(filter);
  });
});

describe('whether a change is one of this board', () => {
  const change = { key: '2026-W47', sport_center_id: 'pool' };

  test('not at another center, nor in another week than the one looked at', () => {
    expect(isAffectedBy({ ...DEFAULT_BOARD, sport_center_id: 'gym' }, change)).toBe(false);
    expect(isAffectedBy({ ...DEFAULT_BOARD, key: '2026-W46' }, change)).toBe(false);
  });

  test('at this center and at all, now and in the season that the week may be part of', () => {
    expect(isAffectedBy(DEFAULT_BOARD, change)).toBe(true);
    expect(isAffectedBy({ ...DEFAULT_BOARD, sport_center_id: 'pool', key: '2026-W47' }, change)).toBe(true);
    expect(isAffectedBy({ ...DEFAULT_BOARD, period: 'season', key: '2026-Q3' }, change)).toBe(true);
  });
});
