import {
  type CenterHours,
  getCenterHours,
  updateCenterHours,
} from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';

export function hoursQuery(id: string) {
  return queryOptions({
    queryKey: ['center-management', id, 'hours'],
    queryFn: ({ signal }) => call(getCenterHours, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Sets the hours in place of the version that was seen. After a conflict the newer hours are loaded. */
export function useUpdateHours(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OpeningHours & { version: number }) => call(updateCenterHours, { params: { id }, body }),
    onSuccess: (hours) => {
      queries.setQueryData<CenterHours>(hoursQuery(id).queryKey, hours);
      return queries.invalidateQueries({ queryKey: ['sport-centers'] });
    },
    onError: (error) =>
      error instanceof ApiError && error.backend_error === 'center_changed'
        ? queries.invalidateQueries(hoursQuery(id))
        : undefined,
  });
}
