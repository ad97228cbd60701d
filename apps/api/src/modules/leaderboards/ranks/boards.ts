import { addDays, isoWeekAt, isoWeekKey, isoWeekRange, seasonKey } from '@sendlap/domain/dates.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';

/** Represents "all centers" in the rows of boards: a primary key holds no null. */
export const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';

export interface Board {
  /** '2026-W47', '2026-Q4' or 'all'. */
  period: string;
  sport: 'all' | Sport;
  sport_center_id: string;
}

/** A text that identifies the board. */
export function toBoardKey({ period, sport, sport_center_id }: Board): string {
  return `${period} ${sport} ${sport_center_id}`;
}

/** A user's position on a board. Ties share a rank and are ordered by `reached_at_ms`, then by id. */
export interface Rank {
  user_id: string;
  rank: number;
  points: number;
  reached_at_ms: number;
}

/** A user's score on a board since `version` of the row; 0 points: not on the board. */
export interface Score {
  user_id: string;
  version: number;
  points: number;
  reached_at_ms: number;
}

export interface RankPage {
  rows: Rank[];
  /** Number of users on the board. */
  total: number;
}

export interface RankWindow extends RankPage {
  /** Position of the user among `rows`. */
  my_index: number;
  /** The lowest points above the user's own; null for the first on the board. */
  next_points: number | null;
}

/** Returns the key of the ISO week before. */
export function weekBefore(week_key: string): string {
  return isoWeekKey(addDays(isoWeekRange(week_key).starts_on, -1));
}

/**
 * The most read boards of all centers: this week's and this season's by UTC, those of all time, and the week before,
 * which each dashboard compares with.
 */
export function currentBoards(now_ms: number): Board[] {
  const week_key = isoWeekAt(now_ms, 'UTC');
  const sports = ['all', ...SPORTS] as const;
  const boards = [week_key, seasonKey(week_key), 'all'].flatMap((period) =>
    sports.map((sport): Board => ({ period, sport, sport_center_id: ALL_CENTERS })),
  );
  return [...boards, { period: weekBefore(week_key), sport: 'all', sport_center_id: ALL_CENTERS }];
}
