import type { Leaderboard, LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { isoWeekKey, isoWeekRange, localDate } from '@sendlap/domain/dates.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { WEEKLY_BEST_COUNT, weeklyScore } from '@sendlap/domain/ranks.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import {
  ALL_CENTERS,
  type Board,
  countScores,
  findScore,
  listScoredActivities,
  listScores,
  replaceWeekScores,
  type ScoredActivity,
  type ScoreRow,
  type WeekScore,
} from './store.ts';

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
  /** Brings all boards of the user's week in line with the activities, inside the caller's transaction. */
  recomputeWeek(trx: Trx, user_id: string, week_key: string): Promise<void>;
}

export function createLeaderboardService(database: Database, now: () => Date): LeaderboardService {
  return {
    getLeaderboard: (user_id, query) => getLeaderboard(database, user_id, query, now().getTime()),
    async recomputeWeek(trx, user_id, week_key) {
      const activities = await listScoredActivities(trx, user_id, week_key);
      await replaceWeekScores(trx, user_id, week_key, weekScores(activities));
    },
  };
}

/** The score of one user's week on every board that it touches: {all, sport} × {all centers, center}. */
function weekScores(activities: ScoredActivity[]): WeekScore[] {
  const boards = new Map<string, { sport: WeekScore['sport']; sport_center_id: string; entries: ScoredActivity[] }>();
  for (const activity of activities) {
    for (const sport of ['all', activity.sport_type] as const) {
      for (const sport_center_id of [ALL_CENTERS, activity.sport_center_id]) {
        const key = `${sport} ${sport_center_id}`;
        const board = boards.get(key) ?? { sport, sport_center_id, entries: [] };
        board.entries.push(activity);
        boards.set(key, board);
      }
    }
  }
  return [...boards.values()].map(({ sport, sport_center_id, entries }) => {
    const best = entries
      .sort((a, b) => b.points - a.points || a.validated_at.getTime() - b.validated_at.getTime())
      .slice(0, WEEKLY_BEST_COUNT);
    const reached_at = new Date(Math.max(...best.map((entry) => entry.validated_at.getTime())));
    return { sport, sport_center_id, points: weeklyScore(best.map((entry) => entry.points)), reached_at };
  });
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
