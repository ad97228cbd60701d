import type { WeekRank } from '@sendlap/contract/dashboard.ts';
import {
  getLeaderboard,
  getSurrounding,
  type Leaderboard,
  ROWS_EACH_SIDE,
  type SurroundingLeaderboard,
} from '@sendlap/contract/leaderboards.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { isoWeekAt, isoWeekRange } from '@sendlap/domain/dates.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { BroadcastEvent, EventWriter } from '#api/events/events.ts';
import { toRawJson } from '#api/http/raw-json.ts';
import type { Route } from '#api/http/route.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { AppError, cursorInvalid } from '#api/platform/errors.ts';
import type { RecentChanges } from '#api/sessions/recent-changes.ts';
import { createFriendsBoards } from './friends-boards.ts';
import { createPeopleCache } from './people.ts';
import { createPublicBoards } from './public-boards.ts';
import { ALL_CENTERS, currentBoards, weekBefore } from './ranks/boards.ts';
import { IS_ON_BOARDS } from './ranks/on-boards.ts';
import type { RankIndex } from './ranks/rank-index.ts';
import { type BoardQuery, type ResolvedBoard, resolveBoard } from './resolve-board.ts';
import { findLatestZone } from './store.ts';

/** Broadcast: any board may have changed. To be published after a change that may affect any board. */
export const ALL_BOARDS_CHANGED: BroadcastEvent = {
  type: 'leaderboard_changed',
  key: 'all',
  sport_center_id: ALL_CENTERS,
};

const CENTER_BOARD_ROWS = 20;

export type LeaderboardService = ReturnType<typeof createLeaderboardService>;

interface Dependencies {
  database: Database;
  ranks: Pick<RankIndex, 'readPage' | 'readAround' | 'rankOf' | 'warm'>;
  friends: Pick<FriendService, 'listFriendIds'>;
  /** Closed centers too; undefined if the center does not exist. */
  centers: { getById(id: string): { time_zone: string } | undefined };
  changes: RecentChanges;
  now: () => Date;
}

/**
 * Ranks of athletes by week, season and all time; a read includes everything committed on this node before the call.
 */
export function createLeaderboardService(dependencies: Dependencies) {
  const { database, ranks, friends, centers, changes, now } = dependencies;
  const people = createPeopleCache(database, changes);
  const public_boards = createPublicBoards({ ...dependencies, people });
  const friends_boards = createFriendsBoards(database, friends);

  function findBoard(user_id: string, query: BoardQuery): Promise<ResolvedBoard> {
    const { sport_center_id } = query;
    const center = sport_center_id === undefined ? undefined : centers.getById(sport_center_id);
    if (sport_center_id !== undefined && !center) {
      throw new AppError('sport_center_not_found', 'There is no such sport center');
    }
    const findZone = async () => center?.time_zone ?? (await findLatestZone(database, user_id)) ?? 'UTC';
    return resolveBoard(query, now().getTime(), findZone);
  }

  const boardsOf = ({ scope }: BoardQuery) => (scope === 'friends' ? friends_boards : public_boards);
  const isHidden = async (user_id: string) => (await people.find(user_id))?.is_on_boards === false;

  return {
    /**
     * Returns a page of a board with the caller's own row. Throws `sport_center_not_found`, `cursor_invalid`, and
     * `validation_failed` for a key whose period does not exist or has not begun.
     */
    async getLeaderboard(user_id: string, query: ParsedRequest<typeof getLeaderboard>['query']): Promise<Leaderboard> {
      const { cursor, limit } = query;
      const skip = parseCursor(cursor);
      const { board, period } = await findBoard(user_id, query);
      const view = await boardsOf(query).readPage(board, user_id, skip, limit);
      const next_cursor = skip + limit < view.total ? String(skip + limit) : null;
      return { ...view, hidden: await isHidden(user_id), period, next_cursor };
    },
    /** Returns three rows above the caller and three below. Throws the same errors as `getLeaderboard`. */
    async getSurrounding(
      user_id: string,
      query: ParsedRequest<typeof getSurrounding>['query'],
    ): Promise<SurroundingLeaderboard> {
      const { board, period } = await findBoard(user_id, query);
      const { next_points, ...view } = await boardsOf(query).readAround(board, user_id, ROWS_EACH_SIDE);
      const gap_to_next = next_points === null || !view.me ? null : next_points - view.me.points;
      return { ...view, hidden: await isHidden(user_id), period, gap_to_next };
    },
    /** Returns the caller's rank on a week's public board of all sports and centers; null without points there. */
    async getWeekRank(user_id: string, week_key: string): Promise<WeekRank | null> {
      const all_sports_and_centers = { sport: 'all', sport_center_id: ALL_CENTERS } as const;
      const [rank, before, hidden] = await Promise.all([
        public_boards.findRank({ period: week_key, ...all_sports_and_centers }, user_id),
        public_boards.findRank({ period: weekBefore(week_key), ...all_sports_and_centers }, user_id),
        isHidden(user_id),
      ]);
      return rank ? { ...rank, previous_rank: before?.rank ?? null, hidden } : null;
    },
    /** Returns the top of this week's board (center's time zone), as far as any visitor of the center may see it. */
    async getCenterBoard(sport_center_id: string, time_zone: string, at: Date) {
      const key = isoWeekAt(at.getTime(), time_zone);
      const board = { period: key, sport: 'all', sport_center_id } as const;
      return { key, ...isoWeekRange(key), ...(await public_boards.listTop(board, CENTER_BOARD_ROWS)) };
    },
    /** Fills the most read boards of all centers in advance, so that no caller has to wait. */
    warm: () => ranks.warm(currentBoards(now().getTime())),
  };
}

export function mountLeaderboards(route: Route, leaderboards: LeaderboardService): void {
  route(getLeaderboard, async ({ query }, caller) =>
    toRawJson(await leaderboards.getLeaderboard(caller.user_id, query)),
  );
  route(getSurrounding, async ({ query }, caller) =>
    toRawJson(await leaderboards.getSurrounding(caller.user_id, query)),
  );
}

function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,8}$/.test(cursor)) throw cursorInvalid();
  return Number(cursor);
}

/**
 * Runs a change that may affect whether public boards show the user (their choice, their age, a lock), in one
 * transaction that first locks the user's row, as every writer of boards does. If visibility changes, all their scores
 * get a new version, and every node's rank index is notified.
 */
export async function changeVisibility<Value>(
  events: EventWriter,
  user_id: string,
  run: (trx: Trx) => Promise<Value>,
): Promise<Value> {
  return events.transact(async (trx) => {
    // A separate statement: a combined one that waited for the lock would read the age as it was before the wait.
    await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
    const was_shown = await isShownOnBoards(trx, user_id);
    const value = await run(trx);
    if ((await isShownOnBoards(trx, user_id)) !== was_shown) {
      await bumpScoreVersions(trx, user_id);
      events.publish(trx, [], [ALL_BOARDS_CHANGED]);
    }
    return value;
  });
}

/** False for a missing user. */
async function isShownOnBoards(trx: Trx, user_id: string): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select ${IS_ON_BOARDS} as shown from users u where u.id = ${user_id}`.execute(trx);
  return rows[0]?.shown ?? false;
}

/** Needed because an index drops scores whose version is not higher than the known one. */
async function bumpScoreVersions(trx: Trx, user_id: string): Promise<void> {
  await sql`
    with renewed as (update board_scores set version = version + 1 where user_id = ${user_id} returning 1)
    insert into board_changes (user_id, periods)
    select ${user_id}, null from renewed having count(*) > 0`.execute(trx);
}
