import { getMyOperatorRight } from '@sendlap/contract/operators.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A right can begin or end at any time, and few screens show it. */
export function operatorRightQuery(user_id: string) {
  return queryOptions({
    queryKey: ['operators', user_id],
    queryFn: ({ signal }) => call(getMyOperatorRight, {}, { signal, expected_user_id: user_id }),
    refetchOnMount: 'always',
  });
}
