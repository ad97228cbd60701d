import { rm } from 'node:fs/promises';
import {
  type AreaLoad,
  cancelAreaLoad,
  getAreaLoad,
  listAreaLoads,
  requestAreaLoad,
} from '@sendlap/contract/area-loads.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { DAY_MS, HOUR_MS } from '@sendlap/domain/durations.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { OperatorService } from '#api/modules/operators/service.ts';
import type { ServerProfileService } from '#api/modules/server-profile/service.ts';
import type { TownService } from '#api/modules/towns/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { boxAround, splitIntoCells } from '../import/read/overpass-area.ts';
import { createAreaLoadQueue, type LoadOptions, repliesFolder } from './load-queue.ts';
import {
  cancelLoad,
  countLoadsSince,
  countUnfinished,
  deleteOldLoads,
  findCoveringLoad,
  findRequestTime,
  insertLoad,
  joinLoad,
  type LoadReader,
  listLoads,
  lockRequests,
  type NewLoad,
} from './store.ts';

/** A square of 50 km, 2,500 km²: more would take the Overpass server too long. */
const MAX_RADIUS_KM = 25;
/** Of an athlete, so that one account does not block the queue. */
const MAX_UNFINISHED_PER_USER = 2;
/** Of an athlete, so that a few accounts do not use up the hour of all. Failed loads are left out. */
const MAX_LOADS_A_DAY = 10;
/** As above, with failed loads, which use up the hour too. */
const MAX_TRIES_A_DAY = 20;
const MAX_CELLS = 16;
/** Of all athletes of the server, so that it is not a burden to the Overpass server. */
const MAX_LOADS_AN_HOUR = 60;
const RETRY_AFTER_S = 600;
/** Picks up loads that a crashed or restarted node left. */
const CHECK_INTERVAL_MS = 30_000;

export type AreaLoadService = ReturnType<typeof createAreaLoadService>;
type Area = Omit<NewLoad, 'requested_by'>;
type RequestedArea = ParsedRequest<typeof requestAreaLoad>['body'];

interface Dependencies extends Omit<LoadOptions, 'database'> {
  database: Database;
  /** Without statement time-outs, for the loads themselves. */
  unlimited_database: Database;
  towns: Pick<TownService, 'getTown' | 'namesAround'>;
  operators: Pick<OperatorService, 'isOperator'>;
  server_profile: Pick<ServerProfileService, 'getProfile'>;
}

/** Loads of an area's sport centers from OpenStreetMap; the server runs them one at a time. */
export function createAreaLoadService(dependencies: Dependencies) {
  const { database, unlimited_database, towns, operators, server_profile, ...options } = dependencies;
  const { now, log } = options;
  const queue = createAreaLoadQueue({ ...options, database: unlimited_database });

  /** Throws `area_load_not_found`. */
  async function getLoad(id: string, reader: LoadReader): Promise<AreaLoad> {
    const [load] = await listLoads(database, reader, id);
    if (!load) throw new AppError('area_load_not_found', 'No load has this id');
    return load;
  }

  const readerOf = async (user_id: string) => ({ user_id, is_operator: await operators.isOperator(user_id) });

  /** Throws `area_loads_restricted`. */
  async function assertMayLoad(is_operator: boolean): Promise<void> {
    if (!is_operator && (await server_profile.getProfile()).area_loads === 'operators')
      throw new AppError('area_loads_restricted', 'On this server only operators load areas');
  }

  return {
    /**
     * Requests the sport centers of a town or an area. Returns the load that covers it: a new one, one under way or,
     * unless the user is an operator, one of the last 30 days. Throws `town_unknown`, `area_too_large`,
     * `area_loads_restricted`, `too_many_requests`.
     */
    async request(requested: RequestedArea, user_id: string): Promise<AreaLoad> {
      const area = readArea(requested, towns);
      const reader = await readerOf(user_id);
      await assertMayLoad(reader.is_operator);
      // Only with its own connection: all others may wait for the lock.
      const id = await database.transaction().execute((trx) => joinOrAddLoad(trx, area, reader, now()));
      queue.run().catch((error: unknown) => log.warn({ err: error }, 'a load of an area failed to start'));
      return getLoad(id, reader);
    },
    list: (user_id: string) => listLoads(database, { user_id, is_operator: true }),
    /** Throws `area_load_not_found`. */
    get: async (id: string, user_id: string) => getLoad(id, await readerOf(user_id)),
    /**
     * Stops a load that is not being saved yet. Returns its current state. Throws `area_load_not_found`, and
     * `not_an_operator` for a load that others wait for.
     */
    async cancel(id: string, user_id: string): Promise<AreaLoad> {
      const reader = await readerOf(user_id);
      if (!(await getLoad(id, reader)).can_cancel)
        throw new AppError('not_an_operator', 'Only operators stop a load that others wait for');
      const stopped = { finished_at: now(), requested_by: reader.is_operator ? undefined : user_id };
      const is_stopped = await database.transaction().execute(async (trx) => {
        if (!(await cancelLoad(trx, id, stopped))) return false;
        if (reader.is_operator)
          await recordAudit(trx, { act: 'area_load_cancelled', actor_id: user_id, details: { load_id: id } });
        return true;
      });
      if (is_stopped) queue.stop(id);
      return getLoad(id, reader);
    },
    /** Runs the loads that no request of this node has started. */
    createJob(): PeriodicJob {
      const job = createPeriodicJob({
        name: 'area_loads',
        interval_ms: CHECK_INTERVAL_MS,
        async work() {
          for (const id of await deleteOldLoads(database, now()))
            await rm(repliesFolder(id, options), { recursive: true, force: true });
          return queue.run();
        },
        log,
        failure_message: 'loads of areas could not be run',
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

export function mountAreaLoads(route: Route, area_loads: AreaLoadService): void {
  route(requestAreaLoad, ({ body }, { user_id }) => area_loads.request(body, user_id));
  route(getAreaLoad, ({ params }, { user_id }) => area_loads.get(params.id, user_id));
  route(listAreaLoads, async (_input, { user_id }) => ({ items: await area_loads.list(user_id), next_cursor: null }));
  route(cancelAreaLoad, ({ params }, { user_id }) => area_loads.cancel(params.id, user_id));
}

/** Throws `town_unknown`, `area_too_large`. */
function readArea(area: RequestedArea, towns: Dependencies['towns']): Area {
  if ('town_id' in area) {
    const town = towns.getTown(area.town_id);
    if (!town) throw new AppError('town_unknown', 'No town has this id');
    return { town_id: area.town_id, name: town.name, box: boxAround(town, Math.min(town.radius_km, MAX_RADIUS_KM)) };
  }
  const box = boxAround(area, area.radius_km);
  // Near a pole, a small circle has a box around the earth.
  if (area.radius_km > MAX_RADIUS_KM || splitIntoCells(box).length > MAX_CELLS)
    throw new AppError('area_too_large', 'An area of more than 2,500 km² cannot be loaded at once');
  return { town_id: null, name: nameOf(area, towns), box };
}

/** The most important town around, else the coordinates. */
function nameOf({ latitude, longitude }: Position, towns: Dependencies['towns']): string {
  return towns.namesAround({ latitude, longitude })[0] ?? `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
}

/** Returns the id of the load that covers the area. Throws `too_many_requests`. */
async function joinOrAddLoad(trx: Trx, area: Area, reader: LoadReader, now: Date): Promise<string> {
  const { user_id, is_operator } = reader;
  await lockRequests(trx);
  const covering = await findCoveringLoad(trx, area.box, { now, include_done: !is_operator });
  if (covering === undefined) await assertBelowLimits(trx, reader, now);
  const load_id = covering ?? (await insertLoad(trx, { ...area, requested_by: user_id }));
  const is_new = covering === undefined || (await joinLoad(trx, load_id, reader));
  if (is_operator && is_new) {
    const details = { load_id, name: area.name };
    await recordAudit(trx, { act: 'area_load_requested', actor_id: user_id, details });
  }
  return load_id;
}

/** Throws `too_many_requests`. */
async function assertBelowLimits(trx: Trx, { user_id, is_operator }: LoadReader, now: Date): Promise<void> {
  if (is_operator) return;
  const refuse = (message: string, wait_s: number): never => {
    throw new AppError('too_many_requests', message, { retry_after_s: Math.ceil(wait_s) });
  };
  const day_ago = new Date(now.getTime() - DAY_MS);
  for (const [includes_failed, max] of [
    [false, MAX_LOADS_A_DAY],
    [true, MAX_TRIES_A_DAY],
  ] as const) {
    const oldest = await findRequestTime(trx, user_id, { since: day_ago, skip: max - 1, includes_failed });
    if (oldest)
      refuse(
        `You can ${includes_failed ? 'try to load' : 'load'} ${max} areas a day`,
        (oldest.getTime() - day_ago.getTime()) / 1000,
      );
  }
  const since = new Date(now.getTime() - HOUR_MS);
  const is_below =
    (await countUnfinished(trx, user_id)) < MAX_UNFINISHED_PER_USER &&
    (await countLoadsSince(trx, since)) < MAX_LOADS_AN_HOUR;
  if (!is_below) refuse('Many areas are being loaded; try again later', RETRY_AFTER_S);
}
