import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';

/** The sender id that replaces an erased user's. */
export const ERASED_USER_ID = '00000000-0000-4000-8000-000000000000';

/** Whether an id replaces an erased user's: there is no user left to view or to report. */
export function isErasedUser(user_id: string): boolean {
  return user_id === ERASED_USER_ID;
}

/** Whether the other user of a chat was erased. */
export function isWithErasedUser({ other_participant }: Chat): boolean {
  return isErasedUser(other_participant.id);
}

/**
 * Returns messages between me and an erased user as the server has them: without that user's text, name and id. Returns
 * the same array if there is nothing to redact.
 */
export function redactErasedUser(messages: readonly Message[], my_id: string): readonly Message[] {
  const needsRedaction = ({ sender_id }: Message) => sender_id !== my_id && !isErasedUser(sender_id);
  if (!messages.some(needsRedaction)) return messages;
  const redacted_fields = { message: '', sender_id: ERASED_USER_ID, sender_name: DEFAULT_DISPLAY_NAME };
  return messages.map((message) => (needsRedaction(message) ? { ...message, ...redacted_fields } : message));
}
