import { listMyManagerRights } from '@sendlap/contract/center-management/managers.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A right can begin or end at any time, and few screens show it. */
export function managedCentersQuery(user_id: string) {
  return queryOptions({
    queryKey: ['managers', user_id],
    queryFn: ({ signal }) => call(listMyManagerRights, {}, { signal, expected_user_id: user_id }),
    refetchOnMount: 'always',
  });
}
