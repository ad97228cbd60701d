import { acceptClaim, listClaims, refuseClaim } from '@sendlap/contract/center-management/claims.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';

/** The users who wait for an operator. */
export const requestedClaimsQuery = queryOptions({
  queryKey: ['claims', 'requested'],
  queryFn: ({ signal }) => call(listClaims, {}, { signal }),
  refetchOnMount: 'always',
});

export function useDecideClaim(claim_id: string, decision: 'accept' | 'refuse') {
  const queries = useQueryClient();
  const { queryKey } = requestedClaimsQuery;
  return useMutation({
    mutationFn: () => call(decision === 'accept' ? acceptClaim : refuseClaim, { params: { claim_id } }),
    onSuccess: (claims) => queries.setQueryData(queryKey, claims),
  });
}
