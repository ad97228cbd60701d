import { setTimeout as pause } from 'node:timers/promises';
import { pick, post } from './chat-writer.ts';

const PATIENCE_MS = 5_000;
/** Two and a half heartbeats: a stream that is silent for longer is dead. */
const SILENCE_MS = 25_000;
const RECONNECT_MS = 100;
const PAGE = 100;

interface ReadMessage {
  id: string;
  chat_id: string;
  seq: number;
  message: string;
  sender_id: string;
  read_at: string | null;
}

type ReadEvent =
  | { type: 'message_created'; message: ReadMessage }
  | { type: 'messages_read'; chat_id: string; message_ids: string[]; read_at: string }
  | { type: 'resync' };

export interface ReaderOptions {
  /** Addresses of the nodes: each stream and each call goes to a random one. */
  urls: string[];
  user_id: string;
  token: string;
  chat_ids: string[];
  /** Reports this share of the messages to it as seen. */
  seen_share: number;
}

export interface Reader {
  /** By id: this device's messages, from events and re-reads. */
  history(): Map<string, ReadMessage>;
  figures(): ReaderFigures;
  /** Resolves once the first stream is open and all messages are read. */
  opened: Promise<void>;
  close(): Promise<void>;
}

export interface ReaderFigures {
  streams: number;
  /** How often it had to re-read everything, after the first time. */
  re_reads: number;
  /** Messages that an event brought before a read did. */
  by_event: number;
  /** Events whose number was not the next one. */
  out_of_order: number;
}

/** A device: one stream after another, resumed by Last-Event-ID; re-reads everything where it cannot resume. */
export function openReader(options: ReaderOptions): Reader {
  const known = new Map<string, ReadMessage>();
  const figures: ReaderFigures = { streams: 0, re_reads: 0, by_event: 0, out_of_order: 0 };
  const device: Device = { known, figures, last_id: undefined };
  const ended = new AbortController();
  const opened = Promise.withResolvers<void>();
  const work = async () => {
    while (!ended.signal.aborted) {
      await readStream(options, device, ended.signal, opened.resolve).catch(() => {});
      if (!ended.signal.aborted) await pause(RECONNECT_MS);
    }
  };
  const working = work();
  return {
    history: () => known,
    figures: () => figures,
    opened: opened.promise,
    async close() {
      ended.abort();
      await working;
    },
  };
}

interface Device {
  known: Map<string, ReadMessage>;
  figures: ReaderFigures;
  last_id: number | undefined;
}

async function readStream(options: ReaderOptions, device: Device, ended: AbortSignal, onOpen: () => void) {
  const { urls, token, chat_ids } = options;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const resumes = device.last_id !== undefined;
    const reply = await fetch(`${pick(urls)}/v1/events`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        ...(resumes ? { 'last-event-id': String(device.last_id) } : {}),
      },
      signal: AbortSignal.any([ended, silence.signal]),
    });
    if (!reply.ok || !reply.body) throw new Error(`the stream gave ${reply.status}`);
    device.figures.streams += 1;
    // Without an id to resume from, the device has missed the events between two streams.
    if (!resumes) await readAgain(options, device, chat_ids);
    onOpen();
    let rest = '';
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) await take(options, device, block);
    }
  } finally {
    clearTimeout(timer);
  }
}

async function take(options: ReaderOptions, device: Device, block: string): Promise<void> {
  const data = /^data: ?(.*)$/m.exec(block)?.[1];
  const id = /^id: ?(\d+)$/m.exec(block)?.[1];
  if (data === undefined) {
    if (id !== undefined) device.last_id = Number(id);
    return;
  }
  const event = JSON.parse(data) as ReadEvent;
  if (event.type === 'resync') await readAgain(options, device, options.chat_ids);
  else if (id !== undefined && device.last_id !== undefined && Number(id) !== device.last_id + 1)
    device.figures.out_of_order += 1;
  apply(device, event);
  if (id !== undefined) device.last_id = Number(id);
  if (event.type === 'message_created') note(options, event.message);
}

function apply({ known, figures }: Device, event: ReadEvent): void {
  // A re-read message may be newer than a delayed event.
  if (event.type === 'message_created' && !known.has(event.message.id)) {
    known.set(event.message.id, event.message);
    figures.by_event += 1;
  }
  if (event.type !== 'messages_read') return;
  for (const id of event.message_ids) {
    const message = known.get(id);
    if (message) message.read_at = event.read_at;
  }
}

/** Reports some messages to the server as seen, with retries; the caller does not wait. */
function note({ urls, token, user_id, seen_share }: ReaderOptions, { id, chat_id, sender_id }: ReadMessage): void {
  if (sender_id === user_id || Math.random() >= seen_share) return;
  const tell = async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const reply = await post(`${pick(urls)}/v1/chats/${chat_id}/messages/mark-read`, token, {
        messageIds: [id],
      }).catch(() => undefined);
      if (reply && reply.status < 500) return;
      await pause(RECONNECT_MS);
    }
  };
  void tell();
}

async function readAgain({ urls, token }: ReaderOptions, device: Device, chat_ids: string[]): Promise<void> {
  if (device.figures.streams > 1) device.figures.re_reads += 1;
  for (const chat_id of chat_ids) {
    for (let after = 0, is_last = false; !is_last; ) {
      const reply = await fetch(`${pick(urls)}/v1/chats/${chat_id}/messages?after=${after}&limit=${PAGE}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!reply.ok) throw new Error(`the messages gave ${reply.status}`);
      const { data } = (await reply.json()) as { data: ReadMessage[] };
      for (const message of data) device.known.set(message.id, message);
      is_last = data.length < PAGE;
      after = data.at(-1)?.seq ?? after;
    }
  }
}
