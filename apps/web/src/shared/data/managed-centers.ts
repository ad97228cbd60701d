import { listMyManagerRights } from '@sendlap/contract/center-management/managers.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A right can begin or end at any time, and few screens show it. */
export function managedCentersQuery(user_id: string) {
  return queryOptions({
    queryKey: ['managers', user_id],
    queryFn: ({ signal }) => call(listMyManagerRights, {}, { signal, expected_user_id: user_id }),
    refetchOnMount: 'always',
  });
}

/** Whether the user manages the center. false: also while it is not known, and for a visitor (`user_id` null). */
export function useIsManager(user_id: string | null, center_id: string): boolean {
  const { data } = useQuery({ ...managedCentersQuery(user_id ?? ''), enabled: user_id !== null });
  return data?.items.some(({ sport_center_id }) => sport_center_id === center_id) ?? false;
}
