import { type Op, type OpResult, syncActivities } from '@sendlap/contract/activities.ts';
import { sendMessage } from '@sendlap/contract/chats.ts';
import type { Call } from '#web/shared/api/call.ts';
import { completeMessageReply } from '#web/shared/api/chat-reply.ts';

import type { MessageSenderDeps } from './message-sender.ts';

export interface OutboxCalls extends Pick<MessageSenderDeps, 'sendMessage'> {
  /** POST /v1/activities/sync as this user. Throws as `sendMessage` does. */
  send: (user_id: string, ops: Op[], beforeSend: () => Promise<void>, signal?: AbortSignal) => Promise<OpResult[]>;
}

/**
 * The calls of the outbox, each sent as the user who saved the op or wrote the message, or not at all. They throw the
 * reason with which the signal was aborted.
 */
export function createOutboxCalls(call: Call): OutboxCalls {
  return {
    send: async (user_id, ops, beforeSend, signal) =>
      (await call(syncActivities, { body: { ops } }, { expected_user_id: user_id, beforeSend, signal })).results,
    sendMessage: ({ chat_id, client_id, text, user_id }, beforeSend, signal) =>
      call(
        sendMessage,
        { params: { chat_id }, body: { message: text, client_id } },
        { expected_user_id: user_id, beforeSend, normalizeReply: completeMessageReply({ chat_id }), signal },
      ),
  };
}
