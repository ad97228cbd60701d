import { SPORT_LIST } from './sports/sport-list.ts';

type Listed = (typeof SPORT_LIST)[number];
type WeekFields = Listed['week'];

/** The name of a sport. */
export type Sport = Listed['name'];
export const SPORTS = SPORT_LIST.map(({ name }) => name) as readonly Sport[] as readonly [Sport, ...Sport[]];
export const SPORT_RECORDS = Object.fromEntries(SPORT_LIST.map((sport) => [sport.name, sport])) as Record<
  Sport,
  Listed
>;

/** Metres; the most of any sport. */
export const MAX_DISTANCE_M = Math.max(...SPORT_LIST.map(({ distance }) => distance?.max_m ?? 0));

/** Field of the weekly totals that counts the activities of one sport. */
export type WeekCount = WeekFields['count'];
/** Field of the weekly totals that belongs to one sport. */
export type WeekTotal = WeekCount | NonNullable<WeekFields['metres' | 'longest_minutes']>;
export const WEEK_TOTALS: readonly WeekTotal[] = SPORT_LIST.flatMap(({ week }) => Object.values(week)).filter(
  (total) => total !== null,
);

/** A sport whose distance is measured. */
export type DistanceSport = Extract<Listed, { distance: object }>['name'];

export function hasDistance(sport: Sport): sport is DistanceSport {
  return SPORT_RECORDS[sport].distance !== null;
}

/** Returns whether the stated intensity scores in this sport; where a distance is measured, the pace scores. */
export function countsIntensity(sport: Sport): boolean {
  return !hasDistance(sport);
}

/** Returns whether an activity of this sport may have this distance (whole metres); null: none was measured. */
export function canHaveDistance(sport: Sport, distance_m: number | null): boolean {
  return distance_m === null || distance_m <= (SPORT_RECORDS[sport].distance?.max_m ?? -1);
}
