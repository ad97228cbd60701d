import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';

const metadataKey = (user_id: string) => `name_postponed:${user_id}`;

function postponedQuery(user_id: string) {
  return queryOptions({
    queryKey: ['name_postponed', user_id],
    queryFn: async () => (await loadMetadata(metadataKey(user_id))) === true,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether the user chose "Later" for the display name, which holds until the next sign-in; undefined until loaded. */
export function useNamePostponed(user_id: string) {
  const queries = useQueryClient();
  const { data } = useQuery(postponedQuery(user_id));
  const postponeName = () => {
    queries.setQueryData(postponedQuery(user_id).queryKey, true);
    void saveMetadata(metadataKey(user_id), true, user_id);
  };
  return { name_postponed: data, postponeName };
}
