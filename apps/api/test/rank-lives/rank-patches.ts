import type { SourcePatch } from '../source-patches.ts';

/** The module that reads the life of the database server. */
const LIFE = 'platform/server-incarnation.ts';

/** Source edits, each of which breaks one rule. */
export const RANK_PATCHES: Record<string, SourcePatch[]> = {
  reads_past_open_transactions: [
    {
      file: 'leaderboards/ranks/read-log.ts',
      find: 'const WATERMARK = sql`pg_snapshot_xmin(',
      replace: 'const WATERMARK = sql`pg_snapshot_xmax(',
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
  takes_every_life_for_one: [
    { file: LIFE, find: 'extract(epoch from pg_postmaster_start_time()),', replace: '0,' },
    { file: LIFE, find: '(select timeline_id from pg_control_checkpoint()),', replace: '0,' },
    { file: LIFE, find: 'extract(epoch from pg_stat_get_bgwriter_stat_reset_time()))', replace: '0)' },
  ],
  asks_for_the_start_alone: [
    { file: LIFE, find: 'extract(epoch from pg_stat_get_bgwriter_stat_reset_time()))', replace: '0)' },
  ],
  shows_the_hidden: [{ file: 'leaderboards/ranks/on-boards.ts', find: '(u.boards and', replace: '(true and' }],
};
