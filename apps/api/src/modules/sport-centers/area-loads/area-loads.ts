import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { PlaceService } from '#api/modules/places/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { boxAround } from '../import/read/overpass-area.ts';
import { createLoadRunner, type LoadRunnerOptions } from './load-runner.ts';
import { insertLoad, listLoads, updateLoad } from './store.ts';

/** A square of 50 km: the surroundings of a metropolis would take the Overpass server too long. */
const MAX_RADIUS_KM = 25;
/** For loads that another node left, and those of the time before a restart. */
const CHECK_INTERVAL_MS = 30_000;

export type AreaLoadService = ReturnType<typeof createAreaLoadService>;

interface Dependencies extends Omit<LoadRunnerOptions, 'database'> {
  database: Database;
  /** Without statement time-outs, for the loads themselves. */
  unlimited_database: Database;
  places: Pick<PlaceService, 'getPlace'>;
}

/** Loads of an area's sport centers from OpenStreetMap; the server carries them out one at a time. */
export function createAreaLoadService({ database, unlimited_database, places, ...options }: Dependencies) {
  const runner = createLoadRunner({ ...options, database: unlimited_database });

  async function getLoad(id: string): Promise<AreaLoad> {
    const [load] = await listLoads(database, id);
    if (!load) throw new AppError('area_load_not_found', 'No load has this id');
    return load;
  }

  return {
    /** Requests the sport centers of a town. Returns the load of it that is open. Throws `town_unknown`. */
    async request(town_id: string, user_id: string): Promise<AreaLoad> {
      const town = places.getPlace(town_id);
      if (!town) throw new AppError('town_unknown', 'No town has this id');
      const box = boxAround(town, Math.min(town.radius_km, MAX_RADIUS_KM));
      const id = await database.transaction().execute(async (trx) => {
        const load = await insertLoad(trx, { name: town.name, box, requested_by: user_id });
        const details = { load_id: load.id, town_id, name: town.name };
        if (load.is_new) await recordAudit(trx, { act: 'area_load_requested', actor_id: user_id, details });
        return load.id;
      });
      runner.run().catch((error: unknown) => options.log.warn({ err: error }, 'a load of an area did not begin'));
      return getLoad(id);
    },
    list: () => listLoads(database),
    /** Stops a load that is not being saved yet. Returns it as it then is. Throws `area_load_not_found`. */
    async cancel(id: string, user_id: string): Promise<AreaLoad> {
      const change = { status: 'cancelled', retry_at: null, finished_at: options.now() } as const;
      await database.transaction().execute(async (trx) => {
        if (!(await updateLoad(trx, id, ['waiting', 'fetching'], change))) return;
        await recordAudit(trx, { act: 'area_load_cancelled', actor_id: user_id, details: { load_id: id } });
      });
      runner.stop(id);
      return getLoad(id);
    },
    /** Carries out the loads that no request of this node has begun. */
    createJob(): PeriodicJob {
      const job = createPeriodicJob({
        interval_ms: CHECK_INTERVAL_MS,
        work: runner.run,
        log: options.log,
        failure_message: 'loads of areas could not be carried out',
      });
      return {
        ...job,
        async close() {
          await runner.close();
          await job.close();
        },
      };
    },
  };
}
