import type { Appeal } from '@sendlap/contract/referees.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { appeal_copies, listAppealsQuery, openAppeals } from './appeals.ts';

interface OpenAppealsState {
  appeals_query: UseQueryResult;
  /** All that the server or this device knows; undefined: none of them has told any. */
  appeals: Appeal[] | undefined;
  /** Those that this user can decide now. */
  open_appeals: Appeal[];
  /** Set if the server does not answer: when this device's copy was fetched, ms epoch. */
  outdated_at: number | null;
}

/** The athletes who appeal to this user for another referee's decision. */
export function useOpenAppeals(): OpenAppealsState {
  const { id } = useUser();
  const now_ms = useServerNow();
  const appeals_query = useQuery(listAppealsQuery(id));
  const { data: appeals, outdated_at } = useShown(appeals_query, useQuery(appeal_copies.query(id)).data);
  const { ops } = useOutbox();
  const scanned = new Set(ops.flatMap(({ payload }) => (payload.kind === 'scan' ? [payload.client_id] : [])));
  return { appeals_query, appeals, open_appeals: openAppeals(appeals ?? [], now_ms, scanned), outdated_at };
}
