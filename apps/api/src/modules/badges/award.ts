import { type BadgeFacts, type BadgeId, earnedBadges } from '@sendlap/domain/badges.ts';
import type { RawBuilder } from 'kysely';
import { athleteWeeks } from '#api/modules/stats/service.ts';
import type { KeptFor } from '#api/platform/event-store.ts';
import type { BadgeCase } from './badge-case.ts';
import { type BadgeRow, badgeParts } from './store.ts';

/** What a step changes. */
export interface BadgeStep {
  athlete_id: string;
  /** All validated activities of each week that the step touches; none where it touches no points. */
  weeks: Parameters<typeof athleteWeeks.sum>[0][];
  /** Whose confirmation stands because of the step, and did not before; null: nobody's. */
  confirmed_by: string | null;
  at: Date;
}

/** Parts of the step's statement, and what the people are told. */
export interface Awarded {
  parts: RawBuilder<unknown>[];
  news: KeptFor[];
}

/**
 * The athlete's weeks after a step and the badges that it earns, for whoever confirmed too. Told is only what the step
 * reached: what the facts before it gave already is kept silently, as the rule is newer than they are.
 */
export function awardStep({ weeks, earned, scanner }: BadgeCase, step: BadgeStep): Awarded {
  if (step.weeks.length === 0) return { parts: [], news: [] };
  const sums = step.weeks.map(athleteWeeks.sum);
  const touched = new Set(sums.map(({ week_key }) => week_key));
  const after = [...weeks.filter(({ week_key }) => !touched.has(week_key)), ...sums];
  const people = [
    award(step.athlete_id, earned, { weeks, validations_given: 0 }, { weeks: after, validations_given: 0 }),
  ];
  if (scanner && scanner.id === step.confirmed_by) {
    const given = (validations_given: number) => ({ weeks: [], validations_given });
    const count = scanner.validations_given;
    people.push(award(scanner.id, scanner.earned, given(count), given(count + 1)));
  }
  const rows: BadgeRow[] = people.flatMap(({ user_id, badges }) =>
    badges.map((badge) => ({ user_id, badge, earned_at: step.at })),
  );
  return {
    parts: [...athleteWeeks.partsOf(step.athlete_id, sums), ...badgeParts(rows)],
    news: people.flatMap(({ news }) => news),
  };
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
