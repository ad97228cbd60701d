/** A message that was written on this device and that the server has not taken. */
export interface WaitingMessage {
  /** UUID v4: the message's id on the server too, so that it is stored once however often it arrives. */
  client_id: string;
  user_id: string;
  chat_id: string;
  /** To whom, as its list says it; '' where this device does not know. */
  to_name: string;
  text: string;
  /**
   * The chat's newest message, by its number, that this device knew when it was written, or that went from here before
   * it; 0: it began the chat; undefined: nothing is known of the chat.
   */
  after_seq?: number | undefined;
  /** ms epoch of this device. */
  created_at: number;
  /** The order in which messages are sent. */
  seq: number;
  attempts: number;
  last_error: string | null;
  /** Why the server refused it for good; null: it waits. */
  refused: { code: string; message: string } | null;
}

export type NewMessage = Pick<WaitingMessage, 'client_id' | 'user_id' | 'chat_id' | 'to_name' | 'text' | 'after_seq'>;

export function bySeq(a: WaitingMessage, b: WaitingMessage): number {
  return a.seq - b.seq;
}
