import { listMyRefereeRights, RefereeRight } from '@sendlap/contract/referees.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../api/client.ts';
import { loadMetadata, saveMetadata } from '../copies/metadata.ts';

/** A referee may get a right while already at the wall: each scan refetches the rights if they are older than this. */
const RIGHTS_STALE_MS = 30_000;

export interface RefereeRightsState {
  /** null: this device has never loaded any. */
  rights: RefereeRight[] | null;
  /** This device's copy is being read. */
  rights_loading: boolean;
  /** True if the last request succeeded; otherwise this is an older copy. */
  rights_fresh: boolean;
  /** Why the last request failed; null if it succeeded. */
  error: unknown;
  retry: () => void;
}

const metadataKey = (user_id: string) => `referee_rights:${user_id}`;

/** The number of calls so far: a reply that is overtaken by that of a later call is not copied. */
let calls = 0;

/**
 * The referee's rights as the server reports them; each answer is copied to this device, also after the user has left
 * the screen that asked: the next screen may be the scanner, without a network.
 */
export function refereeRightsQuery(user_id: string) {
  return queryOptions({
    queryKey: ['referees', 'me', user_id],
    queryFn: async () => {
      calls += 1;
      const this_call = calls;
      const { items } = await call(listMyRefereeRights, {}, { expected_user_id: user_id });
      if (this_call === calls) await saveMetadata(metadataKey(user_id), items, user_id);
      return items;
    },
    staleTime: RIGHTS_STALE_MS,
    networkMode: 'always',
    retry: false,
  });
}

async function loadCachedRights(user_id: string): Promise<RefereeRight[] | null> {
  const cached = z.array(RefereeRight).safeParse(await loadMetadata(metadataKey(user_id)));
  return cached.success ? cached.data : null;
}

/** Returns the server's answer; this device's copy until it arrives, or if the request fails. */
export function useRefereeRights(user_id: string): RefereeRightsState {
  const fetched = useQuery(refereeRightsQuery(user_id));
  const cached = useQuery({
    queryKey: ['referees', 'me', user_id, 'kept'],
    queryFn: () => loadCachedRights(user_id),
    networkMode: 'always',
    retry: false,
  });
  return {
    rights: fetched.data ?? cached.data ?? null,
    rights_loading: !fetched.data && cached.isPending,
    rights_fresh: fetched.isSuccess,
    error: fetched.error,
    retry: () => void fetched.refetch(),
  };
}
