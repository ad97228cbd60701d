import type { Message } from '@sendlap/contract/chats.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';

/** A refusal: the server's error code, and its message if there is one. */
export interface MessageProblem {
  code: string;
  message: string;
}

/**
 * `sending`: in flight for the first time. `waiting`: queued on this device until it is online or the server accepts
 * the message. `failed`: refused for good, with `problem`. The others are the server's.
 */
export type MessageStatus = 'sending' | 'waiting' | 'sent' | 'read' | 'failed' | 'received';

/** One message as a screen shows it. `id` never changes, also when the server stores the message. */
export interface MessageLine {
  id: string;
  /** null until the server has numbered the message. */
  seq: number | null;
  text: string;
  mine: boolean;
  sender_name: string;
  /** ms epoch */
  created_at: number;
  status: MessageStatus;
  problem: MessageProblem | null;
  /** The other user's message, not seen by me. */
  unread: boolean;
}

interface Viewer {
  my_id: string;
  my_name: string;
  /** False: no message can be in flight. */
  online: boolean;
  /** Ids of messages that I have seen, whether or not the server knows it yet. */
  seen: ReadonlySet<string>;
}

/**
 * Returns the lines of a chat: the server's messages, then the queued ones, whatever this device's clock says. A
 * refused message stays at the position where it was written and does not move below later ones.
 */
export function messageLines(
  messages: readonly Message[],
  queued: readonly QueuedMessage[],
  viewer: Viewer,
): MessageLine[] {
  const stored = new Set(messages.map(({ id }) => id));
  const mine = queued.filter(({ client_id }) => !stored.has(client_id));
  // Messages after one that failed for now wait with it.
  const failed_index = mine.findIndex(({ attempts, refused }) => attempts > 0 && refused === null);
  const lines = messages.map((message) => serverLine(message, viewer));
  const oldest = lines[0]?.seq ?? 0;
  for (const [index, message] of mine.entries()) {
    const is_waiting = !viewer.online || (failed_index >= 0 && index >= failed_index);
    const line = queuedLine(message, viewer.my_name, is_waiting);
    const after_seq = message.refused ? message.after_seq : undefined;
    // A refused message is shown once the page that it belongs to is loaded.
    if (after_seq !== undefined && after_seq < oldest - 1) continue;
    const insert_index = after_seq === undefined ? -1 : lines.findIndex(({ seq }) => seq !== null && seq > after_seq);
    lines.splice(insert_index < 0 ? lines.length : insert_index, 0, line);
  }
  return lines;
}

function serverLine(message: Message, { my_id, seen }: Viewer): MessageLine {
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
    unread: !mine && read_at === null && !seen.has(id),
  };
}

function queuedLine(message: QueuedMessage, sender_name: string, is_waiting: boolean): MessageLine {
  const { client_id, text, created_at, refused } = message;
  const shared_fields = {
    id: client_id,
    seq: null,
    text,
    mine: true,
    sender_name,
    created_at,
    problem: refused,
    unread: false,
  };
  if (refused) return { ...shared_fields, status: 'failed' };
  return { ...shared_fields, status: is_waiting ? 'waiting' : 'sending' };
}
