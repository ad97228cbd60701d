import { randomUUID } from 'node:crypto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import { expect } from 'vitest';
import type { SignedIn, TestApp } from '../app/app.ts';
import { befriend } from '../factories.ts';

export interface ChatReply<Data> {
  status: number;
  code?: string;
  message: string;
  replayed: boolean;
  data: Data;
}

/** Calls of chats as a client makes them. */
export function openChatScene(api: TestApp) {
  const call = async <Data>(
    who: Pick<SignedIn, 'headers'> | undefined,
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<ChatReply<Data>> => {
    const reply = await api.app.inject({
      method,
      url,
      headers: { ...who?.headers, ...headers },
      ...(payload ? { payload } : {}),
    });
    return { status: reply.statusCode, replayed: reply.headers['idempotent-replay'] === 'true', ...reply.json() };
  };
  const create = (who: SignedIn, with_id: string) => call<Chat>(who, 'POST', '/v1/chats', { receiver_id: with_id });
  const send = (who: SignedIn, chat_id: string, message: string, client_id: string = randomUUID()) =>
    call<Message>(who, 'POST', `/v1/chats/${chat_id}/messages`, { message, client_id });

  return {
    call,
    create,
    send,
    /** Creates two friends and their chat, which the first one opens. */
    async openChat(names: [string, string] = ['Ada', 'Ben']) {
      const [ada, ben] = [await api.signIn(names[0]), await api.signIn(names[1])];
      const friendship_id = await befriend(api.database, ada, ben);
      const { data } = await create(ada, ben.user.id);
      return { ada, ben, chat_id: data.id, friendship_id };
    },
    async unfriend(friendship_id: string) {
      await api.database.deleteFrom('friendships').where('id', '=', friendship_id).execute();
    },
    async block(blocker: SignedIn, blocked: SignedIn) {
      const row = { blocker_id: blocker.user.id, blocked_id: blocked.user.id };
      await api.database.insertInto('blocks').values(row).execute();
    },
    list: (who: SignedIn) => call<Chat[]>(who, 'GET', '/v1/chats/'),
    read: (who: SignedIn, chat_id: string, query = '') =>
      call<Message[]>(who, 'GET', `/v1/chats/${chat_id}/messages${query}`),
    markRead: (who: SignedIn, chat_id: string, messageIds: string[]) =>
      call<{ unreadCount: number }>(who, 'POST', `/v1/chats/${chat_id}/messages/mark-read`, { messageIds }),
    /** Returns the whole history, page by page. */
    async readAll(who: SignedIn, chat_id: string): Promise<Message[]> {
      const all: Message[] = [];
      for (let after = 0; ; ) {
        const { status, data } = await this.read(who, chat_id, `?after=${after}&limit=100`);
        expect(status).toBe(200);
        all.push(...data);
        if (data.length < 100) return all;
        after = data.at(-1)?.seq ?? 0;
      }
    },
    /** Returns the stored events of a user's stream, in order; their numbers must have no gaps. */
    async eventsOf({ user }: SignedIn): Promise<LiveEvent[]> {
      const rows = await api.database
        .selectFrom('user_events')
        .select(['seq', 'data'])
        .where('user_id', '=', user.id)
        .orderBy('seq')
        .execute();
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      return rows.map(({ data }) => data as LiveEvent);
    },
  };
}

export type ChatScene = ReturnType<typeof openChatScene>;
