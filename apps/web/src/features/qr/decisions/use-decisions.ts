import type { GivenDecision } from '@sendlap/contract/decisions.ts';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { decision_copies, decisionsKey, type LocalDecision, listDecisionsQuery, localDecisions } from './decisions.ts';

interface DecisionsState {
  decisions_query: UseInfiniteQueryResult;
  /** As the server knows them, newest first; undefined: neither it nor this device has told any. */
  listed: GivenDecision[] | undefined;
  /** Those that only this device knows, newest first. */
  local_only: LocalDecision[];
  /** Set if the server does not answer: when this device's copy was fetched, ms epoch. */
  outdated_at: number | null;
}

/** The user's decisions about other athletes' activities, read again when one of this device was answered. */
export function useDecisions(): DecisionsState {
  const { id } = useUser();
  const decisions_query = useInfiniteQuery(listDecisionsQuery(id));
  const copy = useQuery(decision_copies.query(id)).data;
  const answered = decisions_query.data?.pages.flatMap(({ items }) => items);
  const { data: listed, outdated_at } = useShown({ ...decisions_query, data: answered }, copy);
  const local = localDecisions(useOutbox());
  const queries = useQueryClient();
  // `ScanLiveUpdates` handles the live stream on all screens.
  useEffect(() => {
    return outbox.onResults(() => void queries.invalidateQueries({ queryKey: decisionsKey(id) }));
  }, [queries, id]);
  // A decision that has just reached the server is in both lists for a moment.
  const listed_ids = new Set(listed?.map(({ op_id }) => op_id));
  return {
    decisions_query,
    listed,
    local_only: local.filter(({ op }) => !listed_ids.has(op.op_id)),
    outdated_at,
  };
}
