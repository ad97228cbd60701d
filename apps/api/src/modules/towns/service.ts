import type { FoundTown, Town } from '@sendlap/contract/towns.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { maxTypos } from '@sendlap/domain/search/typos.ts';
import { dedupeTowns, foldTownName, matchTown, townRadiusKm, townsAround } from '@sendlap/domain/towns.ts';
import { buildGazetteer, type NamedTown, once, type SearchableTown } from './gazetteer.ts';

export type { NamedTown };

export type TownService = ReturnType<typeof createTownService>;

/** The gazetteer never changes, so all callers share one. */
const gazetteer = once(buildGazetteer);

/** Towns of the world by name and by position. Held in memory, loaded on first use. */
export function createTownService() {
  return {
    /**
     * Returns towns with a name that begins with the text: exact names first, then towns before parts, by population.
     * Without any, towns that the text misspells.
     */
    searchTowns(text: string, limit: number): FoundTown[] {
      const folded = foldTownName(text);
      return dedupeTowns(findTowns(folded), limit).map((town) => {
        const match = matchTown(town, folded);
        return { ...toTown(town), ...(match && { match }) };
      });
    },
    /** Returns the most important town with exactly that name in any language. */
    findTown(name: string): Town | undefined {
      const [town] = gazetteer().names().called(foldTownName(name));
      return town === undefined ? undefined : toTown(gazetteer().townAt(town));
    },
    /** Returns the town with an id of `searchTowns`. */
    getTown(id: string): Town | undefined {
      const town = gazetteer().townWithId(Number(id.replace('geonames:', '')));
      return town && toTown(town);
    },
    /** Names of the towns around a position: in English, in Spanish and locally, the most important town first. */
    namesAround(position: Position): string[] {
      const { circles, townAt } = gazetteer();
      return distinctNames(townsAround(circles().containing(position).map(townAt), position));
    },
    /** Loads everything now: it takes a moment that no user should wait for while typing. */
    warmUp() {
      gazetteer().names();
    },
    /** All towns, the most important first. */
    *allTowns(): Generator<NamedTown> {
      const { length, townAt } = gazetteer();
      for (let number = 0; number < length; number += 1) yield townAt(number);
    },
  };
}

function* findTowns(text: string): Generator<SearchableTown> {
  if (text === '') return;
  const { names: namesOf, searchableTownAt } = gazetteer();
  const names = namesOf();
  const given = new Set<number>();
  for (const found of [names.called(text), names.beginning(text, 'own'), names.beginning(text, 'other')]) {
    for (const number of found) {
      if (given.has(number)) continue;
      given.add(number);
      yield searchableTownAt(number);
    }
  }
  for (let errors = 1; errors <= maxTypos(text) && given.size === 0; errors += 1) {
    for (const number of names.misspelt(text, errors)) {
      if (given.has(number)) continue;
      given.add(number);
      yield searchableTownAt(number);
    }
  }
}

/** Keeps one of several names that a search treats as equal. */
function distinctNames(towns: readonly NamedTown[]): string[] {
  const names = new Map<string, string>();
  for (const { name, name_es, local_name } of towns) {
    for (const text of [name, name_es, local_name]) {
      if (text !== null && !names.has(foldTownName(text))) names.set(foldTownName(text), text);
    }
  }
  return [...names.values()];
}

function toTown(town: NamedTown): Town {
  const { id, name, name_es, country, latitude, longitude, population } = town;
  const radius_km = townRadiusKm(town);
  return { id: `geonames:${id}`, name, name_es, country, latitude, longitude, radius_km, population };
}
