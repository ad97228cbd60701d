import { listMyRefereeRights, RefereeRight } from '@sendlap/contract/referees.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../api/client.ts';
import { loadMetadata, saveMetadata } from '../copies/metadata.ts';

/** A right may be granted while the referee stands at the wall: asked anew at every scan, from memory only this long. */
const RIGHTS_STALE_MS = 30_000;

export interface KnownRights {
  /** null: this device never heard of any. */
  rights: RefereeRight[] | null;
  /** The server said so when it was last asked; else this is an older copy. */
  rights_fresh: boolean;
  /** Why the server could not be asked; null when it could. */
  error: unknown;
  retry: () => void;
}

const metadataKey = (user_id: string) => `referee_rights:${user_id}`;

/** Where I may confirm, as the server says; each answer is kept on this device. */
export function refereeRightsQuery(user_id: string) {
  return queryOptions({
    queryKey: ['referees', 'me', user_id],
    queryFn: async ({ signal }) => {
      const { items } = await call(listMyRefereeRights, {}, { signal });
      await saveMetadata(metadataKey(user_id), items, user_id);
      return items;
    },
    staleTime: RIGHTS_STALE_MS,
    networkMode: 'always',
    retry: false,
  });
}

async function loadKeptRights(user_id: string): Promise<RefereeRight[] | null> {
  const kept = z.array(RefereeRight).safeParse(await loadMetadata(metadataKey(user_id)));
  return kept.success ? kept.data : null;
}

/** The server's word, and until it comes (or where it can't) the copy of this device. */
export function useRefereeRights(user_id: string): KnownRights {
  const told = useQuery(refereeRightsQuery(user_id));
  const kept = useQuery({
    queryKey: ['referees', 'me', user_id, 'kept'],
    queryFn: () => loadKeptRights(user_id),
    networkMode: 'always',
    retry: false,
  });
  return {
    rights: told.data ?? kept.data ?? null,
    rights_fresh: told.isSuccess,
    error: told.error,
    retry: () => void told.refetch(),
  };
}
