import {
  type CenterDetails,
  type CenterDetailsChange,
  getCenterDetails,
  updateCenterDetails,
} from '@sendlap/contract/center-management/center-details.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';

export function detailsQuery(id: string) {
  return queryOptions({
    queryKey: ['center-management', id, 'details'],
    queryFn: ({ signal }) => call(getCenterDetails, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Whether another manager changed the same part of the center first. */
function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.backend_error === 'center_changed';
}

/** Changes facts of the version that was seen. After a conflict the newer state is loaded. */
export function useUpdateDetails(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CenterDetailsChange & { version: number }) =>
      call(updateCenterDetails, { params: { id }, body }),
    onSuccess: (details) => {
      queries.setQueryData<CenterDetails>(detailsQuery(id).queryKey, details);
      return queries.invalidateQueries({ queryKey: ['sport-centers'] });
    },
    onError: (error) => (isConflict(error) ? queries.invalidateQueries(detailsQuery(id)) : undefined),
  });
}
