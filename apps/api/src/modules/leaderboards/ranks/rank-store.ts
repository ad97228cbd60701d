import type { Sport } from '@sendlap/domain/scoring.ts';

/** Stands for "all centers" in the rows of boards: a primary key holds no null. */
export const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';

export interface Board {
  /** '2026-W47', '2026-Q4' or 'all'. */
  period: string;
  sport: 'all' | Sport;
  sport_center_id: string;
}

/** A user's place on a board. Ties share a rank; their order is that of `reached_at_ms`, then of the ids. */
export interface Place {
  user_id: string;
  rank: number;
  points: number;
  reached_at_ms: number;
}

/** What a user has on a board since `version` of the row; 0 points: is not on it. */
export interface Score {
  user_id: string;
  version: number;
  points: number;
  reached_at_ms: number;
}

export interface Page {
  rows: Place[];
  /** How many are on the board. */
  total: number;
}

export interface Around extends Page {
  /** Position of the user among `rows`. */
  my_index: number;
  /** The lowest points above the user's own; null where nobody has more. */
  next_points: number | null;
}

/** What was read from the log does not fit the store any more: read again from the watermark, at once. */
export class OutdatedReading extends Error {
  override name = 'OutdatedReading';
}

/**
 * Where the public boards are kept in order: this process's memory or Redis. Boards come and go: one that is not there
 * answers `undefined`, and is filled before it is asked again. Scores older than what is known are dropped.
 */
export interface RankStore {
  // The three questions throw an `OutdatedReading` where the store may have come back older than it was.
  readPage(board: Board, skip: number, limit: number): Promise<Page | undefined>;
  /** At most `reach` rows above and below the user; no rows for a user who is not on the board. */
  readAround(board: Board, user_id: string, reach: number): Promise<Around | undefined>;
  /** 1 + how many have more. */
  rankOf(board: Board, points: number): Promise<number | undefined>;
  /**
   * Takes a board in; scores applied meanwhile are not lost. `scores` come in no particular order, and are asked for only
   * once changes are taken in. A board that is lost meanwhile (`clear`) is not there afterwards, and nothing is thrown.
   */
  fill(board: Board, scores: AsyncIterable<Score[]>): Promise<void>;
  /**
   * To the boards that are there or being filled; all others are left alone. Throws an `OutdatedReading` for a board that
   * began to be filled after this node's last `readWatermark`, for it may know better than what was read before.
   */
  apply(changes: { board: Board; scores: Score[] }[]): Promise<void>;
  /** The user leaves every board for good. */
  remove(user_id: string): Promise<void>;
  /**
   * Up to where the log was applied (`LogPosition`); undefined: nothing was, and no board is there. Asked before each
   * reading of the log, which goes on from here: other nodes move it too.
   */
  readWatermark(): Promise<string | undefined>;
  /**
   * After all was applied that was read since the last `readWatermark`; it never goes back within one life of the database
   * server, and after `clear` only to another life. Throws an `OutdatedReading`
   * where the store lost what it knew meanwhile.
   */
  writeWatermark(watermark: string): Promise<void>;
  /** Drops every board. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
