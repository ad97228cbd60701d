import { listAudit } from '@sendlap/contract/server-management/audit.ts';
import { getServerOverview, listStaffedCenters } from '@sendlap/contract/server-management/overview.ts';
import {
  createPasswordLink,
  createPerson,
  erasePerson,
  getPerson,
  grantOperator,
  inviteOperator,
  liftSuspension,
  listPeople,
  type PeopleFilter,
  type Person,
  revokeOperator,
  suspendPerson,
} from '@sendlap/contract/server-management/people.ts';
import { handleReport, listReports, type ReportOutcome } from '@sendlap/contract/server-management/reports.ts';
import {
  keepReview,
  listReviews,
  type Review,
  withdrawDecisions,
} from '@sendlap/contract/server-management/reviews.ts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { loadServerProfile } from '#web/shared/data/server-profile.ts';

const KEY = 'manage';
/** Other operators and the users change these data at any time. */
const FRESH = { refetchOnMount: 'always' } as const;
const PAGES = {
  ...FRESH,
  initialPageParam: null as string | null,
  getNextPageParam: (last: { next_cursor: string | null }) => last.next_cursor,
};

const cursorOf = (pageParam: string | null) => (pageParam === null ? {} : { cursor: pageParam });

export const profileQuery = queryOptions({
  queryKey: ['server'],
  queryFn: ({ signal }) => loadServerProfile(signal),
  ...FRESH,
});

export const overviewQuery = queryOptions({
  queryKey: [KEY, 'overview'],
  queryFn: ({ signal }) => call(getServerOverview, {}, { signal }),
  ...FRESH,
});

export const centersQuery = queryOptions({
  queryKey: [KEY, 'centers'],
  queryFn: ({ signal }) => call(listStaffedCenters, {}, { signal }),
  ...FRESH,
});

/** `q`: as typed. */
export function peopleQuery(q: string, only: PeopleFilter | null) {
  const filter = { ...(q.trim() !== '' && { q: q.trim() }), ...(only !== null && { only }) };
  return infiniteQueryOptions({
    queryKey: [KEY, 'people', filter],
    queryFn: ({ pageParam, signal }) => call(listPeople, { query: { ...filter, ...cursorOf(pageParam) } }, { signal }),
    ...PAGES,
  });
}

export function personQuery(public_id: string) {
  return queryOptions({
    queryKey: [KEY, 'person', public_id],
    queryFn: ({ signal }) => call(getPerson, { params: { public_id } }, { signal }),
    ...FRESH,
  });
}

export function reportsQuery(status: 'open' | 'handled') {
  return infiniteQueryOptions({
    queryKey: [KEY, 'reports', status],
    queryFn: ({ pageParam, signal }) => call(listReports, { query: { status, ...cursorOf(pageParam) } }, { signal }),
    ...PAGES,
  });
}

export const reviewsQuery = queryOptions({
  queryKey: [KEY, 'reviews'],
  queryFn: ({ signal }) => call(listReviews, {}, { signal }),
  ...FRESH,
});

export const auditQuery = infiniteQueryOptions({
  queryKey: [KEY, 'audit'],
  queryFn: ({ pageParam, signal }) => call(listAudit, { query: cursorOf(pageParam) }, { signal }),
  ...PAGES,
});

/** Every other screen loads again what an act may have changed. */
function useReload() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [KEY] });
}

/** Changes a user, and shows them as the server returns them. */
function usePersonChange<Input>(public_id: string, change: (input: Input) => Promise<Person>) {
  const queries = useQueryClient();
  const reload = useReload();
  return useMutation({
    mutationFn: change,
    onSuccess(person) {
      queries.setQueryData<Person>(personQuery(public_id).queryKey, person);
      reload();
    },
  });
}

export function useChangeOperator(public_id: string) {
  const params = { public_id };
  return usePersonChange(public_id, (is_operator: boolean) =>
    is_operator ? call(grantOperator, { params }) : call(revokeOperator, { params }),
  );
}

export function useSuspend(public_id: string) {
  return usePersonChange(public_id, (reason: string) =>
    call(suspendPerson, { params: { public_id }, body: { reason } }),
  );
}

export function useLiftSuspension(public_id: string) {
  return usePersonChange(public_id, () => call(liftSuspension, { params: { public_id } }));
}

export function useErasePerson(public_id: string) {
  return usePersonChange(public_id, (reason: string) => call(erasePerson, { params: { public_id }, body: { reason } }));
}

export function usePasswordLink(public_id: string) {
  return useMutation({ mutationFn: () => call(createPasswordLink, { params: { public_id } }) });
}

export function useCreatePerson() {
  const reload = useReload();
  return useMutation({
    mutationFn: (body: { email: string; name: string }) => call(createPerson, { body }),
    onSuccess: reload,
  });
}

export function useInviteOperator() {
  return useMutation({ mutationFn: () => call(inviteOperator, {}) });
}

export function useHandleReport(id: string, outcome: ReportOutcome) {
  return useMutation({
    mutationFn: (reason: string) => call(handleReport, { params: { id }, body: { outcome, reason } }),
    // Also after a failure: another operator may have handled it.
    onSettled: useReload(),
  });
}

export function useKeepReview({ kind, scanner, athlete }: Review) {
  return useMutation({
    mutationFn: (reason: string) =>
      call(keepReview, {
        body: { kind, scanner: scanner.public_id, athlete: athlete?.public_id ?? null, reason },
      }),
    onSuccess: useReload(),
  });
}

export function useWithdrawDecisions() {
  return useMutation({
    mutationFn: (body: { decision_ids: string[]; reason: string }) => call(withdrawDecisions, { body }),
    onSettled: useReload(),
  });
}
