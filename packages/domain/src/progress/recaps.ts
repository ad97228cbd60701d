import { SPORT_RECORDS, SPORTS, type Sport } from '../sports.ts';
import { type AthleteWeek, countActiveDays, sum } from './athlete-weeks.ts';

/** What an athlete did in one sport; `metres`: null if the sport has no distance. */
interface SportSums {
  sport_type: Sport;
  activities: number;
  metres: number | null;
}

/** What an athlete did in some weeks. */
interface WeekSums {
  points: number;
  active_days: number;
  /** Only sports with an activity, in the order of the app. */
  sports: SportSums[];
}

/** Returns the sums of these weeks of an athlete; null if they hold no activity. */
export function sumWeeks(weeks: readonly AthleteWeek[]): WeekSums | null {
  const sports = SPORTS.map((sport_type) => sumSport(sport_type, weeks)).filter(({ activities }) => activities > 0);
  if (sports.length === 0) return null;
  return { points: sum(weeks.map(({ points }) => points)), active_days: sum(weeks.map(countActiveDays)), sports };
}

function sumSport(sport_type: Sport, weeks: readonly AthleteWeek[]): SportSums {
  const { count, metres } = SPORT_RECORDS[sport_type].week;
  return {
    sport_type,
    activities: sum(weeks.map((week) => week[count])),
    metres: metres === null ? null : sum(weeks.map((week) => week[metres])),
  };
}

/** Returns the week with the most points, of equal ones the earliest; null if no week has points. */
export function findBestWeek<Week extends Pick<AthleteWeek, 'week_key' | 'points'>>(
  weeks: readonly Week[],
): Week | null {
  const [best] = weeks
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || (a.week_key < b.week_key ? -1 : 1));
  return best ?? null;
}
