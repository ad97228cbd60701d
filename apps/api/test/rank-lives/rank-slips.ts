import type { Slip } from '../slips.ts';

/** One rule each, changed in the code's own words. */
export const RANK_SLIPS: Record<string, Slip[]> = {
  reads_past_open_transactions: [
    {
      file: 'leaderboards/ranks/read-log.ts',
      find: 'select pg_snapshot_xmin(pg_current_snapshot())::text as next,',
      replace: 'select pg_snapshot_xmax(pg_current_snapshot())::text as next,',
    },
  ],
  counts_six: [{ file: 'domain/src/ranks.ts', find: 'WEEKLY_BEST_COUNT = 5;', replace: 'WEEKLY_BEST_COUNT = 6;' }],
  final_weeks_move: [
    {
      file: 'leaderboards/final-weeks.ts',
      find: 'return now_ms >= Date.parse',
      replace: 'return now_ms < 0 && now_ms >= Date.parse',
    },
  ],
  shows_the_hidden: [{ file: 'leaderboards/ranks/on-boards.ts', find: '(u.boards and', replace: '(true and' }],
};
