import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getSettingsQuery, settingsKey } from '#web/shared/api/settings.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import type { BoardPage } from './queries.ts';
import { disagrees, isHidden } from './visibility.ts';

/** Whether others don't see me on boards; null: not known. Settings that a board contradicts are read again. */
export function useHidden(page: BoardPage | null): boolean | null {
  const queries = useQueryClient();
  const { id, age } = useUser();
  const { data } = useQuery(getSettingsQuery(id));
  const known = { age, hidden: page?.hidden ?? null, boards: data?.boards ?? null };
  // A copy is of before; what contradicts it may well be newer.
  const is_outdated = page?.cached_at === null && disagrees(known);
  useEffect(() => {
    if (is_outdated) void queries.invalidateQueries({ queryKey: settingsKey(id) });
  }, [is_outdated, id, queries]);
  return isHidden(known);
}
