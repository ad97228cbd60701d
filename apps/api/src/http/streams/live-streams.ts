import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { toFrame } from '#api/events/event-messages.ts';
import type { StreamPosition } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { closed_streams, opened_streams } from '#api/platform/measurements.ts';
import type { Authenticator } from '../route.ts';
import { createCatchUp } from './catch-up.ts';
import {
  type CatchUp,
  endStream,
  HEARTBEAT,
  ignore,
  type MarkUncertain,
  PAGE_SIZE,
  RESYNC,
  type Source,
  type Stream,
  write,
} from './stream.ts';
import { createTickHandler, TURNS_PER_TICK } from './tick-handler.ts';

const TICK_MS = 1_000;
/** How long a stream stays open while its session and new events cannot be read from the database. */
const MAX_UNCERTAIN_MS = 30_000;
/** A client that reads nothing for this long, although data is waiting, has stalled. */
const STALL_TIMEOUT_MS = 60_000;
const MAX_STREAMS_PER_USER = 20;
const CLOSE_TIMEOUT_MS = 500;
const TYPING_FRAME_PREFIX = 'event: typing\n';

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
  const runTurn = createTickHandler(streams, { events, authenticator, catchUp, markUncertain });
  const ticker = setInterval(runDueTurns(runTurn, tick_ms / TURNS_PER_TICK), tick_ms / TURNS_PER_TICK).unref();
  let opened_count = 0;

  const register = (stream: Stream) => {
    const user_streams = by_user.get(stream.user_id) ?? new Set();
    const [oldest] = user_streams;
    if (oldest && user_streams.size >= MAX_STREAMS_PER_USER) endStream(oldest);
    by_user.set(stream.user_id, user_streams.add(stream));
    streams.add(stream);
    opened_streams.report(stream);
    const unsubscribe = events.subscribe(stream.user_id, createStreamListener(stream, catchUp));
    stream.unregister = () => {
      if (stream.has_ended) return;
      stream.has_ended = true;
      unsubscribe();
      streams.delete(stream);
      closed_streams.report(stream);
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

/** Makes up for late timers, so that a tick of a busy process is hardly longer. */
function runDueTurns(runTurn: () => void, turn_ms: number): () => void {
  let done_at = performance.now();
  return () => {
    const now = performance.now();
    const due = Math.max(1, Math.floor((now - done_at) / turn_ms));
    done_at = Math.max(now - turn_ms, done_at + due * turn_ms);
    for (let turn = 0; turn < Math.min(due, TURNS_PER_TICK); turn += 1) runTurn();
  };
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
