import type { Leaderboard, LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { isoWeekKey, isoWeekRange, localDate } from '@sendlap/domain/dates.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { RawBuilder } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { type RoomBoardRow, readRoomBoard } from './room-board.ts';
import { ALL_CENTERS, type Board, countScores, findScore, listScores, type ScoreRow } from './store.ts';
import { compareWeekScores, type ScoredActivity, type ScoredWeek, weekParts, writeWeekScores } from './week-scores.ts';

const DAY_MS = 86_400_000;
/** The last zone on earth ends its Sunday 12 h after UTC; late proofs are accepted for 14 days after that. */
const PROVISIONAL_MS = 15.5 * DAY_MS;

export interface LeaderboardQuery {
  key?: string | undefined;
  sport?: Sport | undefined;
  sport_center_id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface LeaderboardService {
  getLeaderboard(user_id: string, query: LeaderboardQuery): Promise<Leaderboard>;
  /** The best of this week of the center's zone, as everybody in the room may see them. */
  getRoomBoard(sport_center_id: string, time_zone: string, now: Date): Promise<RoomBoard>;
  /** Brings all boards of the user's weeks in line with these activities, as parts of the caller's statement. */
  weekParts(user_id: string, weeks: ScoredWeek[]): RawBuilder<unknown>[];
  /** The same as a statement of its own, inside the caller's transaction; gives how many scores changed. */
  writeWeeks(trx: Trx, user_id: string, weeks: ScoredWeek[]): Promise<number>;
  /** Where the stored scores of all weeks of the user differ from what these activities give. */
  verifyWeeks(
    trx: Trx,
    user_id: string,
    activities: (ScoredActivity & { week_key: string })[],
  ): Promise<{ is: number; should_be: number }[]>;
}

export interface RoomBoard {
  /** ISO week. */
  key: string;
  starts_on: string;
  ends_on: string;
  total: number;
  items: RoomBoardRow[];
}

export function createLeaderboardService(database: Database, now: () => Date): LeaderboardService {
  return {
    getLeaderboard: (user_id, query) => getLeaderboard(database, user_id, query, now().getTime()),
    async getRoomBoard(sport_center_id, time_zone, at) {
      const key = isoWeekKey(localDate(at.getTime(), time_zone));
      return { key, ...isoWeekRange(key), ...(await readRoomBoard(database, sport_center_id, key)) };
    },
    weekParts,
    writeWeeks: writeWeekScores,
    verifyWeeks: compareWeekScores,
  };
}

async function getLeaderboard(
  database: Database,
  user_id: string,
  query: LeaderboardQuery,
  now_ms: number,
): Promise<Leaderboard> {
  const week_key = query.key ?? isoWeekKey(localDate(now_ms, 'UTC'));
  const board: Board = { week_key, sport: query.sport ?? 'all', sport_center_id: query.sport_center_id ?? ALL_CENTERS };
  const skip = readCursor(query.cursor);
  const period = periodOf(week_key, now_ms);
  const [scores, mine, total] = await Promise.all([
    listScores(database, board, skip, query.limit + 1),
    findScore(database, board, user_id),
    countScores(database, board),
  ]);
  const first = scores[0];
  const before_first = first ? await countScores(database, board, first.points) : 0;
  const me = mine ? toRow(mine, 1 + (await countScores(database, board, mine.points)), user_id) : null;
  return {
    items: rankScores(scores.slice(0, query.limit), before_first, skip, user_id),
    next_cursor: scores.length > query.limit ? String(skip + query.limit) : null,
    me,
    total,
    period,
  };
}

/** Competition ranks ("1, 2, 2, 4") of a page: `before_first` have more than its first row. */
function rankScores(scores: ScoreRow[], before_first: number, skip: number, user_id: string): LeaderboardRow[] {
  let rank = before_first + 1;
  return scores.map((score, index) => {
    const previous = scores[index - 1];
    if (previous && score.points < previous.points) rank = skip + index + 1;
    return toRow(score, rank, user_id);
  });
}

function toRow(score: ScoreRow, rank: number, me: string): LeaderboardRow {
  const is_me = score.user_id === me;
  return {
    rank,
    user: { name: score.display_name ?? NAMELESS, ...(is_me ? { public_id: score.public_id } : {}) },
    points: score.points,
    reached_at: score.reached_at.toISOString(),
    is_me,
  };
}

/** Throws `bad_request` for a week that its year does not have ('2025-W53'). */
function periodOf(week_key: string, now_ms: number): Leaderboard['period'] {
  const { starts_on, ends_on } = rangeOf(week_key);
  const final_at = Date.parse(`${ends_on}T00:00:00Z`) + DAY_MS + PROVISIONAL_MS;
  return { key: week_key, starts_on, ends_on, provisional: now_ms < final_at };
}

function rangeOf(week_key: string): { starts_on: string; ends_on: string } {
  try {
    return isoWeekRange(week_key);
  } catch (error) {
    throw new AppError('bad_request', `There is no week ${week_key}`, { cause: error });
  }
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,7}$/.test(cursor)) throw new AppError('cursor_invalid', 'The cursor is not one of ours');
  return Number(cursor);
}
