import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { textOf, toFrame } from '../events/event-messages.ts';
import type { Position } from '../events/event-store.ts';
import type { Events } from '../events/events.ts';
import { AppError } from '../platform/errors.ts';
import type { Gate } from './route.ts';

const TICK_MS = 1_000;
const TICKS_A_HEARTBEAT = 10;
/** Polling interval for events that another node kept but died before it announced them. */
const TICKS_A_LOOK = 30;
/** A stream stays open this long while the database cannot tell whether its session lives or which events are new. */
const DOUBT_MS = 30_000;
/** A reader that takes no data for this long, although data is waiting, has stalled. */
const STALLED_MS = 60_000;
const MAX_STREAMS_A_USER = 20;
const PAGE_SIZE = 200;
const MIN_PAGE_SIZE = 10;
const LAST_WORDS_MS = 500;
const HEARTBEAT = ': beat\n\n';
const TYPING_FRAME = 'event: typing\n';
const RESYNC = textOf({ type: 'resync' });

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
  is_full: boolean;
  is_over: boolean;
  /** Ephemeral events were missed: the next heartbeat sends a `resync`. */
  has_gap: boolean;
  /** `seq` may now belong to another event: sends a `resync`, then continues at the newest number. */
  is_lost: boolean;
  /** Since when it is unknown whether the stream may continue (monotonic ms). */
  doubted_at: number | undefined;
  /** Unregisters the stream. */
  leave: () => void;
  /** Rows per read of the table; few for a slow reader. */
  page_size: number;
}

export interface StreamStart {
  user_id: string;
  seq: number | undefined;
  position: Position;
}

export interface LiveStreamsOptions {
  events: Source;
  gate: Pick<Gate, 'authenticate'>;
  tick_ms?: number;
  stalled_ms?: number;
  doubt_ms?: number;
}

/**
 * The open streams of this node. Each sends its user's events in the order of the table; an announced event is sent
 * without a read if it is the next one. One interval drives heartbeats, session checks and polling. Nothing piles up
 * for a stalled reader.
 */
export function createLiveStreams({
  events,
  gate,
  tick_ms = TICK_MS,
  stalled_ms = STALLED_MS,
  doubt_ms = DOUBT_MS,
}: LiveStreamsOptions) {
  const streams = new Set<Stream>();
  const by_user = new Map<string, Set<Stream>>();
  const doubt = createDoubt(doubt_ms);
  const readOn = createReader(events, doubt);
  const clock = setInterval(createClock(streams, { events, gate, readOn, doubt }), tick_ms).unref();
  let opened = 0;

  const enter = (stream: Stream) => {
    const { user_id } = stream;
    const own = by_user.get(user_id) ?? new Set();
    const [oldest] = own;
    if (oldest && own.size >= MAX_STREAMS_A_USER) end(oldest);
    by_user.set(user_id, own.add(stream));
    streams.add(stream);
    const unsubscribe = events.subscribe(user_id, hearFor(stream, readOn));
    stream.leave = () => {
      if (stream.is_over) return;
      stream.is_over = true;
      unsubscribe();
      streams.delete(stream);
      own.delete(stream);
      if (own.size === 0) by_user.delete(user_id);
    };
    stream.response.on('close', stream.leave);
  };
  return {
    /**
     * Sends the events after `seq` on this response, whose head is already written; sends a `resync` if they are no
     * longer kept.
     */
    open(request: FastifyRequest, response: ServerResponse, { user_id, seq, position }: StreamStart): void {
      // A client that already disconnected does not emit `close` again.
      if (response.destroyed) return;
      const is_broken = !position.is_unbroken;
      const stream: Stream = {
        ...{ user_id, request, response, slot: opened++ },
        seq: is_broken ? position.last_seq : (seq ?? position.last_seq),
        ...{ is_reading: false, has_more: false, is_full: false, is_over: false, has_gap: false, is_lost: false },
        ...{ doubted_at: undefined, leave: ignore, page_size: PAGE_SIZE },
      };
      enter(stream);
      response.on('error', ignore);
      response.socket?.setTimeout(stalled_ms);
      // So a client that disconnects before the first event knows its position too.
      const hello = seq === undefined ? `id: ${stream.seq}\n${HEARTBEAT}` : HEARTBEAT;
      write(stream, is_broken ? toFrame(RESYNC, stream.seq) : hello, readOn);
      void readOn(stream);
    },
    /** Ends all streams, and waits up to 500 ms until the clients have noticed. */
    async close(): Promise<void> {
      clearInterval(clock);
      const ended = [...streams].map((stream) => new Promise((resolve) => stream.response.once('close', resolve)));
      for (const stream of streams) end(stream);
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
    },
  };
}

type ReadOn = (stream: Stream) => Promise<void>;

function ignore(): void {}

/** A stalled reader would not read the end of the stream either. */
function end({ leave, response, is_full }: Stream): void {
  leave();
  if (is_full) response.destroy();
  else response.end();
}

function hearFor(stream: Stream, readOn: ReadOn) {
  return {
    onMore: () => void readOn(stream),
    onKept(seq: number, frame: string) {
      if (stream.is_lost) return void readOn(stream);
      if (seq <= stream.seq) return;
      if (stream.is_reading || stream.is_full || seq !== stream.seq + 1) return void readOn(stream);
      stream.seq = seq;
      write(stream, frame, readOn);
    },
    // Skipped for a slow reader, which gets a `resync` later instead; a missed typing event needs none.
    onMoment(frame: string) {
      if (!stream.is_full) write(stream, frame, readOn);
      else if (!frame.startsWith(TYPING_FRAME)) stream.has_gap = true;
    },
    onGap() {
      stream.has_gap = true;
    },
    onLoss() {
      stream.is_lost = true;
      void readOn(stream);
    },
  };
}

/** Returns false once the reader's buffer is full; the stream continues by itself after the drain. */
function write(stream: Stream, frame: string, readOn: ReadOn): boolean {
  const { response } = stream;
  if (stream.is_over) return false;
  if (response.write(frame)) return true;
  stream.is_full = true;
  response.once('drain', () => {
    stream.is_full = false;
    void readOn(stream);
  });
  return false;
}

/** Sends the events of the table, page by page. A missing number means that the event was pruned: sends a `resync`. */
function createReader(events: Source, doubt: Doubt): ReadOn {
  const startOver = async (stream: Stream, otherwise: number) => {
    const last_seqs = await events.readLastSeqs([stream.user_id]);
    stream.seq = last_seqs.get(stream.user_id) ?? otherwise;
    stream.is_lost = false;
    write(stream, toFrame(RESYNC, stream.seq), readOn);
  };
  const sendPage: ReadOn = async (stream) => {
    if (stream.is_lost) return startOver(stream, 0);
    const wanted = stream.page_size;
    const page = await events.readAfter(stream.user_id, stream.seq, wanted);
    if (page.length === wanted) stream.has_more = true;
    let written = 0;
    for (const { seq, event } of page) {
      if (seq !== stream.seq + 1) {
        await startOver(stream, seq);
        return;
      }
      stream.seq = seq;
      written += 1;
      if (!write(stream, toFrame(textOf(event), seq), readOn)) break;
    }
    stream.page_size = stream.is_full ? Math.max(MIN_PAGE_SIZE, written) : PAGE_SIZE;
  };
  const readOn: ReadOn = async (stream) => {
    stream.has_more = true;
    if (stream.is_reading) return;
    stream.is_reading = true;
    try {
      while (stream.has_more && !stream.is_full && !stream.is_over) {
        stream.has_more = false;
        await sendPage(stream);
      }
    } catch (error) {
      // The next tick retries.
      stream.has_more = true;
      doubt(stream, error);
    } finally {
      stream.is_reading = false;
    }
  };
  return readOn;
}

interface Clockwork {
  events: Source;
  gate: Pick<Gate, 'authenticate'>;
  readOn: ReadOn;
  doubt: Doubt;
}

function createClock(streams: Set<Stream>, { events, gate, readOn, doubt }: Clockwork): () => void {
  let tick = 0;
  let is_checking = false;
  const isDue = ({ slot }: Stream, every: number) => (tick + slot) % every === 0;
  return () => {
    tick += 1;
    const looking: Stream[] = [];
    for (const stream of streams) {
      if (isDue(stream, TICKS_A_HEARTBEAT) && !stream.is_full) beat(stream, readOn);
      if (stream.has_more && !stream.is_reading) void readOn(stream);
      if (isDue(stream, TICKS_A_LOOK)) looking.push(stream);
    }
    if (looking.length > 0) void look(events, looking, readOn).catch(ignore);
    if (is_checking) return;
    is_checking = true;
    void endOfEnded(streams, gate, doubt).finally(() => {
      is_checking = false;
    });
  };
}

function beat(stream: Stream, readOn: ReadOn): void {
  write(stream, stream.has_gap ? toFrame(RESYNC) : HEARTBEAT, readOn);
  stream.has_gap = false;
}

/** Notes that it is unknown whether a stream may continue; ends a stream that may not. */
type Doubt = (stream: Stream, error: unknown) => void;

/**
 * An unavailable database says nothing about a session, but the stream does not rely on that for longer than
 * `doubt_ms`.
 */
function createDoubt(doubt_ms: number): Doubt {
  return (stream, error) => {
    const now = performance.now();
    stream.doubted_at ??= now;
    if (error instanceof AppError || now - stream.doubted_at > doubt_ms) end(stream);
  };
}

/**
 * One query for many streams. A user's counter only decreases if an older copy of the database took its place (a
 * backup, or a standby that lagged).
 */
async function look(events: Source, streams: Stream[], readOn: ReadOn): Promise<void> {
  const before = streams.map(({ seq }) => seq);
  const last_seqs = await events.readLastSeqs([...new Set(streams.map(({ user_id }) => user_id))]);
  for (const [nth, stream] of streams.entries()) {
    const last_seq = last_seqs.get(stream.user_id) ?? 0;
    if (last_seq < (before[nth] ?? 0)) end(stream);
    else if (last_seq > stream.seq) void readOn(stream);
  }
}

/** Ends the streams of ended sessions and of expired tokens. Nearly always without waiting for the database. */
async function endOfEnded(streams: Set<Stream>, gate: Pick<Gate, 'authenticate'>, doubt: Doubt): Promise<void> {
  const check = async (stream: Stream) => {
    try {
      await gate.authenticate(stream.request);
      if (!stream.has_more) stream.doubted_at = undefined;
    } catch (error) {
      doubt(stream, error);
    }
  };
  // In parallel: while the database does not answer, a sequence of checks would add up their timeouts.
  await Promise.all([...streams].map(check));
}
