import {
  getCenterProofs,
  getSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  type SportCenter,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { FoundTown, Town } from '@sendlap/contract/towns.ts';
import { searchTowns } from '@sendlap/contract/towns.ts';
import { MAX_TOTAL } from '@sendlap/domain/sport-centers.ts';
import { searchCenters } from '@sendlap/domain/test/center-search.ts';
import { foldTownName, matchTown } from '@sendlap/domain/towns.ts';
import { type FakeServer, Refusal } from './fake-server.ts';
import { withoutUndefined } from './without-undefined.ts';

/**
 * Sport centers and towns as the server's search returns them, by the rules of the domain. No center has a referee or a
 * kiosk.
 */
export class CenterModel {
  readonly #centers: SportCenter[];
  readonly #towns: Town[];

  constructor(server: FakeServer, centers: SportCenter[], towns: Town[] = []) {
    this.#centers = centers;
    this.#towns = towns;
    this.#answerSearches(server);
    server.on(searchTowns, ({ query }) => ({ items: this.#townsCalled(query.q), next_cursor: null }));
    server.on(getSportCenter, ({ params }) => this.#find(params.id));
    server.on(getCenterProofs, () => ({ referee_sports: [], has_kiosk: false }));
  }

  /** Page by page; the fake's cursor is the number of centers already returned. */
  #answerSearches(server: FakeServer): void {
    server.on(searchSportCenters, ({ query }) => {
      const { is_private, limit, cursor, ...rest } = query;
      const found = searchCenters(this.#centers, {
        ...withoutUndefined(rest),
        ...(is_private === undefined ? {} : { is_private: is_private === 'true' }),
      });
      const first = Number(cursor ?? 0);
      const next = first + limit;
      return {
        items: found.slice(first, next),
        total: Math.min(found.length, MAX_TOTAL),
        total_is_lower_bound: found.length > MAX_TOTAL,
        next_cursor: next < found.length ? String(next) : null,
      };
    });
    server.on(getSportCenterFilterOptions, () => ({
      sports: countValues(this.#centers.flatMap(({ sport_facilities }) => sport_facilities.map(({ type }) => type))),
      countries: countValues(this.#centers.map(({ country }) => country)),
      cities: countValues(this.#centers.map(({ city }) => city)),
    }));
    server.on(listRecommendedSportCenters, ({ query: { limit, ...around } }) =>
      searchCenters(this.#centers, withoutUndefined(around))
        .slice(0, limit)
        .map((center) => ({ ...center, distance_km: center.distance_km ?? 0, activity_count: 0 })),
    );
  }

  #townsCalled(words: string): FoundTown[] {
    const text = foldTownName(words);
    const found = this.#towns.flatMap((town) => {
      const names = [town.name, town.name_es ?? ''].filter((name) => name !== '').map(foldTownName);
      const match = matchTown({ names, other_names: [] }, text);
      return match ? [{ ...town, match }] : [];
    });
    const spelt = found.filter(({ match }) => match !== 'typo');
    return spelt.length > 0 ? spelt : found;
  }

  #find(id: string): SportCenter {
    const center = this.#centers.find((known) => known.id === id);
    if (!center) throw new Refusal('sport_center_not_found');
    return center;
  }
}

/** The most frequent first. */
function countValues(values: (string | null)[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}
