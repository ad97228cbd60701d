import type { FoundPerson } from '@sendlap/contract/friends.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { searchFriendQuery } from '../people/queries.ts';

export interface FriendSearch {
  /** null: nothing is searched for. */
  public_id: string | null;
  search: (public_id: string | null) => void;
  query: UseQueryResult<FoundPerson>;
  /** The user with this id, once the server has answered. */
  found: FoundPerson | null;
}

/** The search for exactly one public id. */
export function useFriendSearch(): FriendSearch {
  const user = useUser();
  const [public_id, search] = useState<string | null>(null);
  const query = useQuery({ ...searchFriendQuery(user.id, public_id ?? ''), enabled: public_id !== null });
  return { public_id, search, query, found: public_id === null ? null : (query.data ?? null) };
}
