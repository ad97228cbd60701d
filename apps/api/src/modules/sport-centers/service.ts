import type { Matching } from '@sendlap/center-index/center-index.ts';
import type { Reply } from '@sendlap/contract/endpoint.ts';
import type {
  findSportCenters,
  getSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  listSportCenters,
  SportCenter,
  SportCenterQuery,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson } from '#api/platform/raw-json.ts';
import { findPlace, type Place, readCursor, writeCursor } from './cursor.ts';
import { toOptions } from './filter-options.ts';
import { followSnapshots } from './follow-snapshots.ts';
import { createRecommendations } from './recommendations.ts';
import type { Snapshot, SnapshotSource } from './snapshot.ts';
import { countFilterValues } from './store.ts';
import { createWordSearch } from './word-search.ts';
import { writeList } from './write-json.ts';

interface Dependencies extends SnapshotSource {
  /** How often to ask whether another process changed the centers. */
  poll_ms?: number;
  now?: () => Date;
}

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** A request, say. The signal is only asked for where somebody may have to wait. */
interface Asker {
  readonly signal: AbortSignal;
}

type Around = Position & { radius_km?: number; limit: number };

/** A promise only where there is something to wait for. */
type Awaitable<Data> = RawJson<Data> | Promise<RawJson<Data>>;

/** Sport centers of one moment of the data, which `version` names; words alone are asked of the database. */
export interface SportCenterService {
  /** Changes with the data; the same on every node that has read the same data. */
  readonly version: string;
  /** Any center, closed ones too, undefined where there is none; costs no query. */
  getById(id: string): SportCenter | undefined;
  /** The nearest open center, if one is so near. */
  nearestWithin(position: Position, radius_km: number): { id: string; distance_km: number } | undefined;
  listSportCenters(paging: Paging): RawJson<Reply<typeof listSportCenters>>;
  /**
   * Throws `cursor_invalid`, and `unavailable` where too many search for words; words that wait for their turn are not
   * looked for once `asker` has gone.
   */
  searchSportCenters(query: SportCenterQuery, asker?: Asker): Awaitable<Reply<typeof searchSportCenters>>;
  getSportCenterFilterOptions(): Promise<RawJson<Reply<typeof getSportCenterFilterOptions>>>;
  /** Throws `sport_center_not_found`. */
  getSportCenter(id: string): RawJson<Reply<typeof getSportCenter>>;
  findSportCenters(query: Around & { sport: Sport }): RawJson<Reply<typeof findSportCenters>>;
  listRecommendedSportCenters(query: Around): Promise<RawJson<Reply<typeof listRecommendedSportCenters>>>;
  /** Reads the data again if it changed; requests go on with the old until the new is ready. */
  refresh(): Promise<void>;
  close(): void;
}

/** Loads the centers, then follows their changes, whoever made them, within `poll_ms`. */
export async function createSportCenterService(dependencies: Dependencies): Promise<SportCenterService> {
  const { database, now = () => new Date() } = dependencies;
  const current = await followSnapshots(dependencies);
  const words = createWordSearch(database);
  const recommendations = createRecommendations(database, now);
  const readFilterOptions = createFilterOptions(database, () => current.snapshot.version);

  return {
    get version() {
      return current.snapshot.version;
    },
    getById: (id) => {
      const { snapshot } = current;
      const number = snapshot.index.numberOf(id);
      return number === undefined ? undefined : snapshot.centerAt(number);
    },
    nearestWithin: (position, radius_km) => {
      const { index } = current.snapshot;
      const [hit] = index.findNearest({ ...position, radius_km }, 1);
      return hit && { id: index.idOf(hit.number), distance_km: hit.distance_km ?? 0 };
    },
    listSportCenters: (paging) => listByName(current.snapshot, paging),
    searchSportCenters: (asked, asker) => {
      const search = readSearch(asked);
      if (asked.q === undefined && asked.city === undefined) return searchPage(current.snapshot, search, undefined);
      return current.hold(async (snapshot) =>
        searchPage(snapshot, search, await words.find(snapshot, search.query, asker?.signal)),
      );
    },
    getSportCenterFilterOptions: readFilterOptions,
    getSportCenter: (id) => {
      const { index, records } = current.snapshot;
      const number = index.numberOf(id);
      if (number === undefined) throw new AppError('sport_center_not_found', 'There is no such sport center');
      return writeList(records, [{ place: index.placeOf(number) }], '', '');
    },
    findSportCenters: ({ limit, ...query }) => {
      const { index, records } = current.snapshot;
      return writeList(records, index.findNearest(query, limit));
    },
    listRecommendedSportCenters: (query) =>
      current.hold(async (snapshot) => {
        const items = await recommendations.find(snapshot, query);
        return writeList(snapshot.records, items);
      }),
    refresh: () => current.refresh(),
    close: () => current.close(),
  };
}

function listByName<Data>(snapshot: Snapshot, { limit, cursor }: Paging): RawJson<Data> {
  const query = { sort: 'name' } as const;
  const after = cursor === undefined ? undefined : findPlace(snapshot, readCursor(cursor, query, false));
  const { hits, has_more } = snapshot.index.search(query, undefined, { limit, after });
  const last = has_more ? hits.at(-1) : undefined;
  const next_cursor = last ? writeCursor(snapshot, last, query, false) : null;
  const end = `],"next_cursor":${JSON.stringify(next_cursor)}}`;
  return writeList(
    snapshot.records,
    hits.map(({ place }) => ({ place })),
    '{"items":[',
    end,
  );
}

/** A search as it was asked for, with the place where its page begins. */
interface Search {
  query: CenterQuery;
  limit: number;
  is_by_distance: boolean;
  place: Place | undefined;
}

function readSearch({ limit, cursor, is_private, ...rest }: SportCenterQuery): Search {
  const query: CenterQuery = is_private === undefined ? rest : { ...rest, is_private: is_private === 'true' };
  const is_by_distance = query.latitude !== undefined && query.sort !== 'name';
  const place = cursor === undefined ? undefined : readCursor(cursor, query, is_by_distance);
  return { query, limit, is_by_distance, place };
}

function searchPage<Data>(
  snapshot: Snapshot,
  { query, limit, is_by_distance, place }: Search,
  matching: Matching,
): RawJson<Data> {
  const after = place && findPlace(snapshot, place);
  const { hits, has_more, total } = snapshot.index.search(query, matching, { limit, after });
  const last = has_more ? hits.at(-1) : undefined;
  const next_cursor = last ? writeCursor(snapshot, last, query, is_by_distance) : null;
  const end = `],"next_cursor":${JSON.stringify(next_cursor)},"total":${total}}`;
  return writeList(snapshot.records, hits, '{"items":[', end);
}

function toReply(data: object): Buffer {
  return Buffer.from(ENVELOPE_HEAD + JSON.stringify(data) + ENVELOPE_TAIL);
}

/** Counted once for each version of the data. */
function createFilterOptions(database: Database, versionOf: () => string) {
  let counted: { version: string; body: Promise<Buffer> } | undefined;
  return async <Data>(): Promise<RawJson<Data>> => {
    const version = versionOf();
    if (counted?.version !== version) {
      const body = countFilterValues(database).then(({ sports, countries, cities }) =>
        toReply({ sports: toOptions(sports), countries: toOptions(countries), cities: toOptions(cities) }),
      );
      counted = { version, body };
      body.catch(() => {
        counted = undefined;
      });
    }
    return new RawJson(await counted.body);
  };
}
