import { GivenDecision, listGivenDecisions } from '@sendlap/contract/decisions.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import type { OutboxRows } from '#web/shared/outbox/store/rows.ts';
import type { ScanOp } from '../scan/scan-op.ts';

export const PAGE_SIZE = 20;

export const decisionsKey = (user_id: string) => ['decisions', user_id];
export const decision_copies = createCopies('given_decisions', z.array(GivenDecision));

/** The user's decisions, newest first, in pages; the first page is cached for offline use. */
export function listDecisionsQuery(user_id: string) {
  return infiniteQueryOptions({
    queryKey: decisionsKey(user_id),
    async queryFn({ pageParam, signal }): Promise<Reply<typeof listGivenDecisions>> {
      const query = { limit: String(PAGE_SIZE), ...(pageParam === null ? {} : { cursor: pageParam }) };
      const page = await call(listGivenDecisions, { query }, { signal });
      if (pageParam === null) decision_copies.save(user_id, page.items);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    networkMode: 'always',
    retry: false,
  });
}

/** A decision on this device that is not in the server's list. */
export interface LocalDecision {
  op: ScanOp;
  /** `queued`: not sent yet. `waiting`: the athlete's ops have not reached the server. `refused`: it does not count. */
  state: 'queued' | 'waiting' | 'refused';
  /** The reason of a refusal; null otherwise. */
  refusal: { code: string; message: string } | null;
}

type DecisionRows = Pick<OutboxRows, 'ops' | 'dead' | 'waiting'>;

/** The user's decisions that only this device knows, newest first. */
export function localDecisions({ ops, dead, waiting }: DecisionRows): LocalDecision[] {
  // A waiting decision that is sent again is in the queue too.
  const waiting_ids = new Set(waiting.map(({ op_id }) => op_id));
  const unsent = ops.filter(({ op_id }) => !waiting_ids.has(op_id));
  const local: LocalDecision[] = [
    ...unsent.flatMap(({ payload }) => toLocalDecisions(payload, 'queued')),
    ...waiting.flatMap(({ payload }) => toLocalDecisions(payload, 'waiting')),
    ...dead.flatMap(({ payload, code, message }) => toLocalDecisions(payload, 'refused', { code, message })),
  ];
  return local.sort((a, b) => Date.parse(b.op.scanned_at) - Date.parse(a.op.scanned_at));
}

function toLocalDecisions(
  op: DecisionRows['ops'][number]['payload'],
  state: LocalDecision['state'],
  refusal: LocalDecision['refusal'] = null,
): LocalDecision[] {
  return op.kind === 'scan' ? [{ op, state, refusal }] : [];
}

interface Today {
  count: number;
  /** All listed decisions are of today: there may be more behind them. */
  is_at_least: boolean;
}

/**
 * Counts the confirmations in force that the user scanned on this device's calendar day of `now` (ms epoch), with those
 * that only this device knows, but for refused ones.
 */
export function confirmedToday(
  listed: readonly GivenDecision[],
  local_only: readonly LocalDecision[],
  { now, has_more }: { now: number; has_more: boolean },
): Today {
  const isToday = (scanned_at: string) => new Date(scanned_at).toDateString() === new Date(now).toDateString();
  const in_force = listed.filter(
    ({ decision, outcome, scanned_at }) => decision === 'confirm' && outcome === 'in_force' && isToday(scanned_at),
  );
  const local = local_only.filter(
    ({ op, state }) => op.decision === 'confirm' && state !== 'refused' && isToday(op.scanned_at),
  );
  const oldest = listed.at(-1);
  return {
    count: in_force.length + local.length,
    is_at_least: has_more && oldest !== undefined && isToday(oldest.scanned_at),
  };
}

/** The state of a decision's withdrawal on this device; null: not requested. */
export function withdrawalState(
  scan_op_id: string,
  { ops, dead }: DecisionRows,
): 'queued' | { code: string; message: string } | null {
  const isWithdrawalOfScan = ({ payload }: DecisionRows['ops'][number] | DecisionRows['dead'][number]) =>
    payload.kind === 'withdraw' && payload.scan_op_id === scan_op_id;
  if (ops.some(isWithdrawalOfScan)) return 'queued';
  const refused = dead.find(isWithdrawalOfScan);
  return refused ? { code: refused.code, message: refused.message } : null;
}
