import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { EVE, NORA } from './fake-server.ts';

export const CHAT_ID = '44444444-4444-4444-8444-444444444444';

const person = ({ id, name, public_id }: typeof NORA) => ({ id, name, public_id });

/** The chat of Nora and Eve, as Nora sees it. */
export const CHAT: Chat = {
  id: CHAT_ID,
  name: EVE.name,
  sender: person(EVE),
  receiver: person(NORA),
  other_participant: person(EVE),
  latest_message_preview: null,
  latest_message_at: null,
  latest_message_sender_id: null,
  unreadCount: 0,
  last_seq: 0,
  can_send: true,
};

/** The message with this number in that chat, by default from Eve. */
export function messageOf(seq: number, change: Partial<Message> = {}): Message {
  return {
    id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    chat_id: CHAT_ID,
    seq,
    message: `message ${seq}`,
    sender_id: EVE.id,
    sender_name: EVE.name,
    created_at: new Date(Date.UTC(2026, 10, 21, 10, 0, seq)).toISOString(),
    read_at: null,
    ...change,
  };
}

/** Returns the messages from `first` to `last`, inclusive. */
export function messagesOf(first: number, last: number): Message[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => messageOf(first + index));
}
