import type { Message } from '@sendlap/contract/chats.ts';
import type { WaitingMessage } from '#web/shared/outbox/store/waiting-message.ts';

/** A refusal in words: the server's code, and its own message where there is one. */
export interface MessageProblem {
  code: string;
  message: string;
}

/**
 * `sending`: on its way for the first time. `waiting`: kept on this device until there is a network or the server takes
 * it. `failed`: refused for good, with `problem`. The others are the server's.
 */
export type MessageStatus = 'sending' | 'waiting' | 'sent' | 'read' | 'failed' | 'received';

/** One message as a screen shows it. `id` stays the same from the first moment on. */
export interface MessageLine {
  id: string;
  /** null before the server has numbered it. */
  seq: number | null;
  text: string;
  mine: boolean;
  sender_name: string;
  /** ms epoch */
  created_at: number;
  status: MessageStatus;
  problem: MessageProblem | null;
  /** Somebody else's that I have not seen. */
  unread: boolean;
}

interface Known {
  my_id: string;
  my_name: string;
  /** False: nothing can be on its way. */
  online: boolean;
}

/**
 * The lines of a chat: what the server has, then what waits here, whatever the clock of this device says. What was
 * refused stays where it was written: it does not stand below what comes later.
 */
export function messageLines(
  messages: readonly Message[],
  waiting: readonly WaitingMessage[],
  known: Known,
): MessageLine[] {
  const stored = new Set(messages.map(({ id }) => id));
  const mine = waiting.filter(({ client_id }) => !stored.has(client_id));
  // What follows a message that has failed for now waits with it.
  const tried_at = mine.findIndex(({ attempts, refused }) => attempts > 0 && refused === null);
  const lines = messages.map((message) => serverLine(message, known.my_id));
  const oldest = lines[0]?.seq ?? 0;
  for (const [index, message] of mine.entries()) {
    const is_held = !known.online || (tried_at >= 0 && index >= tried_at);
    const line = waitingLine(message, known.my_name, is_held);
    const place = message.refused ? message.after_seq : undefined;
    // It comes with the page on which it stands.
    if (place !== undefined && place < oldest - 1) continue;
    const later = place === undefined ? -1 : lines.findIndex(({ seq }) => seq !== null && seq > place);
    lines.splice(later < 0 ? lines.length : later, 0, line);
  }
  return lines;
}

function serverLine(message: Message, my_id: string): MessageLine {
  const { id, seq, sender_id, sender_name, created_at, read_at } = message;
  const mine = sender_id === my_id;
  const own_status = read_at === null ? 'sent' : 'read';
  return {
    id,
    seq: seq > 0 ? seq : null,
    text: message.message,
    mine,
    sender_name,
    created_at: Date.parse(created_at),
    status: mine ? own_status : 'received',
    problem: null,
    unread: !mine && read_at === null,
  };
}

function waitingLine(message: WaitingMessage, sender_name: string, is_held: boolean): MessageLine {
  const { client_id, text, created_at, refused } = message;
  const about = {
    id: client_id,
    seq: null,
    text,
    mine: true,
    sender_name,
    created_at,
    problem: refused,
    unread: false,
  };
  if (refused) return { ...about, status: 'failed' };
  return { ...about, status: is_held ? 'waiting' : 'sending' };
}
