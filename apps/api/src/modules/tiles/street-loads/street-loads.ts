import {
  cancelStreetLoad,
  listStreetLoads,
  requestStreetLoad,
  type StreetLoad,
} from '@sendlap/contract/map/street-loads.ts';
import type { Database } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { createStreetLoadQueue, type StreetLoadOptions } from './load-queue.ts';
import { findUnfinishedLoad, insertLoad, listLoads, updateLoad } from './store.ts';

/** Picks up a load that a crashed or restarted node left. */
const CHECK_INTERVAL_MS = 30_000;

export type StreetLoadService = ReturnType<typeof createStreetLoadService>;

interface Dependencies extends Omit<StreetLoadOptions, 'database'> {
  database: Database;
  /** Without statement time-outs, for the loads themselves. */
  unlimited_database: Database;
  /** Whether MAP_STREETS decides which streets the map has. */
  is_configured: boolean;
}

/** Loads of a town's streets; one at a time, at all nodes. */
export function createStreetLoadService(dependencies: Dependencies) {
  const { database, unlimited_database, is_configured, ...options } = dependencies;
  const { towns, now, log } = options;
  const queue = createStreetLoadQueue({ ...options, database: unlimited_database });

  /** Throws `street_load_not_found`. */
  async function getLoad(id: string): Promise<StreetLoad> {
    const [load] = await listLoads(database, id);
    if (!load) throw new AppError('street_load_not_found', 'No load has this id');
    return load;
  }

  return {
    /**
     * Requests the streets of a town. Returns its load that is under way, or a new one. Throws `town_unknown`,
     * `streets_in_settings`, `street_load_under_way`.
     */
    async request(town_id: string, user_id: string): Promise<StreetLoad> {
      const town = towns.getTown(town_id);
      if (!town) throw new AppError('town_unknown', 'No town has this id');
      if (is_configured) throw new AppError('streets_in_settings', 'MAP_STREETS decides which streets the map has');
      const { name } = town;
      const id = await database.transaction().execute(async (trx) => {
        const load_id = await insertLoad(trx, { town_id, name, requested_by: user_id });
        const details = { load_id, name };
        if (load_id !== undefined) await recordAudit(trx, { act: 'street_load_requested', actor_id: user_id, details });
        return load_id;
      });
      const under_way = id === undefined ? await findUnfinishedLoad(database) : { id, town_id };
      if (under_way?.town_id !== town_id)
        throw new AppError('street_load_under_way', 'The streets of another town are being loaded');
      queue.run().catch((error: unknown) => log.warn({ err: error }, 'a load of streets failed to start'));
      return getLoad(under_way.id);
    },
    list: async () => ({ items: await listLoads(database), next_cursor: null, is_configured }),
    /** Stops a load. Returns its current state. Throws `street_load_not_found`. */
    async cancel(id: string, user_id: string): Promise<StreetLoad> {
      await database.transaction().execute(async (trx) => {
        if (!(await updateLoad(trx, id, { status: 'cancelled', finished_at: now() }))) return;
        await recordAudit(trx, { act: 'street_load_cancelled', actor_id: user_id, details: { load_id: id } });
      });
      queue.stop(id);
      return getLoad(id);
    },
    /** Runs the load that no request of this node has started. */
    createJob(): PeriodicJob {
      const failure_message = 'loads of streets could not be run';
      const job = createPeriodicJob({
        name: 'street_loads',
        interval_ms: CHECK_INTERVAL_MS,
        work: () => queue.run(),
        log,
        failure_message,
      });
      return {
        ...job,
        async close() {
          await queue.close();
          await job.close();
        },
      };
    },
  };
}

export function mountStreetLoads(route: Route, street_loads: StreetLoadService): void {
  route(requestStreetLoad, ({ body }, { user_id }) => street_loads.request(body.town_id, user_id));
  route(listStreetLoads, async () => street_loads.list());
  route(cancelStreetLoad, ({ params }, { user_id }) => street_loads.cancel(params.id, user_id));
}
