import type { Badge } from '@sendlap/contract/badges.ts';
import { type Dashboard, getDashboard, type WeekRank } from '@sendlap/contract/dashboard.ts';
import { isoWeekRange, isoWeekWorldwide } from '@sendlap/domain/dates.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import type { Route } from '#api/http/route.ts';
import { buildShelf, type Shelf, type ShelfJson, selectShelf } from '#api/modules/badges/service.ts';
import type { LeaderboardService } from '#api/modules/leaderboards/service.ts';
import { buildStats, type Stats, type StatsJson, selectStats } from '#api/modules/stats/service.ts';
import { AppError } from '#api/platform/errors.ts';

const MAX_LATEST = 6;

export type DashboardService = ReturnType<typeof createDashboardService>;

interface Dependencies {
  database: Database;
  leaderboards: Pick<LeaderboardService, 'getWeekRank'>;
  now: () => Date;
}

/**
 * Everything except the rank comes from one statement; the rank comes from the boards, and only the rank is missing if
 * they fail.
 */
export function createDashboardService({ database, leaderboards, now }: Dependencies) {
  return {
    async getDashboard(user_id: string): Promise<Dashboard> {
      const at = now();
      const readRank = (week_key: string) => rankOrUnknown(leaderboards.getWeekRank(user_id, week_key));
      // If it is the same week everywhere on earth, the rank can be read in parallel.
      const week_key = isoWeekWorldwide(at.getTime());
      const [found, early_rank] = await Promise.all([
        loadStatsAndShelf(database, user_id, at),
        week_key === undefined ? null : readRank(week_key),
      ]);
      const stats = buildStats(found, at);
      const rank = early_rank ?? (await readRank(stats.week_key));
      return { ...presentStats(stats), ...rank, badges: presentShelf(buildShelf(stats, found)) };
    },
  };
}

export function mountDashboard(route: Route, dashboard: DashboardService): void {
  route(getDashboard, (_request, { user_id }) => dashboard.getDashboard(user_id));
}

/** A failure of the boards must not fail the rest. */
async function rankOrUnknown(reading: Promise<WeekRank | null>): Promise<Pick<Dashboard, 'rank' | 'rank_known'>> {
  try {
    return { rank: await reading, rank_known: true };
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return { rank: null, rank_known: false };
    throw error;
  }
}

async function loadStatsAndShelf(database: Database, user_id: string, at: Date): Promise<StatsJson & ShelfJson> {
  const { rows } = await sql<StatsJson & ShelfJson>`${PREPARED}
    select ${selectStats(user_id, at)}, ${selectShelf(user_id)}`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('a select without a table gives one row');
  return row;
}

function presentStats({ week_key, time_zone, weeks, streak, skills, trend }: Stats) {
  const { on_target_of_8: _skill, ...shown } = streak;
  return {
    lifetime_points: weeks.reduce((sum, { points }) => sum + points, 0),
    week: { key: week_key, ...isoWeekRange(week_key), time_zone, points: trend.weeks.at(-1)?.points ?? 0 },
    streak: shown,
    skills,
    trend,
  };
}

function presentShelf({ badges, next }: Shelf): Dashboard['badges'] {
  const earned = badges.flatMap((badge) =>
    badge.earned_at === null ? [] : [{ ...badge, earned_at: badge.earned_at }],
  );
  const latest: Badge[] = earned.toSorted((a, b) => Date.parse(b.earned_at) - Date.parse(a.earned_at));
  return { earned: earned.length, total: badges.length, latest: latest.slice(0, MAX_LATEST), next };
}
