import { seasonKey } from '@sendlap/domain/dates.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { ALL_CENTERS, type Board, type Rank } from '#api/modules/leaderboards/ranks/boards.ts';
import { rankBySorting } from '../rank-model.ts';

/** A validated activity, as boards count it. */
export interface CountedActivity {
  user_id: string;
  week_key: string;
  sport_type: Sport;
  sport_center_id: string;
  validation: 'peer' | 'venue' | 'referee';
  points: number;
  validated_at_ms: number;
}

export interface Competitor {
  user_id: string;
  /** Whether the athlete chose to appear on boards. */
  boards: boolean;
  age: number | null;
  is_locked: boolean;
  friend_ids: ReadonlySet<string>;
}

interface Tally {
  points: number;
  reached_at_ms: number;
}

const BEST_OF_A_WEEK = 5;
const YOUNGEST_IN_PUBLIC = 16;

/** An athlete's score on a board, recounted from all activities. `with_peers`: as friends see it. */
export function countScore(activities: readonly CountedActivity[], board: Board, with_peers: boolean): Tally {
  const matching = activities.filter(
    (one) =>
      (with_peers || one.validation !== 'peer') &&
      (board.sport === 'all' || board.sport === one.sport_type) &&
      (board.sport_center_id === ALL_CENTERS || board.sport_center_id === one.sport_center_id),
  );
  let points = 0;
  let reached_at_ms = 0;
  for (const [week_key, entries] of Map.groupBy(matching, (one) => one.week_key)) {
    if (board.period !== 'all' && board.period !== week_key && board.period !== seasonKey(week_key)) continue;
    const best = entries
      .filter((one) => one.points > 0)
      .sort((a, b) => b.points - a.points || a.validated_at_ms - b.validated_at_ms)
      .slice(0, BEST_OF_A_WEEK);
    for (const entry of best) {
      points += entry.points;
      reached_at_ms = Math.max(reached_at_ms, entry.validated_at_ms);
    }
  }
  return { points, reached_at_ms };
}

/** Returns the public board, best first. */
export function countPublicBoard(
  people: readonly Competitor[],
  activities: readonly CountedActivity[],
  board: Board,
): Rank[] {
  const shown = people.filter(
    ({ boards, age, is_locked }) => boards && !is_locked && (age === null || age >= YOUNGEST_IN_PUBLIC),
  );
  return rankPeople(shown, activities, board, false);
}

/** Returns the board of an athlete and their friends, best first. */
export function countFriendsBoard(
  people: readonly Competitor[],
  activities: readonly CountedActivity[],
  board: Board,
  viewer: Competitor,
): Rank[] {
  const shown = people.filter(
    ({ user_id, boards, is_locked }) =>
      boards && !is_locked && (user_id === viewer.user_id || viewer.friend_ids.has(user_id)),
  );
  return rankPeople(shown, activities, board, true);
}

function rankPeople(
  people: readonly Competitor[],
  activities: readonly CountedActivity[],
  board: Board,
  with_peers: boolean,
): Rank[] {
  const by_user = Map.groupBy(activities, (one) => one.user_id);
  return rankBySorting(
    people.map(({ user_id }) => ({
      user_id,
      version: 0,
      ...countScore(by_user.get(user_id) ?? [], board, with_peers),
    })),
  );
}
