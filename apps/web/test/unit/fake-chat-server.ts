import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { ERASED_USER_ID } from '#web/features/chats/data/erased-user.ts';
import { CHAT, CHAT_ID, messagesOf } from './fake-chat.ts';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from './fake-server.ts';

/** The data of Nora's server: by default one chat with 120 messages. */
export interface ChatServer {
  chats: Chat[];
  messages: Message[];
  /** The queries of the message pages that it answered. */
  pages: string[];
  /** The number of requests for messages. */
  calls: number;
  /** A prepared page or list is answered only after this promise. */
  delay: Promise<unknown>;
  /** Also answers aborted requests, as if the answer had already arrived. */
  is_late: boolean;
  /** Refuses requests for messages. */
  is_failing: boolean;
}

/** Creates the server and Nora's tab. An aborted request gets no answer, as in a browser. */
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

/** Erases Eve's account: her messages become blank and lose their sender. */
export function eraseEve(server: ChatServer): void {
  const erased = { id: ERASED_USER_ID, name: DEFAULT_DISPLAY_NAME, public_id: '' };
  server.messages = server.messages.map((message) =>
    message.sender_id === EVE.id
      ? { ...message, message: '', sender_id: erased.id, sender_name: erased.name }
      : message,
  );
  server.chats = server.chats.map((chat) => ({
    ...chat,
    name: erased.name,
    sender: erased,
    other_participant: erased,
    latest_message_preview: chat.latest_message_sender_id === EVE.id ? '' : chat.latest_message_preview,
    latest_message_sender_id: chat.latest_message_sender_id === EVE.id ? erased.id : chat.latest_message_sender_id,
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
