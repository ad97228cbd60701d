import { DAY_MS, WEEK_MS } from '@sendlap/domain/durations.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { Database } from '#api/database/database.ts';
import type { Snapshot } from './snapshot.ts';
import { countActivities } from './store.ts';

/** 1970-01-05, the first Monday of the Unix epoch. */
const A_MONDAY_MS = 4 * DAY_MS;
const COUNTED_WEEKS = 13;
const COUNTS_MAX_AGE_MS = 3_600_000;
/** Below either, a count would reveal when single people train; such a center counts as one without activities. */
const MIN_COUNTS = { min_activities: 5, min_athletes: 3 };
/** Published counts are rounded down to one of these. */
const COUNT_STEPS = [5, 10, 20, 50, 100, 200, 500, 1000];
/** Default radius of recommendations around a position. */
const DEFAULT_RADIUS_KM = 50;

interface Recommendation {
  number: number;
  distance_km: number;
  activity_count: number;
}

export function createRecommendations(database: Database, now: () => Date) {
  let counts: Promise<Map<string, number>> | undefined;
  let counted_at = 0;

  function getRecentCounts(): Promise<Map<string, number>> {
    const time = now().getTime();
    if (!counts || time - counted_at >= COUNTS_MAX_AGE_MS) {
      counted_at = time;
      // Whole weeks, so that watching a count never reveals the day.
      const until = time - ((time - A_MONDAY_MS) % WEEK_MS);
      const since = until - COUNTED_WEEKS * WEEK_MS;
      counts = countActivities(database, { since: new Date(since), until: new Date(until), ...MIN_COUNTS }).then(
        (rows) => new Map(rows.map(({ id, count }) => [id, count])),
      );
      counts.catch(() => {
        counts = undefined;
      });
    }
    return counts;
  }

  return {
    /**
     * Returns centers around a position, the most active first, then the nearest; so centers with little or no activity
     * come last.
     */
    async find(
      snapshot: Snapshot,
      { limit, radius_km = DEFAULT_RADIUS_KM, latitude, longitude }: Position & { radius_km?: number; limit: number },
    ): Promise<Recommendation[]> {
      const counted = new Map<number, number>();
      for (const [id, count] of await getRecentCounts()) {
        const number = snapshot.index.numberOf(id);
        if (number !== undefined) counted.set(number, count);
      }
      const query = { latitude, longitude, radius_km };
      const active = snapshot.index.search(query, new Set(counted.keys()), { limit: Math.max(1, counted.size) }).hits;
      // The sort is stable: equal counts stay ordered by distance.
      active.sort((a, b) => (counted.get(b.number) ?? 0) - (counted.get(a.number) ?? 0));
      const nearest = snapshot.index.search(query, undefined, { limit: limit + active.length }).hits;
      const others = nearest.filter(({ number }) => !counted.has(number));
      return [...active, ...others].slice(0, limit).map(({ number, distance_km }) => ({
        number,
        distance_km: distance_km ?? 0,
        activity_count: roundDownCount(counted.get(number) ?? 0),
      }));
    },
  };
}

function roundDownCount(count: number): number {
  return COUNT_STEPS.findLast((step) => step <= count) ?? 0;
}
