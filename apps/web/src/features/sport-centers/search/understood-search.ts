import type { Town } from '@sendlap/contract/towns.ts';
import { readSportText } from '@sendlap/domain/search/sport-words.ts';
import { searchWords } from '@sendlap/domain/sport-centers.ts';
import { SPORT_RECORDS, SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';
import { type SearchState, townOrigin } from './search-store.ts';
import { recogniseTown, type TownSources } from './towns.ts';

/** A text that means a sport, a town or both, and the search for that. */
export interface UnderstoodText {
  /** null: only a town. */
  sport: Sport | null;
  /** null: only a sport. */
  town: Town | null;
  search: SearchState;
}

/** Splits a typed text into the sport that it means and the text that may name a town, folded. */
export function splitText(q: string): { sport: Sport | null; town_text: string } {
  const words = searchWords(q);
  const records = SPORTS.map((name) => SPORT_RECORDS[name]);
  const { sport, rest } = readSportText<Sport>(words, records) ?? { sport: null, rest: words };
  return { sport, town_text: foldTownName(rest.join(' ')) };
}

/**
 * Returns the search that the text of a search means, if all its words are of one sport and one town: "piscna Bilbao" is
 * swimming around Bilbao. Null if any other word is left, as in the name of a center.
 */
export function understand(state: SearchState, towns: TownSources): UnderstoodText | null {
  if (state.as_words || state.q.trim() === '') return null;
  const { sport, town_text } = splitText(state.q);
  if (sport !== null && state.sport !== null && sport !== state.sport) return null;
  const search = { ...state, q: '', sport: sport ?? state.sport };
  if (town_text === '') {
    if (sport === null) return null;
    const { origin, radius_km, box } = state;
    const town = origin.kind === 'town' ? origin.town : null;
    return {
      sport,
      town: null,
      search: { ...search, radius_km: radius_km ?? (box ? null : (town?.radius_km ?? null)) },
    };
  }
  // In a part of the map that the user chose, the words are those of a center.
  if (state.box) return null;
  const town = recogniseTown(town_text, { ...towns, from: state.origin, is_alone: sport === null });
  if (!town) return null;
  const around = { origin: townOrigin(town), radius_km: state.radius_km ?? town.radius_km, country: null, city: null };
  return { sport, town, search: { ...search, ...around } };
}
