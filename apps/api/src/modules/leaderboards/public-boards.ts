import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import type { Database } from '#api/database/database.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import type { RecentChanges } from '#api/sessions/recent-changes.ts';
import { createUserCache, type UserCache } from '#api/sessions/user-cache.ts';
import { type BoardView, presentRow } from './board-view.ts';
import type { BoardPerson } from './people.ts';
import type { Board, Rank } from './ranks/boards.ts';
import type { RankIndex } from './ranks/rank-index.ts';
import { findScore } from './store.ts';

/** Friendships are reloaded this often. */
const FRIENDS_MAX_AGE_MS = 5_000;

export interface NamedRank {
  rank: number;
  name: string | null;
  points: number;
}

interface Dependencies {
  database: Database;
  ranks: Pick<RankIndex, 'readPage' | 'readAround' | 'rankOf'>;
  people: UserCache<BoardPerson>;
  friends: Pick<FriendService, 'listFriendIds'>;
  changes: RecentChanges;
}

/**
 * Public boards as a user sees them: everyone's name, but public ids of friends only. With a warm cache no call queries
 * the database, except for the score of a caller who is hidden.
 */
export function createPublicBoards({ database, ranks, people, friends, changes }: Dependencies) {
  const friend_ids_cache = createUserCache(changes, async (id) => new Set(await friends.listFriendIds(id)), {
    max_age_ms: FRIENDS_MAX_AGE_MS,
  });

  /** Leaves out hidden users, even if the rank index does not know yet that they are hidden. */
  async function presentRanks(ranked_users: Rank[], me: string): Promise<LeaderboardRow[]> {
    const [shown, friend_ids] = await Promise.all([
      people.findAll(ranked_users.map(({ user_id }) => user_id)),
      friend_ids_cache.find(me),
    ]);
    return ranked_users.flatMap((ranked_user, index) => {
      const person = shown[index];
      if (!person?.is_on_boards) return [];
      const is_me = ranked_user.user_id === me;
      return [
        presentRow(ranked_user, person, { with_id: is_me || friend_ids?.has(ranked_user.user_id) === true, is_me }),
      ];
    });
  }

  /** The rank a user would have who is on no public board. */
  async function findHiddenRank(board: Board, user_id: string, person: BoardPerson) {
    if (person.is_on_boards) return undefined;
    const score = await findScore(database, board, user_id);
    if (!score) return undefined;
    const { points, reached_at } = score;
    return { user_id, rank: await ranks.rankOf(board, points), points, reached_at_ms: reached_at.getTime() };
  }

  async function presentHidden(board: Board, user_id: string): Promise<LeaderboardRow | null> {
    const person = await people.find(user_id);
    const hidden_rank = person && (await findHiddenRank(board, user_id, person));
    return hidden_rank ? presentRow(hidden_rank, person, { with_id: true, is_me: true }) : null;
  }

  return {
    async readPage(board: Board, user_id: string, skip: number, limit: number): Promise<BoardView> {
      const [page, around] = await Promise.all([
        ranks.readPage(board, skip, limit),
        ranks.readAround(board, user_id, 0),
      ]);
      const [items, mine] = await Promise.all([presentRanks(page.rows, user_id), presentRanks(around.rows, user_id)]);
      const me = items.find(({ is_me }) => is_me) ?? mine[0] ?? (await presentHidden(board, user_id));
      return { items, me, total: page.total };
    },
    /** `next_points`: the lowest score above the user's; null if the user is first or not on the board. */
    async readAround(
      board: Board,
      user_id: string,
      rows_each_side: number,
    ): Promise<BoardView & { next_points: number | null }> {
      const { rows, total, next_points } = await ranks.readAround(board, user_id, rows_each_side);
      const items = await presentRanks(rows, user_id);
      const me = items.find(({ is_me }) => is_me);
      if (me) return { items, me, total, next_points };
      return { items: [], me: await presentHidden(board, user_id), total, next_points: null };
    },
    /** The user's rank, or the rank they would have if visible; undefined without points. */
    async findRank(board: Board, user_id: string): Promise<{ rank: number; total: number } | undefined> {
      const { rows, total, my_index } = await ranks.readAround(board, user_id, 0);
      const person = await people.find(user_id);
      const ranked_user = rows[my_index] ?? (person && (await findHiddenRank(board, user_id, person)));
      return ranked_user && { rank: ranked_user.rank, total };
    },
    /** The best users, by name only. */
    async listTop(board: Board, limit: number): Promise<{ total: number; items: NamedRank[] }> {
      const { rows, total } = await ranks.readPage(board, 0, limit);
      const shown = await people.findAll(rows.map(({ user_id }) => user_id));
      const items = rows.flatMap(({ rank, points }, index) => {
        const person = shown[index];
        return person?.is_on_boards ? [{ rank, name: person.display_name, points }] : [];
      });
      return { total, items };
    },
  };
}
