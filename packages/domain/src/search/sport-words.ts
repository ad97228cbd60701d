import { isWithinTypos } from './typos.ts';

/** Words that say no more beside the word of a sport ("climbing wall", "sala de escalada"), folded. */
const COMPANIONS = new Set(
  'wall walls gym gyms hall halls center centre centers centres indoor sala salas muro muros centro centros'.split(' '),
);
/** Words between a sport and a town, and those for "here". */
const LINKS = new Set('in at near nearby around for me here en de cerca por para mi aqui'.split(' '));
/** In a shorter word, an error makes too many other words and towns ("Poole" is no pool). */
const MIN_TYPO_LENGTH = 6;

/** A text that begins or ends with the word of a sport. */
export interface SportText<Name> {
  sport: Name;
  /** The words that are left, such as the name of a town; empty: only the sport. */
  rest: readonly string[];
}

/** A sport's record, as far as a search needs it. */
export interface SearchedSport<Name> {
  name: Name;
  search_words: readonly string[];
}

/**
 * Returns the sport that the folded words of a search mean, before or behind the rest: "piscna en bilbao" → swimming,
 * "bilbao". Null if they mean none, or several.
 */
export function readSportText<Name extends string>(
  words: readonly string[],
  all: readonly SearchedSport<Name>[],
): SportText<Name> | null {
  const sports = new Set<Name>();
  const isOfSport = (word = '') => {
    const sport = sportOfWord(word, all);
    if (sport) sports.add(sport);
    return sport !== null || COMPANIONS.has(word);
  };
  let [start, end] = [0, words.length];
  while (start < end && (isOfSport(words[start]) || (start > 0 && LINKS.has(words[start] ?? '')))) start += 1;
  while (end > start && (isOfSport(words[end - 1]) || (end < words.length && LINKS.has(words[end - 1] ?? ''))))
    end -= 1;
  const [sport, ...others] = sports;
  return sport === undefined || others.length > 0 ? null : { sport, rest: words.slice(start, end) };
}

/** Returns the sport that a word means, with at most one typing error; null: none. */
function sportOfWord<Name>(word: string, all: readonly SearchedSport<Name>[]): Name | null {
  const known = all.find(({ search_words }) => search_words.some((one) => one === word));
  if (known) return known.name;
  const similar = all.find(({ search_words }) =>
    search_words.some((one) => one.length >= MIN_TYPO_LENGTH && isWithinTypos(word, one, 1)),
  );
  return similar?.name ?? null;
}
