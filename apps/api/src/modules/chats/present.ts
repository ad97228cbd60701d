import type { Chat, ChatPerson, Message } from '@sendlap/contract/chats.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';

export interface MessageRow {
  id: string;
  chat_id: string;
  seq: number;
  text: string;
  sender_id: string;
  sender_name: string;
  created_at: Date;
  read_at: Date | null;
}

export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    chat_id: row.chat_id,
    seq: row.seq,
    message: row.text,
    sender_id: row.sender_id,
    sender_name: row.sender_name,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  };
}

/** A chat as one of its two participants sees it. */
export interface ChatRow {
  id: string;
  last_seq: number;
  unread: number;
  is_mine: boolean;
  can_send: boolean;
  my_id: string;
  my_name: string;
  my_public_id: string;
  other_id: string;
  other_name: string;
  other_public_id: string;
  latest_text: string | null;
  latest_at: Date | null;
  latest_sender_id: string | null;
}

export function presentChat(row: ChatRow): Chat {
  const me: ChatPerson = { id: row.my_id, name: row.my_name, public_id: row.my_public_id };
  const other: ChatPerson = {
    id: row.other_id,
    name: row.other_name,
    public_id: row.can_send ? row.other_public_id : '',
  };
  return {
    id: row.id,
    name: other.name,
    sender: row.is_mine ? me : other,
    receiver: row.is_mine ? other : me,
    other_participant: other,
    latest_message_preview: row.latest_text === null ? null : messagePreview(row.latest_text),
    latest_message_at: row.latest_at?.toISOString() ?? null,
    latest_message_sender_id: row.latest_sender_id,
    unreadCount: row.unread,
    last_seq: row.last_seq,
    can_send: row.can_send,
  };
}
