import {
  type CenterStaff,
  getCenterStaff,
  inviteKiosk,
  inviteManager,
  inviteReferee,
  revokeKiosks,
  revokeManager,
  revokeReferee,
} from '@sendlap/contract/center-management/center-staff.ts';
import { getSportCenter } from '@sendlap/contract/sport-centers.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';

/** While an invite is on the screen, the new kiosk, referee or manager should appear by itself. */
const POLL_MS = 3_000;

export function centerNameQuery(id: string) {
  return queryOptions({
    queryKey: ['center-management', id, 'name'],
    queryFn: async ({ signal }) => (await call(getSportCenter, { params: { id } }, { signal })).name,
  });
}

export function staffQuery(id: string, is_watching = false) {
  return queryOptions({
    queryKey: ['center-management', id, 'staff'],
    queryFn: ({ signal }) => call(getCenterStaff, { params: { id } }, { signal }),
    refetchOnMount: 'always',
    refetchInterval: is_watching ? POLL_MS : false,
  });
}

export type InviteKind = 'referee' | 'kiosk' | 'manager';

/** Makes a one-time invite. */
export function useInvite(id: string, kind: InviteKind) {
  return useMutation({
    mutationFn: () => {
      if (kind === 'kiosk') return call(inviteKiosk, { params: { id } });
      if (kind === 'manager') return call(inviteManager, { params: { id } });
      return call(inviteReferee, { params: { id }, body: {} });
    },
  });
}

/** Ends the right of a manager; one who leaves may read the staff no longer. */
export function useRevokeManager(id: string) {
  const store = useStoreStaff(id);
  return useMutation({
    mutationFn: (public_id: string) => call(revokeManager, { params: { id, public_id } }),
    onSuccess: store,
  });
}

export function useRevokeReferee(id: string) {
  const store = useStoreStaff(id);
  return useMutation({
    mutationFn: (public_id: string) => call(revokeReferee, { params: { id, public_id } }),
    onSuccess: store,
  });
}

export function useRevokeKiosks(id: string) {
  const store = useStoreStaff(id);
  return useMutation({ mutationFn: () => call(revokeKiosks, { params: { id } }), onSuccess: store });
}

function useStoreStaff(id: string) {
  const queries = useQueryClient();
  return (staff: CenterStaff) => queries.setQueryData<CenterStaff>(staffQuery(id).queryKey, staff);
}
