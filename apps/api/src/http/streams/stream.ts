import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { serializeEvent } from '#api/events/event-messages.ts';
import type { Events } from '#api/events/events.ts';

export const HEARTBEAT = ': beat\n\n';
export const RESYNC = serializeEvent({ type: 'resync' });
/** Rows per read of the table. */
export const PAGE_SIZE = 200;

export type Source = Pick<Events, 'subscribe' | 'readAfter' | 'readPosition' | 'readLastSeqs'>;

/** An open stream of a user. Unsent events stay in the table: memory only holds their numbers. */
export interface Stream {
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

export type CatchUp = (stream: Stream) => Promise<void>;

/** Records an error that makes it unknown whether the stream may continue; ends it if it must not. */
export type MarkUncertain = (stream: Stream, error: unknown) => void;

export function ignore(): void {}

/** A stalled client would not read the end of the stream either: its connection is destroyed. */
export function endStream({ unregister, response, is_backed_up }: Stream): void {
  unregister();
  if (is_backed_up) response.destroy();
  else response.end();
}

/** Returns false once the response's buffer is full; the stream catches up by itself after the drain. */
export function write(stream: Stream, frame: string, catchUp: CatchUp): boolean {
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
