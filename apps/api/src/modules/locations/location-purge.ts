import { LOCATION_LIFETIME_MS } from '@sendlap/domain/locations.ts';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import type { PresenceNotifier } from './presence-notifier.ts';
import { deleteLocations } from './store.ts';

const INTERVAL_MS = 5 * 60_000;

interface LocationPurgeOptions {
  database: Database;
  presence: Pick<PresenceNotifier, 'notifyDeleted'>;
  now: () => Date;
  log: { warn(fields: object, text: string): void };
}

/** Job that deletes every location older than two hours. Several nodes may run it at once. */
export function createLocationPurge({ database, presence, now, log }: LocationPurgeOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'location_purge',
    interval_ms: INTERVAL_MS,
    async work() {
      const deleted = await deleteLocations(database, new Date(now().getTime() - LOCATION_LIFETIME_MS));
      await presence.notifyDeleted(deleted);
      return deleted.length;
    },
    log,
    failure_message: 'old locations could not be removed; retrying later',
  });
}
