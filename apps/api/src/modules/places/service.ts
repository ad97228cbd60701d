import type { Place } from '@sendlap/contract/places.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldPlaceName, townRadiusKm, townsAround, withoutRepeats } from '@sendlap/domain/places.ts';
import { buildGazetteer, type NamedTown, once, type SearchableTown } from './gazetteer.ts';

export type { NamedTown };

export type Places = ReturnType<typeof createPlaces>;

/** The gazetteer never changes, so that there is one for all who ask. */
const gazetteer = once(buildGazetteer);

/** The towns of the world by name and by position. All is in memory and read at the first question. */
export function createPlaces() {
  return {
    /** Towns one of whose names begins with the text: those called just so first, then towns before parts, by population. */
    searchPlaces(text: string, limit: number): Place[] {
      const folded = foldPlaceName(text);
      return folded === '' ? [] : withoutRepeats(findTowns(folded), limit).map(toPlace);
    },
    /** The most important town of that whole name in any language. */
    findPlace(name: string): Place | undefined {
      const [town] = gazetteer().names().called(foldPlaceName(name));
      return town === undefined ? undefined : toPlace(gazetteer().townAt(town));
    },
    /** What the towns that a position lies in are called: in English, in Spanish and at home, the most important first. */
    namesAround(position: Position): string[] {
      const { circles, townAt } = gazetteer();
      return distinctNames(townsAround(circles().holding(position).map(townAt), position));
    },
    /** Reads everything now: it takes a moment that nobody who types should wait for. */
    warmUp() {
      gazetteer().names();
    },
    /** All towns, the most important first. */
    *towns(): Generator<NamedTown> {
      const { length, townAt } = gazetteer();
      for (let number = 0; number < length; number += 1) yield townAt(number);
    },
  };
}

function* findTowns(text: string): Generator<SearchableTown> {
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
}

/** One of several names that a search takes for the same is enough. */
function distinctNames(towns: readonly NamedTown[]): string[] {
  const names = new Map<string, string>();
  for (const { name, name_es, name_home } of towns) {
    for (const text of [name, name_es, name_home]) {
      if (text !== null && !names.has(foldPlaceName(text))) names.set(foldPlaceName(text), text);
    }
  }
  return [...names.values()];
}

function toPlace(town: NamedTown): Place {
  const { id, name, name_es, country, latitude, longitude, population } = town;
  const radius_km = townRadiusKm(town);
  return { id: `geonames:${id}`, name, name_es, country, latitude, longitude, radius_km, population };
}
