import type { Town } from '@sendlap/contract/towns.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { currentText, keepSearch, type SearchState, searchAroundTown } from './search-store.ts';
import { hasName, MIN_POPULATION, searchTownsQuery, suggestTowns } from './towns.ts';
import type { ReadText } from './use-read-text.ts';

/** The list of towns below the search field (ARIA 1.2 combobox pattern). */
export interface TownCombobox {
  list_id: string;
  suggestions: Town[];
  /** The town selected with the arrow keys. */
  active: Town | null;
  optionId(town: Town): string;
  pick(town: Town): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

interface TownComboboxOptions {
  state: SearchState;
  /** What the text means. */
  read: ReadText;
  has_centers: boolean;
  /** The user picked a town or submitted the text: the keyboard can close. */
  onDone: () => void;
}

export function useTownCombobox({ state, read, has_centers, onDone }: TownComboboxOptions): TownCombobox {
  const { q: words, origin } = state;
  const list_id = useId();
  const client = useQueryClient();
  const { user } = useSession();
  const [activeId, setActiveId] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const found = suggestTowns(read.town_text, { ...read.towns, from: origin });
  // The list below is the answer: for a sport around a town, suggestions would only push it down.
  const isAnswered = read.sport !== null && read.understood?.town != null;
  const suggestions = isAnswered || dismissed === words ? [] : found;
  const activeIndex = suggestions.findIndex(({ id }) => id === activeId);

  function pick(town: Town): void {
    setActiveId(null);
    searchAroundTown(town, read.sport);
    onDone();
  }

  /**
   * Keeps the search that the text means, or picks the town with exactly this name, if there is one; asks the server if it has
   * not answered yet.
   */
  async function submit(): Promise<void> {
    onDone();
    if (read.understood) return keepSearch(read.understood.search);
    const text = foldTownName(words);
    const query = searchTownsQuery(text, user?.id ?? null);
    const candidates = text === '' ? [] : await client.fetchQuery(query).catch(() => found);
    const match = candidates.find((town) => hasName(town, text));
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
