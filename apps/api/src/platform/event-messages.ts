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

/** A line of words, and on the next one the event: a node that has no stream of the user need not read it. */
export function encodeMessage(from: string, message: NodeMessage): string {
  if (message.kind === 'more') return `${from} more ${message.user_id}`;
  const { kind, event } = message;
  const head = [from, kind, event.type];
  if (kind === 'kept') head.push(message.user_id, String(message.seq));
  if (kind === 'whisper') head.push(message.to.join(','));
  return `${head.join(' ')}\n${event.data}`;
}

/** undefined: of a version that speaks otherwise. */
export function decodeMessage(text: string): { from: string; message: NodeMessage } | undefined {
  const end = text.indexOf('\n');
  const [from = '', kind, second = '', third = '', fourth = ''] = (end === -1 ? text : text.slice(0, end)).split(' ');
  if (kind === 'more') return { from, message: { kind, user_id: second } };
  if (end === -1) return undefined;
  const event = { type: second, data: text.slice(end + 1) };
  if (kind === 'kept') return { from, message: { kind, user_id: third, seq: Number(fourth), event } };
  if (kind === 'broadcast') return { from, message: { kind, event } };
  if (kind === 'whisper') return { from, message: { kind, to: third.split(','), event } };
  return undefined;
}

/**
 * The same for a channel that carries little: of an event that is too large only that it is there; what is for many, to
 * one half and to the other. None: it cannot be said in less.
 */
export function shorten(message: NodeMessage): NodeMessage[] {
  if (message.kind === 'kept') return [{ kind: 'more', user_id: message.user_id }];
  if (message.kind !== 'whisper' || message.to.length < 2) return [];
  const half = Math.ceil(message.to.length / 2);
  return [message.to.slice(0, half), message.to.slice(half)].map((to) => ({ ...message, to }));
}
