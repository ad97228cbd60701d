import { LiveEvent } from '@sendlap/contract/events.ts';
import { createSseParser, type SseMessage } from './sse-parser.ts';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** The server's heart beats every 10 s; a stream that says nothing for longer than two beats is dead. */
const SILENCE_MS = 25_000;

export interface EventReaderDeps {
  fetch: typeof globalThis.fetch;
  address: string;
  /** A bearer token, and not `refused`, which the server did not take; null or a rejection: try again later. */
  token: (refused: string | null) => Promise<string | null>;
  /** Resolves after the delay, or earlier when there is reason for hope (a network). */
  wait: (delay_ms: number, signal: AbortSignal) => Promise<void>;
  /** Tells of a network that has just come, until the returned function is called. */
  onNetwork: (listener: () => void) => () => void;
  /** 0 ≤ x < 1 */
  random: () => number;
  /** The last event seen, in this tab or another; null: none yet. */
  lastId: () => string | null;
  onEvent: (event: LiveEvent, id: string | null) => void;
  /** Nothing has happened up to here that is still to be told. */
  onPosition: (id: string) => void;
  /** The stream stands. Without `resumed` something may have happened before. */
  onOpen: (resumed: boolean) => void;
  /** The stream is over, or could not be opened. */
  onEnd: () => void;
}

/** Reads the live stream until `signal` aborts: connects, resumes by Last-Event-ID, reconnects with backoff. */
export async function readEvents(deps: EventReaderDeps, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let refused: string | null = null;
  const refuse = (token: string) => {
    refused = token;
  };
  while (!signal.aborted) {
    const heard = await readOnce({ ...deps, token: () => deps.token(refused) }, refuse, signal).catch(() => false);
    deps.onEnd();
    failures = heard ? 1 : failures + 1;
    const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    if (!signal.aborted) await deps.wait(full * (0.5 + deps.random() / 2), signal);
  }
}

/** One connection, until it ends. True when the server spoke. */
async function readOnce(
  deps: Omit<EventReaderDeps, 'token'> & { token: () => Promise<string | null> },
  refuse: (token: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const token = await deps.token();
  if (token === null) return false;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  // What stood before the network went is dead, and would only say so by its silence.
  const forget = deps.onNetwork(() => silence.abort());
  const stop = AbortSignal.any([signal, silence.signal]);
  let heard = false;
  try {
    const last_id = deps.lastId();
    const response = await deps.fetch(deps.address, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(last_id === null ? {} : { 'last-event-id': last_id }),
      },
      credentials: 'include',
      cache: 'no-store',
      signal: stop,
    });
    if (response.status === 401) refuse(token);
    // The page of a portal is no stream, whatever its status.
    const is_stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!response.ok || !response.body || !is_stream) return false;
    deps.onOpen(last_id !== null);
    const parse = createSseParser((message) => deliver(deps, message));
    const reader = response.body.pipeThrough(new TextDecoderStream(), { signal: stop }).getReader();
    // Not `for await`: not every Safari in use can read a stream that way.
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      heard = true;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parse(read.value);
    }
    return heard;
  } catch (error) {
    if (heard) return true;
    throw error;
  } finally {
    clearTimeout(timer);
    forget();
    silence.abort();
  }
}

/** An event that this version of the app does not know is passed over. */
function deliver(
  { onEvent, onPosition }: Pick<EventReaderDeps, 'onEvent' | 'onPosition'>,
  { id, data }: SseMessage,
): void {
  if (data === null) {
    if (id !== null) onPosition(id);
    return;
  }
  const parsed = LiveEvent.safeParse(readJson(data));
  if (parsed.success) onEvent(parsed.data, id);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
