import {
  type CenterClaim,
  checkClaimLine,
  createClaimLine,
  getCenterClaim,
  redeemClaimCode,
  requestClaim,
  sendClaimMail,
} from '@sendlap/contract/center-management/claims.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import type { Language } from '#web/shared/i18n/language.ts';

/** How the user can become a manager of a center. */
export function claimQuery(id: string) {
  return queryOptions({
    queryKey: ['claims', id],
    queryFn: ({ signal }) => call(getCenterClaim, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** A step of a claim, which returns the claim. A refusal may mean that a code or a line has expired. */
function useClaimStep<Input>(id: string, step: (input: Input) => Promise<CenterClaim>) {
  const queries = useQueryClient();
  const { queryKey } = claimQuery(id);
  return useMutation({
    mutationFn: step,
    onSuccess: (claim) => queries.setQueryData<CenterClaim>(queryKey, claim),
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}

export function useSendMail(id: string) {
  return useClaimStep(id, (body: { email: string; language: Language }) =>
    call(sendClaimMail, { params: { id }, body }),
  );
}

export function useRedeemCode(id: string) {
  return useClaimStep(id, (code: string) => call(redeemClaimCode, { params: { id }, body: { code } }));
}

export function useCheckLine(id: string) {
  return useClaimStep(id, () => call(checkClaimLine, { params: { id } }));
}

export function useRequestClaim(id: string) {
  return useClaimStep(id, (message: string) => call(requestClaim, { params: { id }, body: { message } }));
}

/** The reply is the only one that contains the line. */
export function useCreateLine(id: string) {
  return useMutation({ mutationFn: () => call(createClaimLine, { params: { id } }) });
}
