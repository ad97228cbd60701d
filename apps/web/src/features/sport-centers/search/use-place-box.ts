import type { Place } from '@sendlap/contract/places.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldPlaceName } from '@sendlap/domain/places.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { isCalled, knownPlacesQuery, searchPlacesQuery, suggestPlaces } from './places.ts';
import { currentWords, type SearchState, searchAroundPlace } from './search-store.ts';
import { useRested } from './use-rested.ts';

/** The list of towns that belongs to the search field (the combobox pattern of ARIA 1.2). */
export interface PlaceBox {
  list_id: string;
  suggestions: Place[];
  /** The one that the arrow keys stand on. */
  active: Place | null;
  optionId(place: Place): string;
  pick(place: Place): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** A hamlet that bears the name of a center is not what somebody means who types that name. */
const MIN_POPULATION = 5000;

interface PlaceBoxOptions {
  state: SearchState;
  has_centers: boolean;
  /** A place was picked, or the words were sent: the keyboard may go. */
  onDone: () => void;
}

export function usePlaceBox({ state, has_centers, onDone }: PlaceBoxOptions): PlaceBox {
  const { q: words, origin } = state;
  const list_id = useId();
  const client = useQueryClient();
  const { user } = useSession();
  const [activeId, setActiveId] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const found = usePlaceSuggestions(words, origin);
  const suggestions = dismissed === words ? [] : found;
  const at = suggestions.findIndex(({ id }) => id === activeId);

  function pick(place: Place): void {
    setActiveId(null);
    searchAroundPlace(place);
    onDone();
  }

  /** The town that is called just so, if there is one; asked for where the server has not said yet. */
  async function send(): Promise<void> {
    onDone();
    const text = foldPlaceName(words);
    const query = searchPlacesQuery(text, user?.id ?? null);
    const asked = text === '' ? [] : await client.fetchQuery(query).catch(() => found);
    const meant = asked.find((place) => isCalled(place, text));
    if (!meant || currentWords() !== words) return;
    if (meant.population >= MIN_POPULATION || !has_centers) pick(meant);
  }

  /** One step down or up, with the words themselves between the last and the first. */
  function step(by: 1 | -1): void {
    const count = suggestions.length + 1;
    setActiveId(suggestions[((at + 1 + by + count) % count) - 1]?.id ?? null);
  }

  return {
    list_id,
    suggestions,
    active: suggestions[at] ?? null,
    optionId: ({ id }) => `${list_id}-${id}`,
    pick,
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return;
      const { key } = event;
      if (key === 'Enter') {
        const active = suggestions[at];
        if (active) pick(active);
        else void send();
      } else if (key === 'Escape' && suggestions.length > 0) {
        event.preventDefault();
        setActiveId(null);
        setDismissed(words);
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && suggestions.length > 0) {
        event.preventDefault();
        step(key === 'ArrowDown' ? 1 : -1);
      }
    },
  };
}

const TYPING_PAUSE_MS = 120;

/** Towns that the typed text may mean: at once those known on this device, then the server's. */
function usePlaceSuggestions(typed: string, from: Position): Place[] {
  const { user } = useSession();
  const text = foldPlaceName(typed);
  const rested = useRested(text, TYPING_PAUSE_MS);
  const { data: known = [] } = useQuery(knownPlacesQuery());
  const { data: found = [], isSuccess, isPlaceholderData } = useQuery(searchPlacesQuery(rested, user?.id ?? null));
  const isAnswered = isSuccess && !isPlaceholderData && rested === text;
  return suggestPlaces(text, { answered: isAnswered ? found : null, known: [...found, ...known], from });
}
