import { type Chat, sendMessage } from '@sendlap/contract/chats.ts';
import { normalizeMessage } from '@sendlap/domain/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { findChat, listChatCopiesQuery } from '../data/list-queries.ts';
import { threads } from '../data/thread-store.ts';
import { panel } from '../panel-state/panel.ts';

/**
 * Sends a message in a chat: resolves once it is saved on this device, from where the outbox sends it. Rejects with
 * OutboxError if the device could not save it, with ApiError if it is too long for the server to read. Empty text is
 * not sent.
 */
export function useSendMessage(chat_id: Chat['id']): (text: string) => Promise<void> {
  const user = useUser();
  const queries = useQueryClient();
  return async (text) => {
    const message = normalizeMessage(text);
    if (message === null) return;
    const client_id = crypto.randomUUID();
    const body = new Blob([JSON.stringify({ message, client_id })]);
    // The server would read no longer body, and could not even say why.
    if (body.size > sendMessage.max_body_bytes)
      throw new ApiError({ code: 'HTTP_ERROR', status: 422, backend_error: 'message_too_long' });
    const to_name = findListedChat(queries, user.id, chat_id)?.other_participant.name ?? '';
    const after_seq = newestSeq(queries, user.id, chat_id);
    await outbox.saveMessage({ client_id, user_id: user.id, chat_id, to_name, text: message, after_seq });
  };
}

/** Returns a chat of my list, or of this device's copy if the app was started offline. */
function findListedChat(queries: QueryClient, user_id: string, chat_id: string): Chat | undefined {
  const copy = queries.getQueryData(listChatCopiesQuery(user_id).queryKey);
  return findChat(queries, user_id, chat_id) ?? copy?.chats.find(({ id }) => id === chat_id);
}

/** Returns the seq of the newest message known to this device; 0: the chat is empty; undefined: the chat is unknown. */
function newestSeq(queries: QueryClient, user_id: string, chat_id: string): number | undefined {
  const thread = threads.getSnapshot({ user_id, chat_id });
  const seqs = [
    findListedChat(queries, user_id, chat_id)?.last_seq,
    thread?.messages.at(-1)?.seq ?? (thread?.was_synced ? 0 : undefined),
  ].filter((seq) => seq !== undefined);
  return seqs.length > 0 ? Math.max(...seqs) : undefined;
}

/** The actions for a message that the server refused. */
export function useFailedMessage() {
  const user = useUser();
  const queries = useQueryClient();
  const find = (id: string) => outbox.getSnapshot().messages.find(({ client_id }) => client_id === id);
  const discard = (id: string) => outbox.discardMessage(user.id, id);
  return {
    async retry(id: string): Promise<void> {
      const message = find(id);
      if (message) await outbox.retryMessage(user.id, id, newestSeq(queries, user.id, message.chat_id));
    },
    discard,
    /** Moves the text back into the composer. */
    async edit(id: string): Promise<void> {
      const message = find(id);
      if (!message) return;
      panel.prependToDraft(message.chat_id, message.text);
      await discard(id);
    },
  };
}
