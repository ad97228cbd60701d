import type { Database } from '#api/database/database.ts';
import { createConcurrencyLimit } from '#api/platform/concurrency-limit.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Board, RankPage, RankWindow } from './boards.ts';
import { createLogFollower, type LogFollower } from './log-follower.ts';
import type { MemoryRanks } from './memory-ranks.ts';
import { readScores } from './read-scores.ts';

/**
 * Boards filled at the same time, each with a connection of the pool. Callers beyond those that may wait are refused: a
 * few calls could keep all fills busy for minutes.
 */
const FILLS = { max_running: 2, max_waiting: 100 };
/** A board can be dropped between its filling and the read, but hardly again and again. */
const MAX_FILLS = 5;
const RETRY_AFTER_S = 2;

/**
 * The ordered public boards, derived from `board_scores`: filled on demand, kept up to date by the change log. A read
 * includes everything this node committed before the call.
 */
export interface RankIndex {
  readPage(board: Board, skip: number, limit: number): Promise<RankPage>;
  readAround(board: Board, user_id: string, rows_each_side: number): Promise<RankWindow>;
  /** 1 + the number of users with more points. */
  rankOf(board: Board, points: number): Promise<number>;
  /** Call it after a commit on any node: the log has new entries. */
  notifyChange(): void;
  /** Fills these boards one by one in advance, so that no caller has to wait; a failure is logged. */
  warm(boards: Board[]): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  database: Database;
  store: MemoryRanks;
  log: { warn(fields: object, text: string): void };
  /** How often (ms) the log is read without a notification. */
  poll_ms?: number;
}

/** While the database is unreachable, reads throw its error (503): a stale answer is never returned as exact. */
export function createRankIndex({ database, store, log, poll_ms }: Options): RankIndex {
  const follower = createLogFollower({ database, store, log, poll_ms });
  // The filler reads rows after the follower has a log position and the store accepts changes of the board: a change
  // missing in those rows was committed later, so the follower reads it later too.
  const filler = createBoardFiller({ database, store, follower });

  const readOrFill = async <Answer>(board: Board, read: () => Answer | undefined): Promise<Answer> => {
    await follower.catchUp();
    for (let fills = 0; ; fills++) {
      const answer = read();
      if (answer !== undefined) return answer;
      if (fills === MAX_FILLS) throw boardNotReady();
      await filler.fill(board);
    }
  };

  let is_closed = false;
  return {
    readPage: (board, skip, limit) => readOrFill(board, () => store.readPage(board, skip, limit)),
    readAround: (board, user_id, rows_each_side) =>
      readOrFill(board, () => store.readAround(board, user_id, rows_each_side)),
    rankOf: (board, points) => readOrFill(board, () => store.rankOf(board, points)),
    notifyChange: follower.notifyChange,
    async warm(boards) {
      for (const board of boards) {
        if (is_closed) return;
        try {
          await readOrFill(board, () => store.rankOf(board, 0));
        } catch (error) {
          if (!is_closed) log.warn({ err: error, board }, 'a board could not be warmed');
        }
      }
    },
    async close() {
      is_closed = true;
      await Promise.all([follower.close(), filler.close()]);
    },
  };
}

function boardNotReady(): AppError {
  return new AppError('unavailable', 'The board is not ready, please try again', { retry_after_s: RETRY_AFTER_S });
}

interface BoardFillerOptions {
  database: Database;
  store: MemoryRanks;
  follower: LogFollower;
}

interface BoardFiller {
  /**
   * Fills a board once for all concurrent callers, and only a few boards at a time. Throws `unavailable` if too many
   * already wait.
   */
  fill(board: Board): Promise<void>;
  /** Aborts fills in progress. */
  close(): Promise<void>;
}

function createBoardFiller({ database, store, follower }: BoardFillerOptions): BoardFiller {
  const closing = new AbortController();
  const in_progress = new Map<string, Promise<void>>();
  const runLimited = createConcurrencyLimit({ ...FILLS, toRefusal: boardNotReady });

  const fillNow = async (board: Board) => {
    await follower.begin();
    await store.fill(board, readScores(database, board, closing.signal));
  };
  return {
    async fill(board) {
      const key = `${board.period} ${board.sport} ${board.sport_center_id}`;
      let filled = in_progress.get(key);
      if (filled === undefined) {
        filled = runLimited(() => fillNow(board)).finally(() => in_progress.delete(key));
        in_progress.set(key, filled);
      }
      await filled;
    },
    async close() {
      closing.abort(new AppError('unavailable', 'The server is going down'));
      await Promise.allSettled(in_progress.values());
    },
  };
}
