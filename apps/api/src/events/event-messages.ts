import type { LiveEvent } from '@sendlap/contract/events.ts';

/** A message between nodes: a user has new events to read, or an event as the streams send it. */
export type NodeMessage =
  | { kind: 'more'; user_id: string }
  | { kind: 'kept'; user_id: string; seq: number; event: SerializedEvent }
  | { kind: 'broadcast'; event: SerializedEvent }
  | { kind: 'whisper'; to: string[]; event: SerializedEvent };

/** An event serialised once for all its receivers. `data` is JSON without a line break. */
export interface SerializedEvent {
  type: string;
  data: string;
}

export function serializeEvent(event: LiveEvent): SerializedEvent {
  return { type: event.type, data: JSON.stringify(event) };
}

/** Returns the event as a frame of the stream (WHATWG HTML, 9.2.6). `seq`: for persistent events only. */
export function toFrame({ type, data }: SerializedEvent, seq?: number): string {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return `${id}event: ${type}\ndata: ${data}\n\n`;
}

/** PostgreSQL's limit is just under 8,000. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Separates the messages of a payload. JSON escapes it, so no message contains it. */
const SEPARATOR = '\x1e';

/** Packs messages into NOTIFY payloads: the sender's id, then as many messages as fit. */
export function packPayloads(from: string, messages: NodeMessage[]): string[] {
  const payloads: string[] = [];
  let bytes = MAX_PAYLOAD_BYTES;
  for (const text of messages.flatMap((message) => encodeToFit(MAX_PAYLOAD_BYTES - from.length - 1, message))) {
    const added_bytes = 1 + Buffer.byteLength(text);
    if (bytes + added_bytes > MAX_PAYLOAD_BYTES) {
      payloads.push(from);
      bytes = from.length;
    }
    payloads[payloads.length - 1] += SEPARATOR + text;
    bytes += added_bytes;
  }
  return payloads;
}

export const joinPayload = (from: string, texts: string[]): string => [from, ...texts].join(SEPARATOR);

export function splitPayload(payload: string): { from: string; texts: string[] } {
  const [from = '', ...texts] = payload.split(SEPARATOR);
  return { from, texts };
}

/**
 * Returns one text; several if the message is for many users; an empty list if it is too large even without the event.
 */
function encodeToFit(max_bytes: number, message: NodeMessage): string[] {
  const text = encodeMessage(message);
  if (Buffer.byteLength(text) <= max_bytes) return [text];
  return shorten(message).flatMap((shorter) => encodeToFit(max_bytes, shorter));
}

/** A line of words, then the event on the next line: a node without a stream of the user need not parse the event. */
function encodeMessage(message: NodeMessage): string {
  if (message.kind === 'more') return `more ${message.user_id}`;
  const { kind, event } = message;
  const head = [kind, event.type];
  if (kind === 'kept') head.push(message.user_id, String(message.seq));
  if (kind === 'whisper') head.push(message.to.join(','));
  return `${head.join(' ')}\n${event.data}`;
}

/** Returns undefined for text that is not a message. */
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
 * Returns a shorter form: for an event that is too large only the fact that it exists; for a message to many users two
 * halves. Returns an empty list if there is no shorter form.
 */
function shorten(message: NodeMessage): NodeMessage[] {
  if (message.kind === 'kept') return [{ kind: 'more', user_id: message.user_id }];
  if (message.kind !== 'whisper' || message.to.length < 2) return [];
  const half = Math.ceil(message.to.length / 2);
  return [message.to.slice(0, half), message.to.slice(half)].map((to) => ({ ...message, to }));
}
