import type { Place } from '@sendlap/contract/places.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldPlaceName } from '@sendlap/domain/places.ts';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '#web/shared/api/use-session.ts';
import { knownPlacesQuery, searchPlacesQuery, suggestPlaces } from './places.ts';
import { useRested } from './use-rested.ts';

const TYPING_PAUSE_MS = 120;

/** Towns that the typed text may mean: at once those known on this device, then the server's. */
export function usePlaceSuggestions(typed: string, from: Position): Place[] {
  const { user } = useSession();
  const text = foldPlaceName(typed);
  const rested = useRested(text, TYPING_PAUSE_MS);
  const { data: known = [] } = useQuery(knownPlacesQuery());
  const { data: found = [], isSuccess, isPlaceholderData } = useQuery(searchPlacesQuery(rested, user?.id ?? null));
  const isAnswered = isSuccess && !isPlaceholderData && rested === text;
  return suggestPlaces(text, { answered: isAnswered ? found : null, known: [...found, ...known], from });
}
