import type { Sport } from '@sendlap/domain/sports.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import type { SearchState } from './search-store.ts';
import { cachedTownsQuery, searchTownsQuery, type TownSources } from './towns.ts';
import { splitText, type UnderstoodText, understand } from './understood-search.ts';

/** What the typed text means, as far as this device knows now. */
export interface ReadText {
  /** The sport that some of its words mean. */
  sport: Sport | null;
  /** The other words, folded: they may name a town. */
  town_text: string;
  towns: TownSources;
  /** Null: it is searched for its words. */
  understood: UnderstoodText | null;
}

const TYPING_PAUSE_MS = 120;

/** Reads the typed text, with the towns known on this device at once, then with the server's. */
export function useReadText(state: SearchState): ReadText {
  const { user } = useSession();
  const { sport, town_text } = useMemo(() => splitText(state.q), [state.q]);
  const debounced = useDebouncedValue(town_text, TYPING_PAUSE_MS);
  const { data: cached } = useQuery(cachedTownsQuery());
  const { data, isSuccess, isPlaceholderData } = useQuery(searchTownsQuery(debounced, user?.id ?? null));
  const isAnswered = isSuccess && !isPlaceholderData && debounced === town_text;
  const towns = useMemo(
    () => ({ answered: isAnswered ? (data ?? []) : null, cached: [...(data ?? []), ...(cached ?? [])] }),
    [isAnswered, data, cached],
  );
  const understood = useMemo(() => understand(state, towns), [state, towns]);
  return { sport, town_text, towns, understood };
}
