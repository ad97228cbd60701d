import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#api/database/database.ts';
import { createFriendsBoards } from '#api/modules/leaderboards/friends-boards.ts';
import type { Board, Rank } from '#api/modules/leaderboards/ranks/boards.ts';
import type { RankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import { aroundBySorting } from '../rank-model.ts';
import { countFriendsBoard, countPublicBoard } from '../scenes/board-model.ts';
import type { Athlete, Random } from './world.ts';

const REACH = 3;
const ASKED_AROUND = 4;

export interface Comparison {
  boards: number;
  answers: number;
  /** The first answers that differ from a recount. */
  differences: string[];
}

interface Options {
  athletes: Athlete[];
  /** By the name of the node that answers. */
  indexes: Map<string, RankIndex>;
  database: Database;
  random: Random;
}

/** Reads these boards from every node, and recounts each of them from the full history. */
export async function compareBoards(boards: Board[], options: Options): Promise<Comparison> {
  const { athletes, indexes } = options;
  const activities = athletes.flatMap(({ on_boards }) => [...on_boards.values()].flat());
  const comparison: Comparison = { boards: boards.length, answers: 0, differences: [] };
  const check = (who: string, board: Board, is: unknown, should_be: unknown) => {
    comparison.answers += 1;
    if (isDeepStrictEqual(is, should_be)) return;
    const about = `${who}: ${board.period} ${board.sport} ${board.sport_center_id.slice(0, 4)}`;
    comparison.differences.push(`${about}\n  is        ${brief(is)}\n  should be ${brief(should_be)}`);
  };
  for (const board of boards) {
    const ranked = countPublicBoard(athletes, activities, board);
    const asked = Array.from({ length: ASKED_AROUND }, () => athletes[options.random(athletes.length)]?.user_id ?? '');
    for (const [name, index] of indexes) {
      const page = await index.readPage(board, 0, athletes.length);
      check(name, board, page, { rows: ranked, total: ranked.length });
      for (const user_id of asked) {
        check(name, board, await index.readAround(board, user_id, REACH), aroundBySorting(ranked, user_id, REACH));
      }
      const points = ranked[options.random(Math.max(1, ranked.length))]?.points ?? 1;
      const more = ranked.filter((entry) => entry.points > points).length;
      check(name, board, await index.rankOf(board, points), 1 + more);
    }
    await compareFriends(board, activities, options, check);
  }
  return comparison;
}

type Check = (who: string, board: Board, is: unknown, should_be: unknown) => void;

async function compareFriends(
  board: Board,
  activities: Parameters<typeof countFriendsBoard>[1],
  { athletes, database, random }: Options,
  check: Check,
): Promise<void> {
  const viewer = athletes[random(athletes.length)];
  // A locked account cannot read.
  if (!viewer || viewer.is_locked) return;
  const friends = { listFriendIds: async () => [...viewer.friend_ids] };
  const view = await createFriendsBoards(database, friends).readPage(board, viewer.user_id, 0, athletes.length);
  const is = view.items.map(({ rank, points, user }) => ({ rank, points, id: user.public_id }));
  const ranked = countFriendsBoard(athletes, activities, board, viewer);
  const should_be = ranked.map(({ rank, points, user_id }: Rank) => ({ rank, points, id: publicIdOf(user_id) }));
  check('friends', board, is, should_be);
}

/** A public id derived from the user id, so that friends can be told apart in a reply without user ids. */
export function publicIdOf(user_id: string): string {
  return user_id.slice(0, 13);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
