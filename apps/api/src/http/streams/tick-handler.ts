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

/** Calls of the handler in one tick. Each stream has its turn in one of them, so that no turn is long. */
export const TURNS_PER_TICK = 10;
const TICKS_PER_HEARTBEAT = 10;
/** Polling interval for events that another node committed but could not announce before it died. */
const TICKS_PER_POLL = 30;

interface TickOptions {
  events: Source;
  authenticator: Pick<Authenticator, 'authenticate'>;
  catchUp: CatchUp;
  markUncertain: MarkUncertain;
}

/**
 * Returns what one turn does: heartbeats, catching up and session checks of its tenth of the streams. The first turn of a
 * tick also polls, because one query serves many streams.
 */
export function createTickHandler(
  streams: Set<Stream>,
  { events, authenticator, catchUp, markUncertain }: TickOptions,
): () => void {
  let [tick, turn] = [0, TURNS_PER_TICK - 1];
  /** By turn: its session checks are not answered yet. */
  const is_checking = Array.from({ length: TURNS_PER_TICK }, () => false);
  const isDue = (nth: number, every: number) => (tick + nth) % every === 0;
  const pollStreams = () => {
    const due = [...streams].filter(({ slot }) => isDue(slot, TICKS_PER_POLL));
    if (due.length > 0) void pollForMissed(events, due, catchUp).catch(ignore);
  };
  const checkSessions = (of_turn: Stream[], its_turn: number) => {
    if (is_checking[its_turn] || of_turn.length === 0) return;
    is_checking[its_turn] = true;
    void closeStreamsOfEndedSessions(of_turn, authenticator, markUncertain).finally(() => {
      is_checking[its_turn] = false;
    });
  };
  return () => {
    turn = (turn + 1) % TURNS_PER_TICK;
    if (turn === 0) {
      tick += 1;
      pollStreams();
    }
    const of_turn = [...streams].filter(({ slot }) => slot % TURNS_PER_TICK === turn);
    for (const stream of of_turn) {
      const nth = Math.floor(stream.slot / TURNS_PER_TICK);
      if (isDue(nth, TICKS_PER_HEARTBEAT) && !stream.is_backed_up) sendHeartbeat(stream, catchUp);
      if (stream.has_more && !stream.is_catching_up) void catchUp(stream);
    }
    checkSessions(of_turn, turn);
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
  streams: Stream[],
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
  await Promise.all(streams.map(checkStream));
}
