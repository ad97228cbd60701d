import { type Badge, listBadges } from '@sendlap/contract/badges.ts';
import { BADGE_IDS, BADGES, type BadgeId, badgeProgress, nextBadges } from '@sendlap/domain/progress/badges.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import type { Route } from '#api/http/route.ts';
import { buildStats, type Stats, type StatsJson, selectStats } from '#api/modules/stats/service.ts';
import { type EarnedBadgesJson, selectEarnedBadges, selectValidationsGiven } from './store.ts';

const MAX_NEXT = 3;

export type BadgeService = ReturnType<typeof createBadgeService>;

/** The columns of `selectShelf`. */
export interface ShelfJson {
  earned: EarnedBadgesJson;
  given: number;
}

export interface Shelf {
  /** In the order of the shelf. */
  badges: Badge[];
  /** At most 3 unearned badges, the nearest first. */
  next: Badge[];
}

export function createBadgeService(database: Database, now: () => Date) {
  return {
    /** All badges in the order of the shelf. */
    async listBadges(user_id: string): Promise<Badge[]> {
      const at = now();
      const { rows } = await sql<StatsJson & ShelfJson>`${PREPARED}
        select ${selectStats(user_id, at)}, ${selectShelf(user_id)}`.execute(database);
      const [row] = rows;
      if (!row) throw new Error('a select without a table gives one row');
      return buildShelf(buildStats(row, at), row).badges;
    },
  };
}

export function mountBadges(route: Route, badges: BadgeService): void {
  route(listBadges, async (_request, { user_id }) => ({ items: await badges.listBadges(user_id) }));
}

/** SQL of the columns of `ShelfJson`. */
export function selectShelf(user_id: string): RawBuilder<unknown> {
  return sql`${selectEarnedBadges(user_id)} as earned, ${selectValidationsGiven(user_id)} as given`;
}

/**
 * The shelf of an athlete with these weeks. An earned badge stays earned, even if its activities were withdrawn since.
 */
export function buildShelf(
  { weeks, week_key }: Pick<Stats, 'weeks' | 'week_key'>,
  { earned, given }: ShelfJson,
): Shelf {
  const dates = new Map((earned ?? []).map(({ badge, earned_at }) => [badge, earned_at]));
  const progress = badgeProgress({ weeks, validations_given: given }, week_key);
  const present = (id: BadgeId): Badge => {
    const { goal } = BADGES[id];
    const earned_at = dates.get(id);
    if (earned_at === undefined) return { id, earned_at: null, progress: Math.min(goal, progress[id]), goal };
    return { id, earned_at: new Date(earned_at).toISOString(), progress: goal, goal };
  };
  return {
    badges: BADGE_IDS.map(present),
    next: nextBadges(progress, new Set(dates.keys()), MAX_NEXT).map(present),
  };
}
