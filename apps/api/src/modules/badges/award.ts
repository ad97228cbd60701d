import type { AthleteWeek } from '@sendlap/domain/progress/athlete-weeks.ts';
import { type BadgeFacts, type BadgeId, earnedBadges } from '@sendlap/domain/progress/badges.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import {
  type CountedWeek,
  parseWeeks,
  selectWeeks,
  toAthleteWeek,
  type WeekColumns,
  weekCtes,
} from '#api/modules/stats/athlete-weeks.ts';
import { type BadgeRow, badgeCtes, selectValidationsGiven } from './store.ts';

/** The changes an op makes, as far as badges depend on them. */
export interface BadgeTrigger {
  athlete_id: string;
  /** All validated activities of each week the op touches; empty if it touches no points. */
  weeks: CountedWeek[];
  /** The user whose confirmation newly counts because of the op, else null. */
  confirmed_by: string | null;
  at: Date;
}

/** CTEs of the op's statement, and the notifications. */
export interface BadgeAward {
  ctes: RawBuilder<unknown>[];
  events: UserEvent[];
}

/**
 * Computes the athlete's weeks after an op and the badges it earns, also for the scanner. `inputs` may be missing for an
 * op that changes no points. The athlete is notified only
 * of badges the op reached; a badge already reached by the inputs before (its rule is newer) is stored silently.
 */
export function awardForOp(inputs: BadgeInputs | undefined, trigger: BadgeTrigger): BadgeAward {
  if (trigger.weeks.length === 0) return { ctes: [], events: [] };
  if (!inputs) throw new Error('points changed, but the inputs of the badge rules were not read');
  const { weeks, earned, scanner } = inputs;
  const sums = trigger.weeks.map(toAthleteWeek);
  const touched = new Set(sums.map(({ week_key }) => week_key));
  const after = [...weeks.filter(({ week_key }) => !touched.has(week_key)), ...sums];
  const people = [award(trigger.athlete_id, earned, toBadgeFacts(weeks), toBadgeFacts(after))];
  if (scanner && scanner.id === trigger.confirmed_by) people.push(awardScanner(scanner));
  const rows: BadgeRow[] = people.flatMap(({ user_id, badges }) =>
    badges.map((badge) => ({ user_id, badge, earned_at: trigger.at })),
  );
  return {
    ctes: [...weekCtes(trigger.athlete_id, sums), ...badgeCtes(rows)],
    events: people.flatMap(({ news }) => news),
  };
}

function toBadgeFacts(weeks: BadgeFacts['weeks']): BadgeFacts {
  return { weeks, validations_given: 0 };
}

/** Includes badges from another user's op that put a confirmation back in force: only this notifies the scanner. */
function awardScanner({ id, earned, validations_given }: NonNullable<BadgeInputs['scanner']>) {
  const nothing = { weeks: [], validations_given: 0 };
  return award(id, earned, nothing, { weeks: [], validations_given: validations_given + 1 });
}

function award(user_id: string, earned: BadgeId[], before: BadgeFacts, after: BadgeFacts) {
  const known = new Set(earned);
  const badges = earnedBadges(after).filter((id) => !known.has(id));
  const reached_before = new Set(badges.length === 0 ? [] : earnedBadges(before));
  const news: UserEvent[] = badges
    .filter((id) => !reached_before.has(id))
    .map((badge) => ({ user_id, event: { type: 'badge_earned', badge } }));
  return { user_id, badges, news };
}

/** Inputs of the badge rules before an op. */
export interface BadgeInputs {
  weeks: AthleteWeek[];
  earned: BadgeId[];
  /** The scanner; undefined for the athlete's own ops. */
  scanner: { id: string; validations_given: number; earned: BadgeId[] } | undefined;
}

/** The columns of `selectBadgeInputs`. */
export interface BadgeInputsJson {
  badge_case: {
    weeks: WeekColumns;
    earned: BadgeId[] | null;
    scanner_id: string | null;
    given: number;
    scanner_earned: BadgeId[] | null;
  } | null;
}

/** SQL of the columns of `BadgeInputsJson`; without `is_wanted` they are null, and no table is read. */
export function selectBadgeInputs(
  athlete_id: string,
  scanner_id: string | null,
  is_wanted: boolean,
): RawBuilder<unknown> {
  const selectBadgeIds = (user_id: string | null) =>
    sql`(select json_agg(badge) from badges where user_id = ${user_id})`;
  return sql`case when ${is_wanted}::boolean then
      json_build_object('weeks', ${selectWeeks(athlete_id)}, 'earned', ${selectBadgeIds(athlete_id)},
        'scanner_id', ${scanner_id}::uuid, 'given', ${selectValidationsGiven(scanner_id)},
        'scanner_earned', ${selectBadgeIds(scanner_id)}) end as badge_case`;
}

export function parseBadgeInputs({ badge_case }: BadgeInputsJson): BadgeInputs | undefined {
  if (badge_case === null) return undefined;
  const { weeks, earned, scanner_id, given, scanner_earned } = badge_case;
  const scanner = scanner_id === null ? undefined : { id: scanner_id, validations_given: given };
  return {
    weeks: parseWeeks(weeks),
    earned: earned ?? [],
    scanner: scanner && { ...scanner, earned: scanner_earned ?? [] },
  };
}

/** Returns the badges that a user with these weeks has reached and does not have. */
export async function findMissingBadges(trx: Trx, user_id: string, weeks: readonly AthleteWeek[]): Promise<BadgeId[]> {
  const { rows } = await sql<{ given: number; earned: BadgeId[] | null }>`
    select ${selectValidationsGiven(user_id)} as given,
      (select json_agg(badge) from badges where user_id = ${user_id}) as earned`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('a select without a table gives one row');
  const known = new Set(row.earned);
  return earnedBadges({ weeks, validations_given: row.given }).filter((id) => !known.has(id));
}

/**
 * Awards the missing badges silently, dated `at`; the caller holds the lock of the user's row. Returns their number.
 */
export async function rebuildBadges(
  trx: Trx,
  user_id: string,
  weeks: readonly AthleteWeek[],
  at: Date,
): Promise<number> {
  const missing = await findMissingBadges(trx, user_id, weeks);
  const parts = badgeCtes(missing.map((badge) => ({ user_id, badge, earned_at: at })));
  if (parts.length > 0) await sql`with ${sql.join(parts)} select 1`.execute(trx);
  return missing.length;
}
