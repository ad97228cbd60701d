import type { Hit, TextMatches } from '@sendlap/center-index/center-index.ts';
import type {
  findNearestSportCenters,
  getSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  listSportCenters,
  SportCenter,
  SportCenterQuery,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import { compareCodePoints } from '@sendlap/domain/sport-centers.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { Database } from '#api/database/database.ts';
import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson, toRawJson } from '#api/http/raw-json.ts';
import { AppError } from '#api/platform/errors.ts';
import { decodeCursor, encodeCursor, resolveCursor } from './cursor.ts';
import { followSnapshots, type Log } from './follow-snapshots.ts';
import { createRecommendations } from './recommendations.ts';
import type { Snapshot } from './snapshot.ts';
import type { FilterValueCount } from './store.ts';
import { countFilterValues } from './store.ts';
import { createWordSearch } from './word-search.ts';

interface Dependencies {
  database: Database;
  log?: Log | undefined;
  /** How often (ms) to check whether another process changed the centers. */
  poll_ms?: number;
  /** See `followSnapshots`. */
  clock_ms?: () => number;
  now?: () => Date;
}

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** For example a request. The signal is read only if the caller may have to wait. */
interface Requester {
  readonly signal: AbortSignal;
}

type AreaQuery = Position & { radius_km?: number; limit: number };

/** A promise only if there is something to wait for. */
type Awaitable<Data> = RawJson<Data> | Promise<RawJson<Data>>;

export type SportCenterService = Awaited<ReturnType<typeof createSportCenterService>>;

/**
 * Serves sport centers from a snapshot of the data, identified by `version`; only word searches query the database.
 * Loads the centers, then follows changes by any process within `poll_ms`.
 */
export async function createSportCenterService(dependencies: Dependencies) {
  const { database, now = () => new Date() } = dependencies;
  const snapshots = await followSnapshots(dependencies);
  const words = createWordSearch(database);
  const recommendations = createRecommendations(database, now);
  const readFilterOptions = createFilterOptions(database, () => snapshots.snapshot.version);

  return {
    /** Changes with the data; equal on every node that has read the same data. */
    get version() {
      return snapshots.snapshot.version;
    },
    /** Returns any center, closed ones too; undefined if it does not exist. Costs no query. */
    getById: (id: string): SportCenter | undefined => {
      const { snapshot } = snapshots;
      const number = snapshot.index.numberOf(id);
      return number === undefined ? undefined : snapshot.centerAt(number);
    },
    /** Returns the nearest open center within the radius, if any. */
    nearestWithin: (position: Position, radius_km: number): { id: string; distance_km: number } | undefined => {
      const { index } = snapshots.snapshot;
      const [hit] = index.search({ ...position, radius_km }, undefined, { limit: 1, count_limit: 0 }).hits;
      return hit && { id: index.idOf(hit.number), distance_km: hit.distance_km ?? 0 };
    },
    listSportCenters: (paging: Paging): RawJson<Reply<typeof listSportCenters>> => {
      const { snapshot } = snapshots;
      const { hits, next_cursor } = findPage(snapshot, { sort: 'name' }, undefined, { ...paging, count_limit: 0 });
      const items = listRecords(hits, () => '');
      return toReply(snapshot, ['{"items":', ...items, `,"next_cursor":${JSON.stringify(next_cursor)}}`]);
    },
    /**
     * Throws `cursor_invalid`, and `unavailable` if too many word searches run; a queued word search is skipped once
     * its `requester` has gone.
     */
    searchSportCenters: (
      { limit, cursor, is_private, ...rest }: SportCenterQuery,
      requester?: Requester,
    ): Awaitable<Reply<typeof searchSportCenters>> => {
      const query: CenterQuery = is_private === undefined ? rest : { ...rest, is_private: is_private === 'true' };
      const search = <Data>(snapshot: Snapshot, matching?: TextMatches): RawJson<Data> => {
        const { hits, ...page } = findPage(snapshot, query, matching, { limit, cursor });
        return toReply(snapshot, ['{"items":', ...listRecords(hits, formatDistance), toMembers(page), '}']);
      };
      if (query.q === undefined && query.city === undefined) return search(snapshots.snapshot);
      return snapshots.withSnapshot(async (snapshot) =>
        search(snapshot, await words.find(snapshot, query, requester?.signal)),
      );
    },
    getSportCenterFilterOptions: readFilterOptions,
    /** Throws `sport_center_not_found`. */
    getSportCenter: (id: string): RawJson<Reply<typeof getSportCenter>> => {
      const { snapshot } = snapshots;
      const number = snapshot.index.numberOf(id);
      if (number === undefined) throw new AppError('sport_center_not_found', 'There is no such sport center');
      return toReply(snapshot, [number, toMembers(snapshot.extra_fields.get(id) ?? {}), '}']);
    },
    findNearestSportCenters: ({
      limit,
      ...query
    }: AreaQuery & { sport: Sport }): RawJson<Reply<typeof findNearestSportCenters>> => {
      const { snapshot } = snapshots;
      const { hits } = snapshot.index.search(query, undefined, { limit, count_limit: 0 });
      return toReply(snapshot, listRecords(hits, formatDistance));
    },
    listRecommendedSportCenters: (query: AreaQuery): Promise<RawJson<Reply<typeof listRecommendedSportCenters>>> =>
      snapshots.withSnapshot(async (snapshot) =>
        toReply(
          snapshot,
          listRecords(await recommendations.find(snapshot, query), ({ number, ...fields }) => toMembers(fields)),
        ),
      ),
    /** Reloads the data if it changed; requests use the old snapshot until the new one is ready. */
    refresh: () => snapshots.refresh(),
    close: () => snapshots.close(),
  };
}

/** Parts of a JSON text; a number means that center's record without its closing bracket (decision 011). */
type Parts = (string | number)[];

/** A list of the records, each with more fields of its hit: '' or `,"name":value`. */
function listRecords<Found extends { number: number }>(
  hits: readonly Found[],
  formatFields: (hit: Found) => string,
): Parts {
  const parts: Parts = [];
  let before = '[';
  for (const hit of hits) {
    parts.push(before, hit.number);
    before = `${formatFields(hit)}},`;
  }
  parts.push(hits.length === 0 ? '[]' : `${before.slice(0, -1)}]`);
  return parts;
}

function formatDistance({ distance_km }: Hit): string {
  return `,"distance_km":${distance_km}`;
}

/** The fields as JSON, each after a comma. */
function toMembers(fields: object): string {
  const members = JSON.stringify(fields).slice(1, -1);
  return members && `,${members}`;
}

function toReply<Data>({ records }: Snapshot, parts: Parts): RawJson<Data> {
  return new RawJson(records.join([ENVELOPE_HEAD, ...parts, ENVELOPE_TAIL]));
}

function findPage(
  snapshot: Snapshot,
  query: CenterQuery,
  matching: TextMatches | undefined,
  { cursor, ...paging }: Paging & { count_limit?: number },
) {
  const is_by_distance = query.latitude !== undefined && query.sort !== 'name';
  const after = cursor === undefined ? undefined : resolveCursor(snapshot, decodeCursor(cursor, query, is_by_distance));
  const { has_more, ...page } = snapshot.index.search(query, matching, { ...paging, after });
  const last = has_more ? page.hits.at(-1) : undefined;
  return { ...page, next_cursor: last ? encodeCursor(snapshot, last, query, is_by_distance) : null };
}

/** Computed once for each version of the data. */
function createFilterOptions(database: Database, versionOf: () => string) {
  let counted: { version: string; options: Promise<RawJson<FilterOptions>> } | undefined;
  return (): Promise<RawJson<FilterOptions>> => {
    const version = versionOf();
    if (counted?.version !== version) {
      const options = countFilterValues(database).then(({ sports, countries, cities }) =>
        toRawJson({ sports: toOptions(sports), countries: toOptions(countries), cities: toOptions(cities) }),
      );
      counted = { version, options };
      options.catch(() => {
        counted = undefined;
      });
    }
    return counted.options;
  };
}

type FilterOptions = Reply<typeof getSportCenterFilterOptions>;
type Option = FilterOptions['sports'][number];

/** The most frequent first; spellings that fold alike count as one, under the most frequent of them. */
function toOptions(counted: readonly FilterValueCount[]): Option[] {
  const options = new Map<string, Option>();
  for (const { value, key, count } of [...counted].sort(compareOptions)) {
    const same = options.get(key);
    if (same) same.count += count;
    else options.set(key, { value, count });
  }
  return [...options.values()].sort(compareOptions);
}

function compareOptions(a: Option, b: Option): number {
  return b.count - a.count || compareCodePoints(a.value, b.value);
}
