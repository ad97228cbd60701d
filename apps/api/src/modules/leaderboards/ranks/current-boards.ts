import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { ALL_CENTERS, type Board } from './boards.ts';

/** The most read boards of all centers: this week's and this season's by UTC, and those of all time. */
export function currentBoards(now_ms: number): Board[] {
  const week_key = isoWeekAt(now_ms, 'UTC');
  const sports = ['all', ...SPORTS] as const;
  return [week_key, seasonKey(week_key), 'all'].flatMap((period) =>
    sports.map((sport) => ({ period, sport, sport_center_id: ALL_CENTERS })),
  );
}
