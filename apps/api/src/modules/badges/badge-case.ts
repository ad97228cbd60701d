import type { AthleteWeek } from '@sendlap/domain/athlete-weeks.ts';
import type { BadgeId } from '@sendlap/domain/badges.ts';
import { type RawBuilder, sql } from 'kysely';
import { athleteWeeks } from '#api/modules/stats/service.ts';
import { selectGiven } from './store.ts';

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
