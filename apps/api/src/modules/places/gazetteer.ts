import { foldPlaceName, type Town, type TownNames, townRadiusKm } from '@sendlap/domain/places.ts';
import { type CityColumns, KIND, readCities } from './city-file.ts';
import { buildNameText } from './name-text.ts';
import { buildTownCircles } from './town-circles.ts';
import { readTownNames, type WrittenNames } from './town-names.ts';

/** A town with what it is called. */
export interface NamedTown extends Town {
  is_capital: boolean;
  /** As it is written in GeoNames. */
  given_name: string;
  /** As it is called in English, or at home where English has no name for it. */
  name: string;
  /** null where it is no other. */
  name_es: string | null;
  name_home: string | null;
}

/** A town with all names that it is found by. */
export type SearchableTown = NamedTown & TownNames;

const UNITS_PER_DEGREE = 1e5;

/**
 * Reads GeoNames and the other names of the towns of the world; town number 0 is the most important, by compareTowns. What
 * is searched is built at the first question. In all about 200 ms, 15 MB.
 */
export function buildGazetteer() {
  const cities = readCities();
  const rows = sortByImportance(cities);
  const others = readTownNames();

  function sizeAt(number: number) {
    const at = rows[number] ?? 0;
    return {
      population: cities.populations[at] ?? 0,
      is_part: cities.kinds[at] === KIND.part,
      latitude: (cities.latitudes[at] ?? 0) / UNITS_PER_DEGREE,
      longitude: (cities.longitudes[at] ?? 0) / UNITS_PER_DEGREE,
    };
  }

  function circleAt(number: number) {
    const size = sizeAt(number);
    return { ...size, radius_km: townRadiusKm(size) };
  }

  function townAt(number: number): NamedTown {
    const at = rows[number] ?? 0;
    const given = cities.nameOf(at);
    const id = cities.ids[at] ?? 0;
    const other = others.get(id);
    const name = other?.en ?? given;
    return {
      id,
      country: countryOf(cities, at),
      ...sizeAt(number),
      is_capital: cities.kinds[at] === KIND.capital,
      given_name: given,
      name,
      name_es: other?.es && other.es !== name ? other.es : null,
      name_home: other?.home ?? (given === name ? null : given),
    };
  }

  function namesAt(number: number): TownNames {
    const at = rows[number] ?? 0;
    return foldNames(cities.nameOf(at), others.get(cities.ids[at] ?? 0));
  }

  return {
    length: rows.length,
    townAt,
    searchableTownAt: (number: number): SearchableTown => ({ ...townAt(number), ...namesAt(number) }),
    names: once(() => buildNameText(rows.length, namesAt)),
    circles: once(() => buildTownCircles(rows.length, circleAt)),
  };
}

/** Who searches by name does not wait for the circles, and the other way round. */
export function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** The rows of what exists, as compareTowns orders them. */
function sortByImportance({ length, kinds, populations, ids }: CityColumns): Uint32Array {
  const rows = new Uint32Array(length).map((_, at) => at).filter((at) => kinds[at] !== KIND.gone);
  const isPart = (at: number) => (kinds[at] === KIND.part ? 1 : 0);
  return rows.sort(
    (a, b) => isPart(a) - isPart(b) || (populations[b] ?? 0) - (populations[a] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0),
  );
}

function countryOf({ countries }: CityColumns, at: number): string {
  const letters = countries[at] ?? 0;
  return String.fromCharCode(letters >> 8, letters & 255);
}

/** One that holds two (`Biel/Bienne`) is also found by each. */
function foldNames(given: string, written: WrittenNames | undefined): TownNames {
  const halves = given.includes('/') ? given.split('/') : [];
  if (written === undefined && halves.length === 0) return { names: [foldQuickly(given)], other_names: [] };
  const { en = given, es = given, home = given, other_folded = [] } = written ?? {};
  const names = new Set([en, given, es, home, ...halves].map(foldQuickly).filter((name) => name !== ''));
  return { names: [...names], other_names: other_folded.filter((name) => name !== '') };
}

/** What a character folds to; those of GeoNames' names are a few hundred. */
const folded = new Map<string, string>();

/** As foldPlaceName, for 135,000 names in a tenth of its time: folding is done by character. */
function foldQuickly(name: string): string {
  let text = '';
  for (const character of name) {
    const known = folded.get(character) ?? foldCharacter(character);
    // One space parts words, none is at the start.
    if (known !== ' ' || (text !== '' && !text.endsWith(' '))) text += known;
  }
  return text.endsWith(' ') ? text.slice(0, -1) : text;
}

function foldCharacter(character: string): string {
  // What is no letter or digit folds to nothing between two letters if it is a mark, else to a space.
  const between = foldPlaceName(`a${character}a`);
  const known = between.slice(1, -1);
  folded.set(character, known);
  return known;
}
