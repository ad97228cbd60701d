import { minutesOf, type OpeningHours } from './opening-hours.ts';

const DAY_MINUTES = 1440;

/** Whether no two intervals of a day, and none of the day before, are open at the same time. */
export function areDisjoint(weekly: OpeningHours['weekly']): boolean {
  return weekly.every((intervals, day) => {
    const before = (weekly[(day + weekly.length - 1) % weekly.length] ?? []).flatMap(({ opens, closes }) =>
      closes <= opens ? [{ opens: 0, closes: minutesOf(closes) }] : [],
    );
    const own = intervals.map(({ opens, closes }) => ({
      opens: minutesOf(opens),
      closes: closes <= opens ? DAY_MINUTES : minutesOf(closes),
    }));
    const sorted = [...before, ...own].sort((a, b) => a.opens - b.opens || a.closes - b.closes);
    return sorted.every((interval, at) => at === 0 || (sorted[at - 1]?.closes ?? 0) <= interval.opens);
  });
}
