import type { LiveEvent } from '@sendlap/contract/events.ts';

/** What one node tells the others: that a user has more to read, or an event as it goes to the streams. */
export type NodeMessage =
  | { kind: 'more'; user_id: string }
  | { kind: 'kept'; user_id: string; seq: number; event: EventText }
  | { kind: 'broadcast'; event: EventText }
  | { kind: 'whisper'; to: string[]; event: EventText };

/** An event that was turned into text once, for all who get it. `data` is JSON, without a line break. */
export interface EventText {
  type: string;
  data: string;
}

export function textOf(event: LiveEvent): EventText {
  return { type: event.type, data: JSON.stringify(event) };
}

/** As the stream carries it (WHATWG HTML, 9.2.6). `seq`: only where it is kept. */
export function toFrame({ type, data }: EventText, seq?: number): string {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return `${id}event: ${type}\ndata: ${data}\n\n`;
}

/** PostgreSQL takes less than 8,000. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Between the messages of a payload. JSON escapes it, so that no message contains it. */
const SEPARATOR = '\x1e';

/** What NOTIFY carries: the speaker, then as many messages as fit. */
export function toPayloads(from: string, messages: NodeMessage[]): string[] {
  const payloads: string[] = [];
  let bytes = MAX_PAYLOAD_BYTES;
  for (const text of messages.flatMap((message) => encodeWithin(MAX_PAYLOAD_BYTES - from.length - 1, message))) {
    const more = 1 + Buffer.byteLength(text);
    if (bytes + more > MAX_PAYLOAD_BYTES) {
      payloads.push(from);
      bytes = from.length;
    }
    payloads[payloads.length - 1] += SEPARATOR + text;
    bytes += more;
  }
  return payloads;
}

export const pack = (from: string, texts: string[]): string => [from, ...texts].join(SEPARATOR);

export function splitPayload(payload: string): { from: string; texts: string[] } {
  const [from = '', ...texts] = payload.split(SEPARATOR);
  return { from, texts };
}

/** One text, several where the message is for many users, or none where it is too large even without the event. */
function encodeWithin(max_bytes: number, message: NodeMessage): string[] {
  const text = encodeMessage(message);
  if (Buffer.byteLength(text) <= max_bytes) return [text];
  return shorten(message).flatMap((shorter) => encodeWithin(max_bytes, shorter));
}

/** A line of words, and on the next one the event: a node that has no stream of the user need not read it. */
function encodeMessage(message: NodeMessage): string {
  if (message.kind === 'more') return `more ${message.user_id}`;
  const { kind, event } = message;
  const head = [kind, event.type];
  if (kind === 'kept') head.push(message.user_id, String(message.seq));
  if (kind === 'whisper') head.push(message.to.join(','));
  return `${head.join(' ')}\n${event.data}`;
}

/** undefined: not a message. */
export function decodeMessage(text: string): NodeMessage | undefined {
  const end = text.indexOf('\n');
  const [kind, second = '', third = '', fourth = ''] = (end === -1 ? text : text.slice(0, end)).split(' ');
  if (kind === 'more') return { kind, user_id: second };
  if (end === -1) return undefined;
  const event = { type: second, data: text.slice(end + 1) };
  if (kind === 'kept') return { kind, user_id: third, seq: Number(fourth), event };
  if (kind === 'broadcast') return { kind, event };
  if (kind === 'whisper') return { kind, to: third.split(','), event };
  return undefined;
}

/**
 * The same in less: of an event that is too large only that it is there; what is for many users, in two halves. None: it
 * cannot be said in less.
 */
function shorten(message: NodeMessage): NodeMessage[] {
  if (message.kind === 'kept') return [{ kind: 'more', user_id: message.user_id }];
  if (message.kind !== 'whisper' || message.to.length < 2) return [];
  const half = Math.ceil(message.to.length / 2);
  return [message.to.slice(0, half), message.to.slice(half)].map((to) => ({ ...message, to }));
}
