import { LOCATION_LIFETIME_MS } from '@sendlap/domain/locations.ts';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import type { PresenceNews } from './presence-news.ts';
import { removeLocations } from './store.ts';

const INTERVAL_MS = 5 * 60_000;

interface ForgettingOptions {
  database: Database;
  presence: Pick<PresenceNews, 'tellGone'>;
  now: () => Date;
  log: { warn(fields: object, text: string): void };
}

/** Job that deletes every location older than two hours. Several nodes may run it at once. */
export function createForgetting({ database, presence, now, log }: ForgettingOptions): PeriodicJob {
  return createPeriodicJob({
    interval_ms: INTERVAL_MS,
    async work() {
      const gone = await removeLocations(database, new Date(now().getTime() - LOCATION_LIFETIME_MS));
      await presence.tellGone(gone);
      return gone.length;
    },
    log,
    failure: 'old locations could not be removed, it will be tried again',
  });
}
