import { serializeEvent, toFrame } from '#api/events/event-messages.ts';
import { type CatchUp, type MarkUncertain, PAGE_SIZE, RESYNC, type Source, type Stream, write } from './stream.ts';

const MIN_PAGE_SIZE = 10;

/** Sends the events of the table, page by page. A missing number means that the event was pruned: sends a `resync`. */
export function createCatchUp(events: Source, markUncertain: MarkUncertain): CatchUp {
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
