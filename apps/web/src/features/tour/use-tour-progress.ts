import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { parseProgress, type TourProgress } from './tour-steps.ts';

const metadataKey = (user_id: string) => `tour:${user_id}`;

export function progressQuery(user_id: string) {
  return queryOptions({
    queryKey: ['tour', user_id],
    queryFn: async () => parseProgress(await loadMetadata(metadataKey(user_id))),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * The user's tour progress on this device, undefined until it is loaded, and the function that stores it. Deleted at
 * sign-out.
 */
export function useTourProgress(user_id: string) {
  const queries = useQueryClient();
  const { data } = useQuery(progressQuery(user_id));
  const saveProgress = (progress: TourProgress) => {
    queries.setQueryData(progressQuery(user_id).queryKey, progress);
    void saveMetadata(metadataKey(user_id), progress, user_id);
  };
  return { progress: data, saveProgress };
}
