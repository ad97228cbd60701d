import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { serializeEvent, toFrame } from '../events/event-messages.ts';
import type { StreamPosition } from '../events/event-store.ts';
import type { Events } from '../events/events.ts';
import { AppError } from '../platform/errors.ts';
import type { Authenticator } from './route.ts';

const TICK_MS = 1_000;
const TICKS_A_HEARTBEAT = 10;
/** Polling interval for events that another node stored but died before it announced them. */
const TICKS_A_POLL = 30;
/** A stream stays open this long while the database cannot tell whether its session lives or which events are new. */
const MAX_UNCERTAIN_MS = 30_000;
/** A reader that takes no data for this long, although data is waiting, has stalled. */
const STALLED_MS = 60_000;
const MAX_STREAMS_A_USER = 20;
const PAGE_SIZE = 200;
const MIN_PAGE_SIZE = 10;
const CLOSE_TIMEOUT_MS = 500;
const HEARTBEAT = ': beat\n\n';
const TYPING_FRAME = 'event: typing\n';
const RESYNC = serializeEvent({ type: 'resync' });

type Source = Pick<Events, 'subscribe' | 'readAfter' | 'readPosition' | 'readLastSeqs'>;

/** An open stream of a user. Unsent events stay in the table: memory only holds their numbers. */
interface Stream {
  readonly user_id: string;
  readonly request: FastifyRequest;
  readonly response: ServerResponse;
  /** Spreads the periodic work of the streams over the ticks. */
  readonly slot: number;
  /** The number of the last event sent. */
  seq: number;
  is_reading: boolean;
  /** New events arrived during a read, or while the reader took no data. */
  has_more: boolean;
  /** The reader is too slow: nothing more is written until the buffer has drained. */
  is_backed_up: boolean;
  has_ended: boolean;
  /** Ephemeral events were missed: the next heartbeat sends a `resync`. */
  has_gap: boolean;
  /** `seq` may now belong to another event: sends a `resync`, then continues at the newest number. */
  has_lost_events: boolean;
  /** Since when it is unknown whether the stream may continue (monotonic ms). */
  uncertain_since: number | undefined;
  /** Unregisters the stream. */
  unregister: () => void;
  /** Rows per read of the table; few for a slow reader. */
  page_size: number;
}

export interface StreamStart {
  user_id: string;
  seq: number | undefined;
  position: StreamPosition;
}

export interface LiveStreamsOptions {
  events: Source;
  authenticator: Pick<Authenticator, 'authenticate'>;
  tick_ms?: number;
  stalled_ms?: number;
  max_uncertain_ms?: number;
}

/**
 * The open streams of this node. Each sends its user's events in the order of the table; an announced event is sent
 * without a read if it is the next one. One interval drives heartbeats, session checks and polling. Nothing piles up
 * for a stalled reader.
 */
export function createLiveStreams({
  events,
  authenticator,
  tick_ms = TICK_MS,
  stalled_ms = STALLED_MS,
  max_uncertain_ms = MAX_UNCERTAIN_MS,
}: LiveStreamsOptions) {
  const streams = new Set<Stream>();
  const by_user = new Map<string, Set<Stream>>();
  const markUncertain = createUncertaintyHandler(max_uncertain_ms);
  const catchUp = createCatchUp(events, markUncertain);
  const clock = setInterval(createClock(streams, { events, authenticator, catchUp, markUncertain }), tick_ms).unref();
  let opened = 0;

  const register = (stream: Stream) => {
    const user_streams = by_user.get(stream.user_id) ?? new Set();
    const [oldest] = user_streams;
    if (oldest && user_streams.size >= MAX_STREAMS_A_USER) endStream(oldest);
    by_user.set(stream.user_id, user_streams.add(stream));
    streams.add(stream);
    const unsubscribe = events.subscribe(stream.user_id, createStreamListener(stream, catchUp));
    stream.unregister = () => {
      if (stream.has_ended) return;
      stream.has_ended = true;
      unsubscribe();
      streams.delete(stream);
      user_streams.delete(stream);
      if (user_streams.size === 0) by_user.delete(stream.user_id);
    };
    stream.response.on('close', stream.unregister);
  };
  return {
    /**
     * Sends the events after `seq` on this response, whose head is already written; sends a `resync` if they are no
     * longer stored.
     */
    open(request: FastifyRequest, response: ServerResponse, { user_id, seq, position }: StreamStart): void {
      // A client that already disconnected does not emit `close` again.
      if (response.destroyed) return;
      const is_broken = !position.is_contiguous;
      const stream: Stream = {
        ...{ user_id, request, response, slot: opened++ },
        seq: is_broken ? position.last_seq : (seq ?? position.last_seq),
        ...{ is_reading: false, has_more: false, is_backed_up: false },
        ...{ has_ended: false, has_gap: false, has_lost_events: false },
        ...{ uncertain_since: undefined, unregister: ignore, page_size: PAGE_SIZE },
      };
      register(stream);
      response.on('error', ignore);
      response.socket?.setTimeout(stalled_ms);
      // So a client that disconnects before the first event knows its position too.
      const greeting = seq === undefined ? `id: ${stream.seq}\n${HEARTBEAT}` : HEARTBEAT;
      write(stream, is_broken ? toFrame(RESYNC, stream.seq) : greeting, catchUp);
      void catchUp(stream);
    },
    /** Ends all streams, and waits up to 500 ms until the clients have noticed. */
    async close(): Promise<void> {
      clearInterval(clock);
      const ended = [...streams].map((stream) => new Promise((resolve) => stream.response.once('close', resolve)));
      for (const stream of streams) endStream(stream);
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    },
  };
}

type CatchUp = (stream: Stream) => Promise<void>;

function ignore(): void {}

/** A stalled reader would not read the end of the stream either. */
function endStream({ unregister, response, is_backed_up }: Stream): void {
  unregister();
  if (is_backed_up) response.destroy();
  else response.end();
}

function createStreamListener(stream: Stream, catchUp: CatchUp) {
  return {
    onNewEvents: () => void catchUp(stream),
    onEvent(seq: number, frame: string) {
      if (stream.has_lost_events) return void catchUp(stream);
      if (seq <= stream.seq) return;
      if (stream.is_reading || stream.is_backed_up || seq !== stream.seq + 1) return void catchUp(stream);
      stream.seq = seq;
      write(stream, frame, catchUp);
    },
    // Skipped for a slow reader, which gets a `resync` later instead; a missed typing event needs none.
    onEphemeral(frame: string) {
      if (!stream.is_backed_up) write(stream, frame, catchUp);
      else if (!frame.startsWith(TYPING_FRAME)) stream.has_gap = true;
    },
    onGap() {
      stream.has_gap = true;
    },
    onDataLoss() {
      stream.has_lost_events = true;
      void catchUp(stream);
    },
  };
}

/** Returns false once the reader's buffer is full; the stream continues by itself after the drain. */
function write(stream: Stream, frame: string, catchUp: CatchUp): boolean {
  const { response } = stream;
  if (stream.has_ended) return false;
  if (response.write(frame)) return true;
  stream.is_backed_up = true;
  response.once('drain', () => {
    stream.is_backed_up = false;
    void catchUp(stream);
  });
  return false;
}

/** Sends the events of the table, page by page. A missing number means that the event was pruned: sends a `resync`. */
function createCatchUp(events: Source, markUncertain: MarkUncertain): CatchUp {
  const restartFromNewest = async (stream: Stream, fallback_seq: number) => {
    const last_seqs = await events.readLastSeqs([stream.user_id]);
    stream.seq = last_seqs.get(stream.user_id) ?? fallback_seq;
    stream.has_lost_events = false;
    write(stream, toFrame(RESYNC, stream.seq), catchUp);
  };
  const sendPage: CatchUp = async (stream) => {
    if (stream.has_lost_events) return restartFromNewest(stream, 0);
    const limit = stream.page_size;
    const page = await events.readAfter(stream.user_id, stream.seq, limit);
    if (page.length === limit) stream.has_more = true;
    let written = 0;
    for (const { seq, event } of page) {
      if (seq !== stream.seq + 1) {
        await restartFromNewest(stream, seq);
        return;
      }
      stream.seq = seq;
      written += 1;
      if (!write(stream, toFrame(serializeEvent(event), seq), catchUp)) break;
    }
    stream.page_size = stream.is_backed_up ? Math.max(MIN_PAGE_SIZE, written) : PAGE_SIZE;
  };
  const catchUp: CatchUp = async (stream) => {
    stream.has_more = true;
    if (stream.is_reading) return;
    stream.is_reading = true;
    try {
      while (stream.has_more && !stream.is_backed_up && !stream.has_ended) {
        stream.has_more = false;
        await sendPage(stream);
      }
    } catch (error) {
      // The next tick retries.
      stream.has_more = true;
      markUncertain(stream, error);
    } finally {
      stream.is_reading = false;
    }
  };
  return catchUp;
}

interface ClockOptions {
  events: Source;
  authenticator: Pick<Authenticator, 'authenticate'>;
  catchUp: CatchUp;
  markUncertain: MarkUncertain;
}

function createClock(
  streams: Set<Stream>,
  { events, authenticator, catchUp, markUncertain }: ClockOptions,
): () => void {
  let tick = 0;
  let is_checking = false;
  const isDue = ({ slot }: Stream, every: number) => (tick + slot) % every === 0;
  return () => {
    tick += 1;
    const due_for_poll: Stream[] = [];
    for (const stream of streams) {
      if (isDue(stream, TICKS_A_HEARTBEAT) && !stream.is_backed_up) sendHeartbeat(stream, catchUp);
      if (stream.has_more && !stream.is_reading) void catchUp(stream);
      if (isDue(stream, TICKS_A_POLL)) due_for_poll.push(stream);
    }
    if (due_for_poll.length > 0) void pollForMissed(events, due_for_poll, catchUp).catch(ignore);
    if (is_checking) return;
    is_checking = true;
    void closeStreamsOfEndedSessions(streams, authenticator, markUncertain).finally(() => {
      is_checking = false;
    });
  };
}

function sendHeartbeat(stream: Stream, catchUp: CatchUp): void {
  write(stream, stream.has_gap ? toFrame(RESYNC) : HEARTBEAT, catchUp);
  stream.has_gap = false;
}

/** Marks a stream as uncertain: it is unknown whether it may continue. Ends a stream that may not. */
type MarkUncertain = (stream: Stream, error: unknown) => void;

/**
 * An unavailable database says nothing about a session, but the stream does not rely on that for longer than
 * `max_uncertain_ms`.
 */
function createUncertaintyHandler(max_uncertain_ms: number): MarkUncertain {
  return (stream, error) => {
    const now = performance.now();
    stream.uncertain_since ??= now;
    if (error instanceof AppError || now - stream.uncertain_since > max_uncertain_ms) endStream(stream);
  };
}

/**
 * One query for many streams. A user's counter only decreases if an older copy of the database took its place (a
 * backup, or a standby that lagged).
 */
async function pollForMissed(events: Source, streams: Stream[], catchUp: CatchUp): Promise<void> {
  const before = streams.map(({ seq }) => seq);
  const last_seqs = await events.readLastSeqs([...new Set(streams.map(({ user_id }) => user_id))]);
  for (const [nth, stream] of streams.entries()) {
    const last_seq = last_seqs.get(stream.user_id) ?? 0;
    if (last_seq < (before[nth] ?? 0)) endStream(stream);
    else if (last_seq > stream.seq) void catchUp(stream);
  }
}

/** Ends the streams of ended sessions and of expired tokens. Nearly always without waiting for the database. */
async function closeStreamsOfEndedSessions(
  streams: Set<Stream>,
  authenticator: Pick<Authenticator, 'authenticate'>,
  markUncertain: MarkUncertain,
): Promise<void> {
  const checkStream = async (stream: Stream) => {
    try {
      await authenticator.authenticate(stream.request);
      if (!stream.has_more) stream.uncertain_since = undefined;
    } catch (error) {
      markUncertain(stream, error);
    }
  };
  // In parallel: while the database does not answer, a sequence of checks would add up their timeouts.
  await Promise.all([...streams].map(checkStream));
}
