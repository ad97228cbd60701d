import { LiveEvent } from '@sendlap/contract/events.ts';
import { backOffMs, withJitter } from '#web/shared/lib/back-off.ts';
import { createSseParser, type SseMessage } from './sse-parser.ts';

const BACK_OFF = { first_ms: 1_000, max_ms: 30_000 };
/** The server sends a heartbeat every 10 s; a stream that is silent for more than two heartbeats is dead. */
const SILENCE_TIMEOUT_MS = 25_000;

export interface EventReaderDeps {
  fetch: typeof globalThis.fetch;
  address: string;
  /** Returns a bearer token other than `refused`, which the server did not accept; null or a rejection: retry later. */
  token: (refused: string | null) => Promise<string | null>;
  /** Called with a 403, which may ask for a new sign-in. */
  onForbidden: (response: Response, token: string) => Promise<unknown>;
  /** Resolves after the delay, or earlier if a retry may succeed (a network). */
  wait: (delay_ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls back when a network has come; returns the function that unsubscribes. */
  onNetwork: (listener: () => void) => () => void;
  /** 0 ≤ x < 1 */
  random: () => number;
  /** Id of the last event seen, in this tab or another; null: none yet. */
  lastId: () => string | null;
  onEvent: (event: LiveEvent, id: string | null) => void;
  /** The stream's position without a new event: there is nothing to report before it. */
  onPosition: (id: string) => void;
  /** The stream is open. Unless `resumed`, events may have been missed. */
  onOpen: (resumed: boolean) => void;
  /** The stream has ended, or could not be opened. */
  onEnd: () => void;
}

/** Reads the live stream until `signal` aborts: connects, resumes by Last-Event-ID, retries with back-off. */
export async function readEvents(deps: EventReaderDeps, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let refused: string | null = null;
  const markRefused = (token: string) => {
    refused = token;
  };
  while (!signal.aborted) {
    const has_received = await readOnce({ ...deps, token: () => deps.token(refused) }, markRefused, signal).catch(
      () => false,
    );
    deps.onEnd();
    failures = has_received ? 1 : failures + 1;
    if (!signal.aborted) await deps.wait(withJitter(backOffMs(BACK_OFF, failures), deps.random()), signal);
  }
}

/** Runs one connection until it ends. Returns true if the server sent anything. */
async function readOnce(
  deps: Omit<EventReaderDeps, 'token'> & { token: () => Promise<string | null> },
  markRefused: (token: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const token = await deps.token();
  if (token === null) return false;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MS);
  // A connection from before the network change is dead, and would only be noticed by its silence.
  const unsubscribe = deps.onNetwork(() => silence.abort());
  const stop = AbortSignal.any([signal, silence.signal]);
  let has_received = false;
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
    if (response.status === 401) markRefused(token);
    if (response.status === 403) await deps.onForbidden(response, token);
    // A captive portal's page is not a stream, whatever its status.
    const is_stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!response.ok || !response.body || !is_stream) return false;
    deps.onOpen(last_id !== null);
    const parse = createSseParser((message) => deliver(deps, message));
    const reader = response.body.pipeThrough(new TextDecoderStream(), { signal: stop }).getReader();
    // Not `for await`: some Safari versions in use cannot read a stream that way.
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      has_received = true;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MS);
      parse(read.value);
    }
    return has_received;
  } catch (error) {
    if (has_received) return true;
    throw error;
  } finally {
    clearTimeout(timer);
    unsubscribe();
    silence.abort();
  }
}

/** Ignores event types that this version of the app does not know. */
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
