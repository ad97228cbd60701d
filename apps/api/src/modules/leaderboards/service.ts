import type { WeekRank } from '@sendlap/contract/dashboard.ts';
import type { Parsed } from '@sendlap/contract/endpoint.ts';
import type {
  getLeaderboard,
  getSurrounding,
  Leaderboard,
  SurroundingLeaderboard,
} from '@sendlap/contract/leaderboards.ts';
import { addDays, isoWeekAt, isoWeekKey, isoWeekRange } from '@sendlap/domain/dates.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { RecentChanges } from '#api/platform/recent-changes.ts';
import { boardParts, isFinalWeek } from './board-scores.ts';
import { compareBoards, rebuildBoards } from './compare-boards.ts';
import { createFriendsBoards } from './friends-boards.ts';
import { createPeople } from './people.ts';
import { createPublicBoards } from './public-boards.ts';
import { ALL_CENTERS } from './ranks/boards.ts';
import { presentBoards } from './ranks/present-boards.ts';
import type { RankIndex } from './ranks/rank-index.ts';
import { findLatestZone } from './store.ts';
import { changeVisibility, EVERY_BOARD } from './visibility.ts';
import { type DatedBoard, resolveBoard, type WhichBoard } from './which-board.ts';

/** Rows above and below mine. */
const REACH = 3;
const SHOWN_IN_ROOM = 20;

/** Ranks of athletes by week, season and all time; whatever was committed on this node before a call, its answer knows. */
export interface LeaderboardService {
  /**
   * A page of a board with the caller's own row. Throws `sport_center_not_found`, `cursor_invalid`, and
   * `validation_failed` for a key that names no time that has begun.
   */
  getLeaderboard(user_id: string, query: Parsed<typeof getLeaderboard>['query']): Promise<Leaderboard>;
  /** Three above the caller and three below. Throws as `getLeaderboard`. */
  getSurrounding(user_id: string, query: Parsed<typeof getSurrounding>['query']): Promise<SurroundingLeaderboard>;
  /** The caller's place on a week's public board of all sports and centers; null without points there. */
  getWeekRank(user_id: string, week_key: string): Promise<WeekRank | null>;
  /** The best of this week of the center's zone, as everybody in the room may see them. */
  getRoomBoard(sport_center_id: string, time_zone: string, now: Date): Promise<RoomBoard>;
  /** Fills the present boards of all centers, so that nobody has to wait for them. */
  warm(): Promise<void>;
}

export interface RoomBoard {
  /** ISO week. */
  key: string;
  starts_on: string;
  ends_on: string;
  total: number;
  items: { rank: number; name: string | null; points: number }[];
}

interface Dependencies {
  database: Database;
  ranks: Pick<RankIndex, 'readPage' | 'readAround' | 'rankOf' | 'warm'>;
  friends: Pick<FriendService, 'listFriendIds'>;
  /** Closed ones too; undefined where there is none. */
  centers: { getById(id: string): { time_zone: string } | undefined };
  changes: RecentChanges;
  now: () => Date;
}

export function createLeaderboardService(dependencies: Dependencies): LeaderboardService {
  const { database, ranks, friends, centers, changes, now } = dependencies;
  const people = createPeople(database, changes);
  const public_boards = createPublicBoards({ ...dependencies, people });
  const friends_boards = createFriendsBoards(database, friends);

  function findBoard(user_id: string, query: WhichBoard): Promise<DatedBoard> {
    const { sport_center_id } = query;
    const center = sport_center_id === undefined ? undefined : centers.getById(sport_center_id);
    if (sport_center_id !== undefined && !center) {
      throw new AppError('sport_center_not_found', 'There is no such sport center');
    }
    const findZone = async () => center?.time_zone ?? (await findLatestZone(database, user_id)) ?? 'UTC';
    return resolveBoard(query, now().getTime(), findZone);
  }

  const boardsOf = ({ scope }: WhichBoard) => (scope === 'friends' ? friends_boards : public_boards);
  const isHidden = async (user_id: string) => (await people.find(user_id))?.is_on_boards === false;

  return {
    async getLeaderboard(user_id, query) {
      const { cursor, limit } = query;
      const skip = readCursor(cursor);
      const { board, period } = await findBoard(user_id, query);
      const view = await boardsOf(query).readPage(board, user_id, skip, limit);
      const next_cursor = skip + limit < view.total ? String(skip + limit) : null;
      return { ...view, hidden: await isHidden(user_id), period, next_cursor };
    },
    async getSurrounding(user_id, query) {
      const { board, period } = await findBoard(user_id, query);
      const { next_points, ...view } = await boardsOf(query).readAround(board, user_id, REACH);
      const gap_to_next = next_points === null || !view.me ? null : next_points - view.me.points;
      return { ...view, hidden: await isHidden(user_id), period, gap_to_next };
    },
    async getWeekRank(user_id, week_key) {
      const of = { sport: 'all', sport_center_id: ALL_CENTERS } as const;
      const week_before = isoWeekKey(addDays(isoWeekRange(week_key).starts_on, -1));
      const [place, before, hidden] = await Promise.all([
        public_boards.findPlace({ period: week_key, ...of }, user_id),
        public_boards.findPlace({ period: week_before, ...of }, user_id),
        isHidden(user_id),
      ]);
      return place ? { ...place, previous_rank: before?.rank ?? null, hidden } : null;
    },
    async getRoomBoard(sport_center_id, time_zone, at) {
      const key = isoWeekAt(at.getTime(), time_zone);
      const board = { period: key, sport: 'all', sport_center_id } as const;
      return { key, ...isoWeekRange(key), ...(await public_boards.listBest(board, SHOWN_IN_ROOM)) };
    },
    warm: () => ranks.warm(presentBoards(now().getTime())),
  };
}

/** The writing side of the boards: it needs no index, so the operator's line has it too. */
export const boardScores = {
  /** Brings the boards of an athlete's open weeks in line, as parts of the caller's statement. */
  partsOf: boardParts,
  /** The same for all weeks, final ones from the ledger; gives how many weeks there are and how many scores changed. */
  rebuild: rebuildBoards,
  /** Where the stored scores of an athlete differ from what activities and ledger give. */
  compare: compareBoards,
  /** Whether the week's boards are frozen at that moment. */
  isFinal: isFinalWeek,
  /** Runs what may change whether public boards show the user. */
  changeVisibility,
  /** What is told of changes on any number of boards. */
  broadcast: EVERY_BOARD,
};

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,8}$/.test(cursor)) throw new AppError('cursor_invalid', 'The cursor is not one of ours');
  return Number(cursor);
}
