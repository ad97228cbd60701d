import { randomUUID } from 'node:crypto';
import {
  createChat,
  listChats,
  listMessages,
  type Message,
  markMessagesRead,
  reportTyping,
  sendMessage,
} from '@sendlap/contract/chats.ts';
import { readIdempotencyKey } from '#api/http/idempotency-key.ts';
import { toRawJson } from '#api/http/raw-json.ts';
import type { HttpExchange, Route } from '#api/http/route.ts';
import type { ChatService } from './service.ts';

export function mountChats(route: Route, chats: ChatService): void {
  route(listChats, (_input, { user_id }) => chats.listChats(user_id));
  route(createChat, async ({ body }, { user_id }, http) => {
    const { chat, is_replay } = await chats.createChat(user_id, body.receiver_id);
    markReplay(is_replay, http);
    return chat;
  });
  route(listMessages, ({ params, query }, { user_id }) => chats.listMessages(user_id, { ...params, ...query }));
  route(sendMessage, async ({ params, body }, { user_id }, http) => {
    const id = body.client_id ?? readIdempotencyKey(http.request) ?? randomUUID();
    const { message, is_replay } = await chats.sendMessage(user_id, { ...params, id, text: body.message });
    markReplay(is_replay, http);
    return toRawJson<Message>(message);
  });
  route(markMessagesRead, async ({ params, body }, { user_id }) => {
    return { unreadCount: await chats.markMessagesRead(user_id, params.chat_id, body.messageIds) };
  });
  route(reportTyping, async ({ params }, { user_id }) => {
    await chats.notifyTyping(user_id, params.chat_id);
    return {};
  });
}

function markReplay(is_replay: boolean, { reply }: HttpExchange): void {
  if (is_replay) reply.header('idempotent-replay', 'true');
}
