import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';

/** The sender id that replaces an erased user's. */
export const ERASED_USER_ID = '00000000-0000-4000-8000-000000000000';

/** Whether an id replaces an erased user's: there is no user left to view or to report. */
export function isErased(user_id: string): boolean {
  return user_id === ERASED_USER_ID;
}

/** Whether the other user of a chat was erased. */
export function isWithErased({ other_participant }: Chat): boolean {
  return isErased(other_participant.id);
}

/**
 * Returns messages between me and an erased user as the server has them: without that user's text, name and id. Returns
 * the same array if there is nothing to remove.
 */
export function withoutErased(messages: Message[], my_id: string): Message[] {
  const isLeft = ({ sender_id }: Message) => sender_id !== my_id && !isErased(sender_id);
  if (!messages.some(isLeft)) return messages;
  const nobody = { message: '', sender_id: ERASED_USER_ID, sender_name: NAMELESS };
  return messages.map((message) => (isLeft(message) ? { ...message, ...nobody } : message));
}
