import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { EventReaderDeps } from './event-reader.ts';
import { createOpening } from './opening.ts';

/** What the leading tab tells the others. `user_id` is whose stream it is. */
export type LiveMessage =
  | { type: 'event'; user_id: string; id: string | null; event: LiveEvent }
  | { type: 'position'; user_id: string; id: string }
  | { type: 'opened'; user_id: string; resumed: boolean }
  /** A tab that has just begun to listen asks whether the stream stands, and the one that leads says so. */
  | { type: 'asked'; user_id: string }
  | { type: 'stands'; user_id: string };

export interface LiveChannel {
  post: (message: LiveMessage) => void;
  listen: (listener: (message: LiveMessage) => void) => void;
}

/**
 * `opened`: the stream stands; what was fetched before may be out of date unless it was `resumed`. A `resync` is told as
 * that, too.
 */
export type LiveNews = LiveEvent | { type: 'opened'; resumed: boolean };

export interface LiveDeps {
  channel: LiveChannel;
  /** Runs the work while this tab is one that leads, until the signal aborts. Rejections are its own affair. */
  lead: (work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;
  read: (
    hooks: Pick<EventReaderDeps, 'lastId' | 'onEvent' | 'onPosition' | 'onOpen' | 'onEnd'>,
    signal: AbortSignal,
  ) => Promise<void>;
}

function newsOf(message: Extract<LiveMessage, { type: 'event' | 'opened' }>): LiveNews {
  if (message.type === 'opened') return { type: 'opened', resumed: message.resumed };
  return message.event.type === 'resync' ? { type: 'opened', resumed: false } : message.event;
}

/** What a tab says late that was put to sleep while it led: another has told it, and what came after it. */
function isOfBefore(message: LiveMessage, last_id: string | null): boolean {
  if (message.type !== 'event' || message.event.type === 'resync' || message.id === null || last_id === null)
    return false;
  return Number(message.id) < Number(last_id);
}

/** One stream for all tabs of a browser: one tab reads it, the others hear it from that one and can take over. */
export function createLive({ channel, lead, read }: LiveDeps) {
  const listeners = new Set<(news: LiveNews) => void>();
  let followed: string | null = null;
  let last_id: string | null = null;
  let stop = new AbortController();
  /** Whose news came before it was known who is here: what was read meanwhile may be without them. */
  const missed = new Set<string>();
  /** Of the tab that leads. */
  let stands = false;
  const opening = createOpening();

  function notify(news: LiveNews): void {
    for (const listener of listeners) callSafely(() => listener(news));
  }

  function hear(message: LiveMessage): void {
    const is_own = message.user_id === followed;
    if (message.type === 'asked') {
      if (is_own && stands) channel.post({ type: 'stands', user_id: message.user_id });
      return;
    }
    if (message.type === 'stands') {
      if (is_own) opening.end();
      return;
    }
    if (followed === null) missed.add(message.user_id);
    if (!is_own || isOfBefore(message, last_id)) return;
    if (message.type !== 'opened') last_id = message.id ?? last_id;
    if (message.type === 'position') return;
    notify(newsOf(message));
    // Last, so that what waits for it is not read once because of the news and once because of this.
    if (message.type === 'opened') opening.end();
  }

  function tell(message: LiveMessage): void {
    channel.post(message);
    hear(message);
  }

  channel.listen(hear);
  return {
    /** Follows this user's stream, leading or listening; null stops. */
    follow(user_id: string | null) {
      if (user_id === followed) return;
      stop.abort();
      followed = user_id;
      last_id = null;
      stands = false;
      if (user_id === null) return opening.end();
      opening.begin();
      const has_missed = missed.has(user_id);
      missed.clear();
      if (has_missed) notify({ type: 'opened', resumed: false });
      stop = new AbortController();
      const { signal } = stop;
      const hooks = {
        lastId: () => last_id,
        onEvent: (event: LiveEvent, id: string | null) => tell({ type: 'event', user_id, id, event }),
        onPosition: (id: string) => tell({ type: 'position', user_id, id }),
        onOpen(resumed: boolean) {
          stands = true;
          tell({ type: 'opened', user_id, resumed });
        },
        onEnd() {
          if (signal.aborted) return;
          stands = false;
          opening.end();
        },
      };
      channel.post({ type: 'asked', user_id });
      void lead((while_leading) => read(hooks, while_leading), signal).catch(() => {});
    },
    /** What the stream keeps up to date waits for the end of this before it is read for the first time. */
    opening,
    subscribe(listener: (news: LiveNews) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What one listener does wrong is no affair of the others', nor of the stream's; it is still reported. */
function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
