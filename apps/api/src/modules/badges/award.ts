import type { AthleteWeek } from '@sendlap/domain/progress/athlete-weeks.ts';
import { type BadgeFacts, type BadgeId, earnedBadges } from '@sendlap/domain/progress/badges.ts';
import { type RawBuilder, sql } from 'kysely';
import type { KeptFor } from '#api/events/event-store.ts';
import { athleteWeeks } from '#api/modules/stats/service.ts';
import { type BadgeRow, badgeParts, selectGiven } from './store.ts';

/** What a step changes. */
export interface BadgeStep {
  athlete_id: string;
  /** All validated activities of each week that the step touches; none where it touches no points. */
  weeks: Parameters<typeof athleteWeeks.sum>[0][];
  /** Whose confirmation counts because of the step, and did not before; null: nobody's. */
  confirmed_by: string | null;
  at: Date;
}

/** Parts of the step's statement, and what the people are told. */
export interface Awarded {
  parts: RawBuilder<unknown>[];
  news: KeptFor[];
}

/**
 * The athlete's weeks after an op and the badges that it earns, for the scanner too. The athlete is told only of badges
 * that the op reached; a badge that the facts before it reached, because its rule is newer, is stored silently.
 */
export function awardStep({ weeks, earned, scanner }: BadgeCase, step: BadgeStep): Awarded {
  if (step.weeks.length === 0) return { parts: [], news: [] };
  const sums = step.weeks.map(athleteWeeks.sum);
  const touched = new Set(sums.map(({ week_key }) => week_key));
  const after = [...weeks.filter(({ week_key }) => !touched.has(week_key)), ...sums];
  const people = [award(step.athlete_id, earned, factsOf(weeks), factsOf(after))];
  if (scanner && scanner.id === step.confirmed_by) people.push(awardScanner(scanner));
  const rows: BadgeRow[] = people.flatMap(({ user_id, badges }) =>
    badges.map((badge) => ({ user_id, badge, earned_at: step.at })),
  );
  return {
    parts: [...athleteWeeks.partsOf(step.athlete_id, sums), ...badgeParts(rows)],
    news: people.flatMap(({ news }) => news),
  };
}

function factsOf(weeks: BadgeFacts['weeks']): BadgeFacts {
  return { weeks, validations_given: 0 };
}

/** Also what another's step gave them, when a confirmation came into force again: nobody else tells them. */
function awardScanner({ id, earned, validations_given }: NonNullable<BadgeCase['scanner']>) {
  const nothing = { weeks: [], validations_given: 0 };
  return award(id, earned, nothing, { weeks: [], validations_given: validations_given + 1 });
}

function award(user_id: string, earned: BadgeId[], before: BadgeFacts, after: BadgeFacts) {
  const known = new Set(earned);
  const badges = earnedBadges(after).filter((id) => !known.has(id));
  const reached_before = new Set(badges.length === 0 ? [] : earnedBadges(before));
  const news: KeptFor[] = badges
    .filter((id) => !reached_before.has(id))
    .map((badge) => ({ user_id, event: { type: 'badge_earned', badge } }));
  return { user_id, badges, news };
}

/** What badges are decided by, as it stands before a step. */
export interface BadgeCase {
  weeks: AthleteWeek[];
  earned: BadgeId[];
  /** Who scans; undefined for the athlete's own steps. */
  scanner: { id: string; validations_given: number; earned: BadgeId[] } | undefined;
}

/** The columns of `selectCase`. */
export interface BadgeCaseJson {
  badge_case: {
    weeks: Parameters<typeof athleteWeeks.read>[0];
    earned: BadgeId[] | null;
    scanner_id: string | null;
    given: number;
    scanner_earned: BadgeId[] | null;
  } | null;
}

/** SQL of the columns of `BadgeCaseJson`. */
export function selectCase(athlete_id: string, scanner_id: string | undefined): RawBuilder<unknown> {
  const scanner = scanner_id ?? null;
  const names = (user_id: string | null) => sql`(select json_agg(badge) from badges where user_id = ${user_id})`;
  return sql`json_build_object('weeks', ${athleteWeeks.select(athlete_id)}, 'earned', ${names(athlete_id)},
      'scanner_id', ${scanner}::uuid, 'given', ${selectGiven(scanner)}, 'scanner_earned', ${names(scanner)}) as badge_case`;
}

export function readCase({ badge_case }: BadgeCaseJson): BadgeCase {
  if (badge_case === null) return { weeks: [], earned: [], scanner: undefined };
  const { weeks, earned, scanner_id, given, scanner_earned } = badge_case;
  const scanner = scanner_id === null ? undefined : { id: scanner_id, validations_given: given };
  return {
    weeks: athleteWeeks.read(weeks),
    earned: earned ?? [],
    scanner: scanner && { ...scanner, earned: scanner_earned ?? [] },
  };
}
