import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { serializeEvent, toFrame } from '#api/events/event-messages.ts';
import type { StreamPosition } from '#api/events/event-store.ts';
import type { Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Authenticator } from '../route.ts';

const TICK_MS = 1_000;
const TICKS_PER_HEARTBEAT = 10;
/** Polling interval for events that another node committed but could not announce before it died. */
const TICKS_PER_POLL = 30;
/** How long a stream stays open while its session and new events cannot be read from the database. */
const MAX_UNCERTAIN_MS = 30_000;
/** A client that reads nothing for this long, although data is waiting, has stalled. */
const STALL_TIMEOUT_MS = 60_000;
const MAX_STREAMS_PER_USER = 20;
const PAGE_SIZE = 200;
const MIN_PAGE_SIZE = 10;
const CLOSE_TIMEOUT_MS = 500;
const HEARTBEAT = ': beat\n\n';
const TYPING_FRAME_PREFIX = 'event: typing\n';
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
  is_catching_up: boolean;
  /** New events arrived during a catch-up, or while the client read nothing. */
  has_more: boolean;
  /** The client reads too slowly: nothing more is written until the buffer has drained. */
  is_backed_up: boolean;
  has_ended: boolean;
  /** Ephemeral events were missed: the next heartbeat sends a `resync`. */
  has_missed_ephemeral: boolean;
  /** The database may have lost events and reused their numbers: sends a `resync`, continues at the newest number. */
  has_lost_events: boolean;
  /** Since when it is unknown whether the stream may continue (monotonic ms). */
  uncertain_since: number | undefined;
  /** Unregisters the stream. */
  unregister: () => void;
  /** Rows per read of the table; few for a slow client. */
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
 * without a read if it is the next one. One interval drives heartbeats, session checks and polling. No events are
 * buffered for a stalled client.
 */
export function createLiveStreams({
  events,
  authenticator,
  tick_ms = TICK_MS,
  stalled_ms = STALL_TIMEOUT_MS,
  max_uncertain_ms = MAX_UNCERTAIN_MS,
}: LiveStreamsOptions) {
  const streams = new Set<Stream>();
  const by_user = new Map<string, Set<Stream>>();
  const markUncertain = createUncertaintyHandler(max_uncertain_ms);
  const catchUp = createCatchUp(events, markUncertain);
  const ticker = setInterval(
    createTickHandler(streams, { events, authenticator, catchUp, markUncertain }),
    tick_ms,
  ).unref();
  let opened_count = 0;

  const register = (stream: Stream) => {
    const user_streams = by_user.get(stream.user_id) ?? new Set();
    const [oldest] = user_streams;
    if (oldest && user_streams.size >= MAX_STREAMS_PER_USER) endStream(oldest);
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
     * Sends the events after `seq` on this response, whose headers are already written; sends a `resync` if those
     * events were pruned.
     */
    open(request: FastifyRequest, response: ServerResponse, { user_id, seq, position }: StreamStart): void {
      // A client that already disconnected does not emit `close` again.
      if (response.destroyed) return;
      const must_resync = !position.is_contiguous;
      const stream: Stream = {
        ...{ user_id, request, response, slot: opened_count++ },
        seq: must_resync ? position.last_seq : (seq ?? position.last_seq),
        ...{ is_catching_up: false, has_more: false, is_backed_up: false },
        ...{ has_ended: false, has_missed_ephemeral: false, has_lost_events: false },
        ...{ uncertain_since: undefined, unregister: ignore, page_size: PAGE_SIZE },
      };
      register(stream);
      response.on('error', ignore);
      response.socket?.setTimeout(stalled_ms);
      // So a client that disconnects before the first event knows its position too.
      const greeting = seq === undefined ? `id: ${stream.seq}\n${HEARTBEAT}` : HEARTBEAT;
      write(stream, must_resync ? toFrame(RESYNC, stream.seq) : greeting, catchUp);
      void catchUp(stream);
    },
    /** Ends all streams, and waits up to 500 ms until their connections have closed. */
    async close(): Promise<void> {
      clearInterval(ticker);
      const ended = [...streams].map((stream) => new Promise((resolve) => stream.response.once('close', resolve)));
      for (const stream of streams) endStream(stream);
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    },
  };
}

type CatchUp = (stream: Stream) => Promise<void>;

function ignore(): void {}

/** A stalled client would not read the end of the stream either: its connection is destroyed. */
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
      if (stream.is_catching_up || stream.is_backed_up || seq !== stream.seq + 1) return void catchUp(stream);
      stream.seq = seq;
      write(stream, frame, catchUp);
    },
    // Skipped for a slow client, which gets a `resync` later instead; a missed typing event needs none.
    onEphemeral(frame: string) {
      if (!stream.is_backed_up) write(stream, frame, catchUp);
      else if (!frame.startsWith(TYPING_FRAME_PREFIX)) stream.has_missed_ephemeral = true;
    },
    onGap() {
      stream.has_missed_ephemeral = true;
    },
    onDataLoss() {
      stream.has_lost_events = true;
      void catchUp(stream);
    },
  };
}

/** Returns false once the response's buffer is full; the stream catches up by itself after the drain. */
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
    if (stream.is_catching_up) return;
    stream.is_catching_up = true;
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
      stream.is_catching_up = false;
    }
  };
  return catchUp;
}

interface TickOptions {
  events: Source;
  authenticator: Pick<Authenticator, 'authenticate'>;
  catchUp: CatchUp;
  markUncertain: MarkUncertain;
}

function createTickHandler(
  streams: Set<Stream>,
  { events, authenticator, catchUp, markUncertain }: TickOptions,
): () => void {
  let tick = 0;
  let is_checking = false;
  const isDue = ({ slot }: Stream, every: number) => (tick + slot) % every === 0;
  return () => {
    tick += 1;
    const due_for_poll: Stream[] = [];
    for (const stream of streams) {
      if (isDue(stream, TICKS_PER_HEARTBEAT) && !stream.is_backed_up) sendHeartbeat(stream, catchUp);
      if (stream.has_more && !stream.is_catching_up) void catchUp(stream);
      if (isDue(stream, TICKS_PER_POLL)) due_for_poll.push(stream);
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
  write(stream, stream.has_missed_ephemeral ? toFrame(RESYNC) : HEARTBEAT, catchUp);
  stream.has_missed_ephemeral = false;
}

/** Records an error that makes it unknown whether the stream may continue; ends it if it must not. */
type MarkUncertain = (stream: Stream, error: unknown) => void;

/**
 * A stream survives an unavailable database for `max_uncertain_ms`; an `AppError`, e.g. of an ended session, ends it
 * at once.
 */
function createUncertaintyHandler(max_uncertain_ms: number): MarkUncertain {
  return (stream, error) => {
    const now = performance.now();
    stream.uncertain_since ??= now;
    if (error instanceof AppError || now - stream.uncertain_since > max_uncertain_ms) endStream(stream);
  };
}

/**
 * One query for many streams. A user's last number decreases only if an older copy of the database replaced it (a
 * backup, or a standby that lagged); the stream then ends, and the client reconnects.
 */
async function pollForMissed(events: Source, streams: Stream[], catchUp: CatchUp): Promise<void> {
  const seqs_before = streams.map(({ seq }) => seq);
  const last_seqs = await events.readLastSeqs([...new Set(streams.map(({ user_id }) => user_id))]);
  for (const [nth, stream] of streams.entries()) {
    const last_seq = last_seqs.get(stream.user_id) ?? 0;
    if (last_seq < (seqs_before[nth] ?? 0)) endStream(stream);
    else if (last_seq > stream.seq) void catchUp(stream);
  }
}

/** Ends the streams of ended sessions and expired tokens. The common case is answered without the database. */
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
