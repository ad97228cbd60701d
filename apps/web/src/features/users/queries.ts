import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';

/** The centers where I may confirm activities. */
export const refereeRightsQuery = queryOptions({
  queryKey: ['referees', 'me'],
  queryFn: ({ signal }) => call(listMyRefereeRights, {}, { signal }),
});
