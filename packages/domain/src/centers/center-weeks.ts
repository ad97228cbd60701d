import type { Sport } from '../sports.ts';

/** No number tells about fewer people than these. */
export const MIN_PEOPLE = 5;
/** Numbers are rounded down: a change between two looks would otherwise be what one person added or deleted. */
const STEP = 5;
const STEP_M = 1000;
const STEP_PERCENT = 10;

/** The activities at a center in a week, of all sports or of one. `people`: how many athletes recorded them. */
interface Recorded {
  people: number;
  activities: number;
  minutes: number;
}

export interface RecordedWeek extends Recorded {
  week_key: string;
  is_running: boolean;
  /** Each sport that the center offers or that was recorded. `metres` are of `people_with_metres`. */
  sports: (Recorded & { sport: Sport; metres: number; people_with_metres: number })[];
  /** Activities with a proof; how many people have one with, and one without. */
  confirmed: { activities: number; people_with: number; people_without: number };
}

interface ShownSport {
  sport: Sport;
  activities: number;
  hours: number;
  /** null: measured by fewer than `MIN_PEOPLE`. */
  metres: number | null;
}

export interface ShownWeek {
  week_key: string;
  is_running: boolean;
  /** null: fewer than `MIN_PEOPLE`, or none. */
  total: { people: number; activities: number; hours: number } | null;
  /** null: one of the sports has fewer than `MIN_PEOPLE`, but some. */
  sports: ShownSport[] | null;
  /** In percent of the activities; null: of too few people. */
  confirmed_percent: number | null;
}

/**
 * Returns the numbers of a week that a center's manager may see. A group of 1 to 4 people is in no number, and in no
 * difference of two numbers: one small sport hides all sports, because the total less the others is that sport. Sports
 * show no people: those of both sports are counted twice, and the surplus over the total would count them.
 */
export function hideSmallCounts(week: RecordedWeek): ShownWeek {
  const { week_key, is_running, people, activities, minutes, sports, confirmed } = week;
  const base = { week_key, is_running };
  if (people < MIN_PEOPLE) return { ...base, total: null, sports: null, confirmed_percent: null };
  const hasProofs = !is_running && isLargeOrNone(confirmed.people_with) && isLargeOrNone(confirmed.people_without);
  return {
    ...base,
    total: { people: down(people), activities: down(activities), hours: down(minutes / 60) },
    sports: sports.every((sport) => isLargeOrNone(sport.people))
      ? sports.map(({ sport, metres, people_with_metres, ...recorded }) => ({
          sport,
          activities: down(recorded.activities),
          hours: down(recorded.minutes / 60),
          metres: people_with_metres < MIN_PEOPLE ? null : down(metres, STEP_M),
        }))
      : null,
    confirmed_percent: hasProofs ? down((100 * confirmed.activities) / activities, STEP_PERCENT) : null,
  };
}

function down(value: number, step = STEP): number {
  return Math.floor(value / step) * step;
}

function isLargeOrNone(people: number): boolean {
  return people === 0 || people >= MIN_PEOPLE;
}
