import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { findCenterInResults, sportCenterCopyQuery, sportCenterQuery } from './queries.ts';

/** A center by id; until the server answers, from the latest searches or this device's copy. */
export function useSportCenter(id: string) {
  const queries = useQueryClient();
  const query = useQuery(sportCenterQuery(id));
  const copy = useQuery({ ...sportCenterCopyQuery(id), placeholderData: () => findCenterInResults(queries, id) });
  return { ...query, ...useShown(query, copy.data) };
}
