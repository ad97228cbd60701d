import type { Place } from '@sendlap/contract/places.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import { currentText, type SearchState, searchAroundTown } from './search-store.ts';
import { cachedTownsQuery, hasName, searchTownsQuery, suggestTowns } from './towns.ts';

/** The list of towns below the search field (ARIA 1.2 combobox pattern). */
export interface TownCombobox {
  list_id: string;
  suggestions: Place[];
  /** The town selected with the arrow keys. */
  active: Place | null;
  optionId(town: Place): string;
  pick(town: Place): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** A user who types the name of a center does not mean a hamlet with the same name. */
const MIN_POPULATION = 5000;

interface TownComboboxOptions {
  state: SearchState;
  has_centers: boolean;
  /** The user picked a town or submitted the text: the keyboard can close. */
  onDone: () => void;
}

export function useTownCombobox({ state, has_centers, onDone }: TownComboboxOptions): TownCombobox {
  const { q: words, origin } = state;
  const list_id = useId();
  const client = useQueryClient();
  const { user } = useSession();
  const [activeId, setActiveId] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const found = useTownSuggestions(words, origin);
  const suggestions = dismissed === words ? [] : found;
  const activeIndex = suggestions.findIndex(({ id }) => id === activeId);

  function pick(town: Place): void {
    setActiveId(null);
    searchAroundTown(town);
    onDone();
  }

  /** Picks the town with exactly this name, if there is one; asks the server if it has not answered yet. */
  async function submit(): Promise<void> {
    onDone();
    const text = foldTownName(words);
    const query = searchTownsQuery(text, user?.id ?? null);
    const candidates = text === '' ? [] : await client.fetchQuery(query).catch(() => found);
    const match = candidates.find((place) => hasName(place, text));
    if (!match || currentText() !== words) return;
    if (match.population >= MIN_POPULATION || !has_centers) pick(match);
  }

  /** Moves one option down or up; the typed text itself is between the last and the first. */
  function moveActive(by: 1 | -1): void {
    const count = suggestions.length + 1;
    setActiveId(suggestions[((activeIndex + 1 + by + count) % count) - 1]?.id ?? null);
  }

  return {
    list_id,
    suggestions,
    active: suggestions[activeIndex] ?? null,
    optionId: ({ id }) => `${list_id}-${id}`,
    pick,
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return;
      const { key } = event;
      if (key === 'Enter') {
        const active = suggestions[activeIndex];
        if (active) pick(active);
        else void submit();
      } else if (key === 'Escape' && suggestions.length > 0) {
        event.preventDefault();
        setActiveId(null);
        setDismissed(words);
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && suggestions.length > 0) {
        event.preventDefault();
        moveActive(key === 'ArrowDown' ? 1 : -1);
      }
    },
  };
}

const TYPING_PAUSE_MS = 120;

/** Towns that match the typed text: at once those known on this device, then the server's. */
function useTownSuggestions(typed: string, from: Position): Place[] {
  const { user } = useSession();
  const text = foldTownName(typed);
  const debounced = useDebouncedValue(text, TYPING_PAUSE_MS);
  const { data: cached = [] } = useQuery(cachedTownsQuery());
  const {
    data: fromServer = [],
    isSuccess,
    isPlaceholderData,
  } = useQuery(searchTownsQuery(debounced, user?.id ?? null));
  const isAnswered = isSuccess && !isPlaceholderData && debounced === text;
  return suggestTowns(text, { answered: isAnswered ? fromServer : null, cached: [...fromServer, ...cached], from });
}
