import { competitionRanks } from '@sendlap/domain/ranks.ts';
import type { Database } from '#api/database/database.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { type BoardView, presentRow } from './board-view.ts';
import type { Board } from './ranks/boards.ts';
import { listFriendScores } from './store.ts';

/**
 * Boards of a user and their friends, read from the score rows: these include confirmations by friends, and friends too
 * young for public boards. A user who opted out of boards appears on no other user's friends board either.
 */
export function createFriendsBoards(database: Database, friends: Pick<FriendService, 'listFriendIds'>) {
  async function loadBoard(board: Board, user_id: string): Promise<BoardView> {
    const user_ids = [user_id, ...(await friends.listFriendIds(user_id))];
    const scores = await listFriendScores(database, board, user_ids);
    const visible_scores = scores.filter(({ boards }) => boards);
    const ranks = competitionRanks(visible_scores);
    const present = (score: (typeof scores)[number], rank: number) => {
      const standing = { rank, points: score.points, reached_at_ms: score.reached_at.getTime() };
      return presentRow(standing, score, { with_id: true, is_me: score.user_id === user_id });
    };
    const items = visible_scores.map((score, index) => present(score, ranks[index] ?? 0));
    const hidden = scores.find((score) => score.user_id === user_id && !score.boards);
    const me = hidden
      ? present(hidden, 1 + visible_scores.filter(({ points }) => points > hidden.points).length)
      : items.find(({ is_me }) => is_me);
    return { items, me: me ?? null, total: items.length };
  }

  return {
    async readPage(board: Board, user_id: string, skip: number, limit: number): Promise<BoardView> {
      const { items, ...rest } = await loadBoard(board, user_id);
      return { ...rest, items: items.slice(skip, skip + limit) };
    },
    /** As on the public boards. */
    async readAround(
      board: Board,
      user_id: string,
      rows_each_side: number,
    ): Promise<BoardView & { next_points: number | null }> {
      const { items, ...rest } = await loadBoard(board, user_id);
      const mine = items.findIndex(({ is_me }) => is_me);
      if (mine < 0) return { ...rest, items: [], next_points: null };
      const points = items[mine]?.points ?? 0;
      const next_points = items.findLast((row) => row.points > points)?.points ?? null;
      return {
        ...rest,
        items: items.slice(Math.max(0, mine - rows_each_side), mine + rows_each_side + 1),
        next_points,
      };
    },
  };
}
