import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { ERASED_USER_ID } from '#web/features/chats/data/erased-person.ts';
import { CHAT, CHAT_ID, messagesOf } from './fake-chat.ts';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from './fake-server.ts';

/** What Nora's server has: one chat with 120 messages, unless a test says otherwise. */
export interface ChatServer {
  chats: Chat[];
  messages: Message[];
  /** Queries of the message pages that were given. */
  pages: string[];
  /** How often messages were asked for. */
  calls: number;
  /** Waited for before a page or the list is answered, after it was put together. */
  delay: Promise<unknown>;
  /** It answers also what was given up: the answer had arrived by then. */
  is_late: boolean;
  /** Refuses to give messages. */
  is_failing: boolean;
}

/** That server and Nora's tab. A request that is given up gets no answer, as in a browser. */
export function createChatServer() {
  const server: ChatServer = {
    chats: [CHAT],
    messages: messagesOf(1, 120),
    pages: [],
    calls: 0,
    delay: Promise.resolve(),
    is_late: false,
    is_failing: false,
  };
  const tab = createTab({
    'GET /v1/chats': (request) => answer(server, request, reply(server.chats)),
    'POST /v1/chats': () => reply(CHAT, 201),
    [`GET /v1/chats/${CHAT_ID}/messages`]: (request) => {
      server.calls += 1;
      return answer(server, request, server.is_failing ? refusal(409, 'conflict') : reply(pageOf(server, request)));
    },
  });
  tab.token.set(tokenOf(NORA.id), 600);
  return { server, tab };
}

async function answer({ delay, is_late }: ChatServer, { signal }: Request, response: Response): Promise<Response> {
  const given_up = new Promise<never>((_, reject) => {
    if (!is_late) signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([delay, given_up]);
  return response;
}

/** Eve's account is erased: her words are blank, and nobody wrote them. */
export function eraseEve(server: ChatServer): void {
  const nobody = { id: ERASED_USER_ID, name: NAMELESS, public_id: '' };
  server.messages = server.messages.map((message) =>
    message.sender_id === EVE.id
      ? { ...message, message: '', sender_id: nobody.id, sender_name: nobody.name }
      : message,
  );
  server.chats = server.chats.map((chat) => ({
    ...chat,
    name: nobody.name,
    sender: nobody,
    other_participant: nobody,
    latest_message_preview: chat.latest_message_sender_id === EVE.id ? '' : chat.latest_message_preview,
    latest_message_sender_id: chat.latest_message_sender_id === EVE.id ? nobody.id : chat.latest_message_sender_id,
    can_send: false,
  }));
}

function pageOf({ messages, pages }: ChatServer, { url }: Request): Message[] {
  const { search, searchParams } = new URL(url);
  pages.push(search);
  const limit = Number(searchParams.get('limit'));
  const [before, after] = ['before', 'after'].map((name) => searchParams.get(name));
  if (after) return messages.filter(({ seq }) => seq > Number(after)).slice(0, limit);
  const until = before ? messages.filter(({ seq }) => seq < Number(before)) : messages;
  const end = until.length - Number(searchParams.get('offset') ?? 0);
  return until.slice(Math.max(0, end - limit), end);
}
