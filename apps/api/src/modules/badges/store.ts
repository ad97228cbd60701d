import { BADGE_IDS, BADGES, type BadgeId } from '@sendlap/domain/progress/badges.ts';
import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { type RawBuilder, sql } from 'kysely';
import { activeSecondsOf } from '#api/database/active-time.ts';

/** Counting stops at the highest goal of any badge, and is not begun for a user who has that badge. */
const [LAST_BADGE, MAX_COUNTED_VALIDATIONS] = BADGE_IDS.flatMap((id): [BadgeId, number][] =>
  BADGES[id].kind === 'validations_given' ? [[id, BADGES[id].goal]] : [],
).reduce((last, each) => (each[1] > last[1] ? each : last));

export interface BadgeRow {
  user_id: string;
  badge: BadgeId;
  earned_at: Date;
}

/** JSON form; `earned_at` is an ISO time. */
export type EarnedBadgesJson = { badge: BadgeId; earned_at: string }[] | null;

/** SQL of `EarnedBadgesJson`. */
export function selectEarnedBadges(user_id: string | null): RawBuilder<unknown> {
  return sql`(
    select json_agg(json_build_object('badge', badge, 'earned_at', earned_at)) from badges where user_id = ${user_id})`;
}

/**
 * SQL that counts the long-enough activities in force by this user's confirmation (an id or a column), up to
 * `MAX_COUNTED_VALIDATIONS`. The order is that of the index `activities_by_decider`: without it a generic plan expects
 * so many rows for each of a few deciders that it reads the whole table, even for a user who decided nothing.
 */
export function selectValidationsGiven(user_id: string | RawBuilder<unknown> | null): RawBuilder<unknown> {
  return sql`(
    select (case
      when exists (select from badges where user_id = me.id and badge = ${sql.lit(LAST_BADGE)})
        then ${sql.lit(MAX_COUNTED_VALIDATIONS)}
      else (
        select count(*) from (
          select 1 from activities a
          where decided_by = me.id and status = 'validated'
            and ${activeSecondsOf('a')} >= ${sql.lit(MIN_SCORED_MINUTES * 60)}
          order by decided_by, local_date limit ${sql.lit(MAX_COUNTED_VALIDATIONS)}) given)
      end)::int
    from (select ${user_id}::uuid as id) me)`;
}

/**
 * Stores badges, each at most once, as a CTE of one statement: `badges_earned`. All writers use the same order, so
 * that two who store the same badges cannot deadlock.
 */
export function badgeCtes(rows: BadgeRow[]): RawBuilder<unknown>[] {
  if (rows.length === 0) return [];
  return [
    sql`
    badges_earned as (
      insert into badges (user_id, badge, earned_at)
      select user_id, badge, earned_at from jsonb_populate_recordset(null::badges, ${JSON.stringify(rows)}::jsonb)
      order by user_id, badge
      on conflict (user_id, badge) do nothing
      returning 1)`,
  ];
}
