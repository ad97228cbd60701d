import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { RULES_BY_SPORT } from '../classify/rules-by-sport.ts';
import { foldName } from '../read/fold-name.ts';

/** The facts needed to decide whether two records are of one center. */
export type CenterDescription = { name: string; other_names: readonly string[]; sports: readonly Sport[] };

/** Surveyed records further apart than this are never of one center. */
const SAME_CENTER_M = 150;
/** Positions of the starter set were written by hand, accurate to about 300 m; surveyed ones to half of that. */
export const HAND_POSITIONED_FACTOR = 2;
/** No two records further apart than this are of one center. */
export const MAX_SAME_CENTER_M = SAME_CENTER_M * HAND_POSITIONED_FACTOR;
const GENERIC_NAME_M = 60;
const OTHER_SPORT_M = 60;

/** Generic words, which describe the kind of center and do not identify it. */
const GENERIC_WORDS = new Set(
  [
    'the a an of and y e i und et de del della des du d l la le les el los las di da do in am im an der die das zum zur',
    'gym gyms center centre centro fitness club hall halle indoor salle sala palestra leisure sports sport yoga',
    'municipal municipale deportivo polideportivo poliesportiu esportiu academy e v ev dav gmbh ltd llc inc company co',
    ...SPORTS.map((sport) => RULES_BY_SPORT[sport].kind_words),
  ].flatMap((words) => words.split(' ')),
);

/** Whether two records are near enough to be of one center at all. */
export function isNearEnough(a: Position, b: Position): boolean {
  return distanceKm(a, b) * 1000 <= MAX_SAME_CENTER_M;
}

/**
 * Whether two records `metres` apart are of one center: at most 150 m, a common sport, and the same name (any of their
 * names) apart from accents and generic words. Without a common sport the names must be equal and the distance at most
 * 60 m (wall to wall). A basin or a bare "Climbing Wall" belongs to the center with the same sport beside it.
 */
export function isSameCenter(a: CenterDescription, b: CenterDescription, metres: number): boolean {
  if (metres > SAME_CENTER_M) return false;
  const common = a.sports.some((sport) => b.sports.includes(sport));
  const likeness = nameLikeness(a, b);
  if (likeness === 'same') return common || metres <= OTHER_SPORT_M;
  if (likeness === 'alike') return common;
  return common && (isPartOf(a, b, metres) || isPartOf(b, a, metres));
}

type Likeness = 'same' | 'alike' | 'different';

function nameLikeness(a: CenterDescription, b: CenterDescription): Likeness {
  const found = namesOf(a).flatMap((one) => namesOf(b).map((other) => likenessOf(one, other)));
  return found.includes('same') ? 'same' : found.includes('alike') ? 'alike' : 'different';
}

function namesOf(described: CenterDescription): string[] {
  return [described.name, ...described.other_names].map(foldName);
}

function likenessOf(a: string, b: string): Likeness {
  if (a === b) return 'same';
  const [own, others] = [distinctiveWords(a), distinctiveWords(b)];
  // Only generic words on one side: no evidence either way, `isPartOf` decides.
  if (own.length === 0 || others.length === 0) return 'different';
  const [few, many] = own.length <= others.length ? [own, others] : [others, own];
  if (!few.every((word) => many.includes(word))) return 'different';
  const more = many.filter((word) => !few.includes(word));
  // A number distinguishes halls and pools: "Boulderwelt 1" is neither "Boulderwelt 2" nor "Boulderwelt".
  if (more.some((word) => /^\d+$/.test(word))) return 'different';
  return 'alike';
}

/** Without duplicates: a repeated word adds nothing, and the comparison must be symmetric. */
function distinctiveWords(folded: string): string[] {
  const words = folded
    .split(' ')
    .filter((word) => !GENERIC_WORDS.has(word))
    // Plurals are used inconsistently ("Butte", "Buttes").
    .map((word) => (word.length > 4 ? word.replace(/s$/, '') : word));
  return [...new Set(words)];
}

function isPartOf(part: CenterDescription, whole: CenterDescription, metres: number): boolean {
  const name = foldName(part.name);
  const sport = partSport(name);
  if (sport !== undefined) return part.sports.includes(sport) && whole.sports.includes(sport);
  return metres <= GENERIC_NAME_M && isGenericName(name) && !isPart(foldName(whole.name));
}

/** Whether a folded name is that of a part of a center, such as a basin inside a bath. */
export function isPart(folded: string): boolean {
  return partSport(folded) !== undefined;
}

/** Returns the sport to whose centers a folded name's part belongs; undefined if the name is not that of a part. */
function partSport(folded: string): Sport | undefined {
  return SPORTS.find((sport) => {
    const { part } = RULES_BY_SPORT[sport];
    return part !== null && matchesFully(part, folded);
  });
}

/** Whether a folded name only states the kind of center. */
export function isGenericName(folded: string): boolean {
  return SPORTS.some((sport) => matchesFully(RULES_BY_SPORT[sport].bare_kind, folded));
}

function matchesFully(pattern: RegExp, folded: string): boolean {
  const found = pattern.exec(folded);
  return found !== null && found[0].trim().length === folded.length;
}
