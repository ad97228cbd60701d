import type { Place } from '@sendlap/contract/places.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldPlaceName } from '@sendlap/domain/places.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { isCalled, knownPlacesQuery, searchPlacesQuery, suggestPlaces } from './places.ts';
import { currentWords, type SearchState, searchAroundPlace } from './search-store.ts';
import { useRested } from './use-rested.ts';

/** The list of towns below the search field (ARIA 1.2 combobox pattern). */
export interface PlaceBox {
  list_id: string;
  suggestions: Place[];
  /** The town selected with the arrow keys. */
  active: Place | null;
  optionId(place: Place): string;
  pick(place: Place): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** A user who types the name of a center does not mean a hamlet with the same name. */
const MIN_POPULATION = 5000;

interface PlaceBoxOptions {
  state: SearchState;
  has_centers: boolean;
  /** The user picked a place or submitted the text: the keyboard can close. */
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

  /** Picks the town with exactly this name, if there is one; asks the server if it has not answered yet. */
  async function send(): Promise<void> {
    onDone();
    const text = foldPlaceName(words);
    const query = searchPlacesQuery(text, user?.id ?? null);
    const asked = text === '' ? [] : await client.fetchQuery(query).catch(() => found);
    const meant = asked.find((place) => isCalled(place, text));
    if (!meant || currentWords() !== words) return;
    if (meant.population >= MIN_POPULATION || !has_centers) pick(meant);
  }

  /** Moves one option down or up; the typed text itself is between the last and the first. */
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

/** Towns that match the typed text: at once those known on this device, then the server's. */
function usePlaceSuggestions(typed: string, from: Position): Place[] {
  const { user } = useSession();
  const text = foldPlaceName(typed);
  const rested = useRested(text, TYPING_PAUSE_MS);
  const { data: known = [] } = useQuery(knownPlacesQuery());
  const { data: found = [], isSuccess, isPlaceholderData } = useQuery(searchPlacesQuery(rested, user?.id ?? null));
  const isAnswered = isSuccess && !isPlaceholderData && rested === text;
  return suggestPlaces(text, { answered: isAnswered ? found : null, known: [...found, ...known], from });
}
