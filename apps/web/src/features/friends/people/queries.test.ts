import { cancelFriendRequest, type FriendRequest } from '@sendlap/contract/friends.ts';
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { friendRequestsQuery, friendsQuery } from '#web/shared/data/friends.ts';
import { createReportIds, endRequestOptions, refetchLoadedLists } from './queries.ts';

const [FIRST, SECOND] = ['11111111-1111-4111-8111-11111111111a', '22222222-2222-4222-8222-22222222222b'] as const;

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
/** The server's response to ending a request; its list is only refetched once `lists` resolves. */
let answer: () => Response;
let lists: Promise<unknown>;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
}));
vi.mock('#web/shared/copies/metadata.ts', () => ({ saveMetadata: async () => {}, loadMetadata: async () => {} }));

const requestOf = (id: string, hour: number): FriendRequest => ({
  id,
  direction: 'outgoing',
  user: { id: EVE.id, name: 'Eve', public_id: 'eve' },
  created_at: `2026-11-22T${hour}:00:00.000Z`,
});
const ALL = [requestOf(SECOND, 11), requestOf(FIRST, 10)];

beforeEach(async () => {
  [answer, lists] = [() => reply({}), Promise.resolve()];
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const list = (items: unknown) => async () => {
    await lists;
    return reply(items);
  };
  tab = createTab({
    'GET /v1/friends': list([]),
    'GET /v1/friends/requests/pending': list(ALL),
    [`DELETE /v1/friends/request/${SECOND}`]: () => answer(),
  });
  tab.token.set(tokenOf(NORA.id), 600);
  new QueryObserver(queries, friendsQuery(NORA.id)).subscribe(() => {});
  new QueryObserver(queries, friendRequestsQuery(NORA.id)).subscribe(() => {});
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
  tab.sent.length = 0;
});

const shown = () => queries.getQueryData(friendRequestsQuery(NORA.id).queryKey)?.map(({ id }) => id);
const end = () => {
  const send = (id: string) => tab.call(cancelFriendRequest, { params: { id } });
  return new MutationObserver(queries, endRequestOptions(queries, NORA.id, send)).mutate(SECOND);
};

test('a request that the server does not end is listed again, with the error, before any list is read', async () => {
  answer = () => refusal(409, 'friend_request_decided');
  lists = new Promise(() => {});
  await expect(end()).rejects.toMatchObject({ backend_error: 'friend_request_decided' });
  await vi.waitFor(() => expect(tab.sent).toContain('GET /v1/friends/requests/pending'));
  expect(tab.sent[0]).toBe(`DELETE /v1/friends/request/${SECOND}`);
  expect(shown()).toEqual([SECOND, FIRST]);
});

test('a request that is being ended is gone at once, and then both lists and the search result are read again', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  lists = arrived;
  const ended = end();
  await vi.waitFor(() => expect(tab.sent).toContain('GET /v1/friends'));
  expect(shown()).toEqual([FIRST]);
  arrive();
  await ended;
  expect(tab.sent).toContain('GET /v1/friends/requests/pending');
});

test('a new listener reads the loaded lists again, and not those that failed', async () => {
  const { queryKey } = friendsQuery(NORA.id);
  queries.getQueryCache().find({ queryKey })?.setState({ status: 'error' });
  refetchLoadedLists(queries, NORA.id);
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(tab.sent).toEqual(['GET /v1/friends/requests/pending']);
});

test('a changed report is another one, a repeat is the same', () => {
  let made = 0;
  const idOf = createReportIds(() => `id ${++made}`);
  expect([idOf('spam'), idOf('spam'), idOf('spam, every day'), idOf('spam, every day')]).toEqual([
    'id 1',
    'id 1',
    'id 2',
    'id 2',
  ]);
});
