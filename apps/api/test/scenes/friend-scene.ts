import type { Block, FoundPerson, Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import type { SignedIn, TestApp } from '../app/app.ts';

export interface FriendReply<Data> {
  status: number;
  code?: string;
  message: string;
  replayed: boolean;
  retry_after: number;
  text: string;
  data: Data;
}

export type Asked = { status: 'pending'; request: FriendRequest } | { status: 'accepted'; friend: Friend };

type Who = Pick<SignedIn, 'headers'>;

/** Calls of friends as a client makes them. */
export function openFriendScene(api: TestApp) {
  const call = async <Data>(
    who: Who | undefined,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<FriendReply<Data>> => {
    const reply = await api.app.inject({
      method,
      url,
      headers: { ...who?.headers, ...headers },
      ...(payload ? { payload } : {}),
    });
    return {
      status: reply.statusCode,
      replayed: reply.headers['idempotent-replay'] === 'true',
      retry_after: Number(reply.headers['retry-after']),
      text: reply.body,
      ...reply.json(),
    };
  };
  const ask = (who: SignedIn, { user }: SignedIn, key?: string) =>
    call<Asked>(
      who,
      'POST',
      '/v1/friends/request',
      { receiver_public_id: user.public_id },
      key === undefined ? {} : { 'idempotency-key': key },
    );
  const accept = (who: SignedIn, id: string) => call<Friend>(who, 'POST', `/v1/friends/request/${id}/accept`);

  const scene = {
    call,
    ask,
    accept,
    search: (who: SignedIn, public_id: string) => call<FoundPerson>(who, 'POST', '/v1/friends/search', { public_id }),
    decline: (who: SignedIn, id: string) => call<object>(who, 'POST', `/v1/friends/request/${id}/decline`),
    cancel: (who: SignedIn, id: string) => call<object>(who, 'DELETE', `/v1/friends/request/${id}`),
    remove: (who: SignedIn, id: string) => call<object>(who, 'DELETE', `/v1/friends/${id}`),
    block: (who: SignedIn, { user }: SignedIn) => call<Block>(who, 'POST', '/v1/friends/blocks', { user_id: user.id }),
    unblock: (who: SignedIn, { user }: SignedIn) => call<object>(who, 'DELETE', `/v1/friends/blocks/${user.id}`),
    friends: async (who: SignedIn) => (await call<Friend[]>(who, 'GET', '/v1/friends/')).data,
    pending: async (who: SignedIn) => (await call<FriendRequest[]>(who, 'GET', '/v1/friends/requests/pending')).data,
    blocks: async (who: SignedIn) => (await call<Block[]>(who, 'GET', '/v1/friends/blocks')).data,
    /** Creates users with these names. */
    people: (...names: string[]) => Promise.all(names.map((name) => api.signIn(name))),
    /** Sends a friend request. Returns its id while it is pending. */
    async request(from: SignedIn, to: SignedIn): Promise<string> {
      const { data } = await ask(from, to);
      if (data.status !== 'pending') throw new Error('they are friends already');
      return data.request.id;
    },
    /** Makes two users friends through the API; returns the id of the friendship. */
    async meet(one: SignedIn, other: SignedIn): Promise<string> {
      const { data } = await accept(other, await scene.request(one, other));
      return data.id;
    },
    /** Returns the events sent to a user, in the order of their stream. */
    async eventsOf({ user }: SignedIn): Promise<Record<string, unknown>[]> {
      const rows = await api.database
        .selectFrom('user_events')
        .select('data')
        .where('user_id', '=', user.id)
        .orderBy('seq')
        .execute();
      return rows.map(({ data }) => data as Record<string, unknown>);
    },
  };
  return scene;
}

export type FriendScene = ReturnType<typeof openFriendScene>;
