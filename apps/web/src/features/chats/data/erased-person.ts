import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';

/** Stands in for whoever was erased. */
export const ERASED_USER_ID = '00000000-0000-4000-8000-000000000000';

/** Whether an id stands for whoever was erased: there is nobody left to see or to report. */
export function isErased(user_id: string): boolean {
  return user_id === ERASED_USER_ID;
}

/** Whether the other one of a chat was erased. */
export function isWithErased({ other_participant }: Chat): boolean {
  return isErased(other_participant.id);
}

/**
 * Messages between me and somebody who was erased, as the server has them: of the other one no word, name or id. The same
 * array where nothing of that is left.
 */
export function withoutErased(messages: Message[], my_id: string): Message[] {
  const isLeft = ({ sender_id }: Message) => sender_id !== my_id && !isErased(sender_id);
  if (!messages.some(isLeft)) return messages;
  const nobody = { message: '', sender_id: ERASED_USER_ID, sender_name: NAMELESS };
  return messages.map((message) => (isLeft(message) ? { ...message, ...nobody } : message));
}
