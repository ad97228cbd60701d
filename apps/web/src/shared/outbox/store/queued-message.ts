import type { Message } from '@sendlap/contract/chats.ts';

/** A message that was written on this device and that has not reached its thread yet. */
export interface QueuedMessage {
  /** UUID v4: also the message's id on the server, so that it is stored once however often it arrives. */
  client_id: string;
  user_id: string;
  chat_id: string;
  /** The recipient's name in the list of chats; '' if this device does not know it. */
  to_name: string;
  text: string;
  /**
   * Number of the chat's newest message that this device knew when this one was written, or had sent before it; 0: this
   * message began the chat; undefined: the chat is unknown.
   */
  after_seq?: number | undefined;
  /** ms epoch of this device. */
  created_at: number;
  /** Position in the sending order. */
  seq: number;
  attempts: number;
  last_error: string | null;
  /** Why the server refused it for good; null while it waits. */
  refused: { code: string; message: string } | null;
  /** As the server stored it, for the next page to store in its thread: the worker sent it while no page was open. */
  accepted?: Message;
  /** The server was restored since: it may lack what the thread on this device has. */
  is_in_doubt?: true;
}

export type NewMessage = Pick<QueuedMessage, 'client_id' | 'user_id' | 'chat_id' | 'to_name' | 'text' | 'after_seq'>;

/** Returns whether the server has it: it is no longer queued, only its thread lacks it. */
export function isAccepted({ accepted }: QueuedMessage): boolean {
  return accepted !== undefined;
}

export function bySeq(a: QueuedMessage, b: QueuedMessage): number {
  return a.seq - b.seq;
}
