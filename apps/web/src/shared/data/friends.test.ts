import type { Friend } from '@sendlap/contract/friends.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { ApiError } from '../api/errors.ts';
import { friend_copies, friendsQuery } from './friends.ts';

const call = vi.fn<() => Promise<Friend[]>>();
const metadata = new Map<string, unknown>();

vi.mock('../api/client.ts', () => ({ call: () => call() }));
vi.mock('../copies/metadata.ts', () => ({
  saveMetadata: async (key: string, value: unknown) => void metadata.set(key, value),
  loadMetadata: async (key: string) => metadata.get(key),
}));

const FRIEND: Friend = {
  id: '11111111-1111-4111-8111-111111111111',
  friend_id: EVE.id,
  friend_name: 'Eve',
  friend_public_id: 'eve',
};

test('a list that cannot be read again keeps its later changes, with its age; its copy does not', async () => {
  call.mockResolvedValueOnce([]).mockRejectedValue(new ApiError({ code: 'NETWORK_ERROR', status: 0 }));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const { queryKey } = friendsQuery(NORA.id);
  await queries.fetchQuery(friendsQuery(NORA.id));
  queries.setQueryData(queryKey, [FRIEND], { updatedAt: 1_000 });
  for (const _attempt of [1, 2]) {
    await expect(queries.fetchQuery({ ...friendsQuery(NORA.id), staleTime: 0 })).rejects.toThrow();
    expect(queries.getQueryState(queryKey)).toMatchObject({ data: [FRIEND], dataUpdatedAt: 1_000 });
  }
  const later = new QueryClient();
  expect(await later.fetchQuery(friend_copies.query(NORA.id))).toEqual({ value: [], cached_at: expect.any(Number) });
});
