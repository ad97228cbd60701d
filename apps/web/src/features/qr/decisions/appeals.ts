import { Appeal, listAppeals } from '@sendlap/contract/referees.ts';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';

export const appealsKey = (user_id: string) => ['appeals', user_id];
export const appeal_copies = createCopies('asked_appeals', z.array(Appeal));

/** Athletes who appeal to the user for a new decision, newest first; each answer is cached for offline use. */
export function listAppealsQuery(user_id: string) {
  return queryOptions({
    queryKey: appealsKey(user_id),
    async queryFn({ signal }): Promise<Appeal[]> {
      const { items } = await call(listAppeals, {}, { signal });
      appeal_copies.save(user_id, items);
      return items;
    },
    networkMode: 'always',
    retry: false,
  });
}

/** The appeals still open at this moment (ms epoch, server time), without those that the user has scanned since. */
export function openAppeals(appeals: Appeal[], now_ms: number, scanned: ReadonlySet<string>): Appeal[] {
  return appeals.filter(({ client_id, open_until }) => Date.parse(open_until) >= now_ms && !scanned.has(client_id));
}
