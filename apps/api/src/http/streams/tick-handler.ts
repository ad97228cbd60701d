import { toFrame } from '#api/events/event-messages.ts';
import type { Authenticator } from '../route.ts';
import {
  type CatchUp,
  endStream,
  HEARTBEAT,
  ignore,
  type MarkUncertain,
  RESYNC,
  type Source,
  type Stream,
  write,
} from './stream.ts';

const TICKS_PER_HEARTBEAT = 10;
/** Polling interval for events that another node committed but could not announce before it died. */
const TICKS_PER_POLL = 30;

interface TickOptions {
  events: Source;
  authenticator: Pick<Authenticator, 'authenticate'>;
  catchUp: CatchUp;
  markUncertain: MarkUncertain;
}

/** Returns what one tick does: heartbeats, catching up, polling and session checks. */
export function createTickHandler(
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
