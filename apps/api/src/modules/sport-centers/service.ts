import type { Reply } from '@sendlap/contract/endpoint.ts';
import type {
  FoundSportCenter,
  findSportCenters,
  listSportCenters,
  SportCenter,
  SportCenterQuery,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { buildCenterIndex, type CenterIndex, type Hit } from './center-index.ts';
import { findNext, readCursor, writeCursor } from './cursor.ts';
import { countFilterOptions, type FilterOptions } from './filter-options.ts';
import { readDataVersion, readOpenCenters } from './store.ts';

interface Dependencies {
  database: Database;
  /** How often to ask whether another process changed the centers. */
  poll_ms?: number;
  log?: { warn(details: object, message: string): void };
}

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** Sport centers from memory; every reply is of one moment of the data, named by `version`. */
export interface SportCenterService {
  /** Changes with the data; the same on every node that has read the same data. */
  readonly version: string;
  /** An open center, undefined where there is none; costs no query. */
  getById(id: string): SportCenter | undefined;
  listSportCenters(paging: Paging): Reply<typeof listSportCenters>;
  searchSportCenters(query: SportCenterQuery): Reply<typeof searchSportCenters>;
  getSportCenterFilterOptions(): FilterOptions;
  /** Throws `sport_center_not_found`. */
  getSportCenter(id: string): SportCenter;
  findSportCenters(
    query: Position & { sport: Sport; radius_km?: number; limit: number },
  ): Reply<typeof findSportCenters>;
  /** Reads the data again if it changed; requests go on with the old until the new is ready. */
  refresh(): Promise<void>;
  close(): void;
}

const POLL_MS = 5000;

/** Loads the centers, then follows their changes, whoever made them, within `poll_ms`. */
export async function createSportCenterService(dependencies: Dependencies): Promise<SportCenterService> {
  const { database, poll_ms = POLL_MS, log } = dependencies;
  let index: CenterIndex = buildCenterIndex([]);
  let options: FilterOptions | undefined;
  let version = '';
  let running: Promise<void> | undefined;

  async function load(): Promise<void> {
    const latest = await readDataVersion(database);
    if (latest === version) return;
    index = buildCenterIndex(await readOpenCenters(database));
    options = undefined;
    version = latest;
  }

  function refresh(): Promise<void> {
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  }

  await refresh();
  const poll = setInterval(() => {
    refresh().catch((error: unknown) => log?.warn({ err: error }, 'sport centers could not be read again'));
  }, poll_ms);
  poll.unref();

  return {
    get version() {
      return version;
    },
    getById: (id) => index.byId.get(id.toLowerCase()),
    listSportCenters: (paging) => {
      const { items, next_cursor } = cutPage(index, { sort: 'name' }, paging);
      return { items: items.map(({ center }) => center), next_cursor };
    },
    searchSportCenters: ({ limit, cursor, is_private, ...query }) => {
      const asked: CenterQuery = is_private === undefined ? query : { ...query, is_private: is_private === 'true' };
      const { items, next_cursor, total } = cutPage(index, asked, { limit, cursor });
      return { items: items.map(toFound), next_cursor, total };
    },
    getSportCenterFilterOptions: () => {
      options ??= countFilterOptions(index.centers);
      return options;
    },
    getSportCenter: (id) => {
      const center = index.byId.get(id.toLowerCase());
      if (!center) throw new AppError('sport_center_not_found', 'There is no such sport center');
      return center;
    },
    findSportCenters: ({ limit, ...query }) => index.nearest(query, limit).map(toFound),
    refresh,
    close: () => clearInterval(poll),
  };
}

function cutPage(index: CenterIndex, query: CenterQuery, { limit, cursor }: Paging) {
  const hits = index.search(query);
  const kind = query.latitude !== undefined && query.sort !== 'name' ? 'number' : 'string';
  const nameOf = (id: string) => {
    const center = index.byId.get(id);
    return center && foldText(center.name);
  };
  const start = cursor === undefined ? 0 : findNext(hits, readCursor(cursor, query, kind), nameOf);
  const items = hits.slice(start, start + limit);
  const last = items.at(-1);
  const next_cursor = last && start + limit < hits.length ? writeCursor(last, query) : null;
  return { items, next_cursor, total: hits.length };
}

function toFound({ center, distance_km }: Hit): FoundSportCenter {
  return { ...center, distance_km };
}
