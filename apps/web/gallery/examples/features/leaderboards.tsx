import type { Leaderboard, LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import type { ComponentProps } from 'react';
import { BoardContent } from '#web/features/leaderboards/BoardContent.tsx';
import { BoardFilters } from '#web/features/leaderboards/BoardFilters.tsx';
import { BoardRow, StickyMyRow } from '#web/features/leaderboards/BoardRow.tsx';
import { BoardRows } from '#web/features/leaderboards/BoardRows.tsx';
import { type BoardFilter, DEFAULT_BOARD } from '#web/features/leaderboards/board-filter.ts';
import { keyRows } from '#web/features/leaderboards/loaded-rows.ts';
import { PeriodStepper } from '#web/features/leaderboards/PeriodStepper.tsx';
import { Podium } from '#web/features/leaderboards/Podium.tsx';
import { Points } from '#web/features/leaderboards/Points.tsx';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';
import { RowName } from '#web/features/leaderboards/RowName.tsx';
import { ApiError } from '#web/shared/api/errors.ts';
import type { Example, Examples } from '../example.ts';
import { before, DAY_MS, HALL, HOUR_MS, LONG_CENTER, LONG_NAME, NOW, RTL_NAME } from './data.ts';
import { ignore, ToChange } from './interaction.tsx';

const NAMES = [LONG_NAME, RTL_NAME, null, 'Nora', 'Max', 'Iñaki', 'Zoe', LONG_NAME, 'Ona', RTL_NAME];
const POINTS = [12_480, 3_140, 3_140, 1_571, 942, 471, 235, 235, 47, 12];
const ME = 3;

const row = (nth: number, is_me: boolean): LeaderboardRow => ({
  rank: POINTS.indexOf(POINTS[nth] ?? 0) + 1,
  user: { name: NAMES[nth] ?? null, ...(nth % 2 === 0 && !is_me ? { public_id: `friend.${nth}` } : {}) },
  points: POINTS[nth] ?? 0,
  reached_at: before(HOUR_MS),
  is_me,
});
const rowsWith = (me: number | null, count = NAMES.length) =>
  NAMES.slice(0, count).map((_, nth) => row(nth, nth === me));
const ROWS = rowsWith(ME);
const MINE = row(ME, true);
const SHARED = [{ ...row(1, true), rank: 1 }, { ...row(2, false), rank: 1 }, row(3, false)];
const PERIOD = { key: '2026-W48', starts_on: '2026-11-23', ends_on: '2026-11-29', provisional: true };
const PAGE: Leaderboard = { items: ROWS, me: MINE, total: 1_204, hidden: false, period: PERIOD, next_cursor: null };

type Board = ComponentProps<typeof BoardContent>['board'];
const BOARD: Board = {
  page: PAGE,
  is_copy: false,
  rows: ROWS,
  error: null,
  retry: ignore,
  loadMore: null,
  is_loading_more: false,
  more_error: null,
  around: null,
  around_due: 0,
  outdated_at: null,
};
const unreachable = new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const EMPTY = { page: { ...PAGE, items: [], me: null, total: 0 }, rows: [] };

const content = (state: string, board: Partial<Board>, filter: Partial<BoardFilter> = {}): Example => ({
  state,
  render: () => <BoardContent filter={{ ...DEFAULT_BOARD, ...filter }} board={{ ...BOARD, ...board }} />,
});
const rows = (state: string, props: Partial<ComponentProps<typeof BoardRows>>): Example => ({
  state,
  render: () => <BoardRows rows={ROWS} me={MINE} hidden={false} around={null} around_due={0} is_open {...props} />,
});
const filters = (state: string, filter: Partial<BoardFilter>, my_centers: typeof CENTERS): Example => ({
  state,
  render: () => (
    <ToChange first={{ ...DEFAULT_BOARD, ...filter }}>
      {(value, onChange) => (
        <BoardFilters
          filter={value}
          my_centers={my_centers}
          renderCenterName={() => LONG_CENTER.name}
          onChange={onChange}
        />
      )}
    </ToChange>
  ),
});
const CENTERS = [HALL, LONG_CENTER].map(({ id, name }) => ({ id, name }));
const stepper = (
  state: string,
  filter: Partial<BoardFilter>,
  page: Leaderboard | null,
  key: string | null,
): Example => ({
  state,
  render: () => (
    <PeriodStepper
      filter={{ ...DEFAULT_BOARD, ...filter }}
      page={page}
      today="2026-11-29"
      current_key={key}
      onChange={ignore}
    />
  ),
});
const podium = (state: string, me: number | null, count: number): Example => ({
  state,
  render: ({ hint }) => (
    <div className="@container">
      <Podium rows={keyRows(rowsWith(me, count))} note={hint} />
    </div>
  ),
});
const RANK = { rank: 12, total: 1_204, previous_rank: 15, hidden: false };
const RANKS = {
  loading: undefined,
  'not ranked': null,
  unreadable: 'unreadable',
  up: RANK,
  down: { ...RANK, previous_rank: 2 },
  same: { ...RANK, previous_rank: 12 },
  'new, hidden': { ...RANK, rank: 1_203, previous_rank: null, hidden: true },
} as const;

export const LEADERBOARDS: Examples = {
  BoardContent: [
    content('loading', { page: null, rows: [] }),
    content('failed (switch the network off)', { page: null, rows: [], error: unreachable }),
    content('empty', EMPTY),
    content('empty, of a center', EMPTY, { sport_center_id: HALL.id }),
    content('empty, past', EMPTY, { key: '2026-W40' }),
    content('friends, alone', { rows: [{ ...MINE, rank: 1 }] }, { scope: 'friends' }),
    content('more, which failed', { loadMore: ignore, more_error: unreachable, outdated_at: NOW - 2 * DAY_MS }),
    content('final', { page: { ...PAGE, period: { ...PERIOD, provisional: false } } }, { period: 'season' }),
  ],
  BoardFilters: [
    filters('none chosen', {}, []),
    filters('all chosen', { scope: 'friends', sport: 'climbing', sport_center_id: HALL.id }, CENTERS),
    filters('a center that is not mine', { sport_center_id: LONG_CENTER.id, period: 'all' }, []),
  ],
  BoardRow: [
    {
      state: 'others',
      render: () => (
        <ol className="flex flex-col gap-1.5">
          {keyRows(rowsWith(null, 3)).map((one) => (
            <BoardRow key={one.key} row={one} />
          ))}
        </ol>
      ),
    },
    {
      state: 'mine',
      render: ({ hint }) => (
        <ol>
          <BoardRow row={{ ...MINE, key: 'mine' }} note={hint} />
        </ol>
      ),
    },
    {
      state: 'mine again, below the podium',
      render: ({ hint }) => <StickyMyRow row={{ ...MINE, key: 'mine' }} note={hint} />,
    },
  ],
  BoardRows: [
    rows('many', {}),
    rows('first, shared', { rows: SHARED, me: SHARED[0] ?? null }),
    rows('not ranked', { rows: rowsWith(null, 2), me: null }),
    rows('hidden', { hidden: true }),
    rows('far below', {
      rows: rowsWith(null, 4),
      me: row(8, true),
      around: { ...PAGE, items: [row(7, false), row(8, true), row(9, false)], gap_to_next: 188 },
    }),
    rows('far below, loading', { rows: rowsWith(null, 4), me: row(8, true), around_due: 3 }),
  ],
  PeriodStepper: [
    stepper('loading', {}, null, '2026-W48'),
    stepper('this week', {}, PAGE, '2026-W48'),
    stepper('a past week', { key: '2026-W02' }, { ...PAGE, period: { ...PERIOD, provisional: false } }, '2026-W48'),
    stepper(
      'a season of two years',
      { period: 'season' },
      { ...PAGE, period: { ...PERIOD, key: '2026-Q4' } },
      '2026-Q4',
    ),
    stepper('of all time', { period: 'all' }, { ...PAGE, total: 1 }, null),
  ],
  Podium: [podium('one', null, 1), podium('two, the second mine', 1, 2), podium('three', 0, 3)],
  Points: [{ state: 'default', render: () => <Points points={12_480} className="figures text-lg font-bold" /> }],
  RankChip: Object.entries(RANKS).map(([state, rank]) => ({ state, render: () => <RankChip rank={rank} /> })),
  RowName: keyRows(rowsWith(ME, 4)).map((one) => ({
    state: one.is_me ? 'mine' : one.user.public_id ? 'a friend' : 'another athlete',
    render: () => (
      <div className="relative">
        <RowName row={one} className="font-semibold" />
      </div>
    ),
  })),
};
