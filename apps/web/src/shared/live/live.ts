import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { TabChannel } from '#web/shared/lib/tab-channel.ts';
import type { EventReaderDeps } from './event-reader.ts';
import { createOpening } from './opening.ts';

/** Messages between the tabs; all but `asked` are the leader's. `user_id`: owner of the stream. */
export type LiveMessage =
  | { type: 'event'; user_id: string; id: string | null; event: LiveEvent }
  | { type: 'position'; user_id: string; id: string }
  | { type: 'opened'; user_id: string; resumed: boolean }
  /** A tab that just subscribed asks whether the stream is open, and the leader answers. */
  | { type: 'asked'; user_id: string }
  | { type: 'leads'; user_id: string };

/**
 * `opened`: the stream is open; data fetched before may be stale unless the stream was `resumed`. A `resync` is
 * reported as `opened`, too.
 */
export type StreamEvent = LiveEvent | { type: 'opened'; resumed: boolean };

export interface LiveDeps {
  channel: TabChannel<LiveMessage>;
  /** Runs the work while this tab is the leader, until the signal aborts. The caller ignores its rejections. */
  runAsLeader: (work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;
  read: (
    hooks: Pick<EventReaderDeps, 'lastId' | 'onEvent' | 'onPosition' | 'onOpen' | 'onEnd'>,
    signal: AbortSignal,
  ) => Promise<void>;
}

function toStreamEvent(message: Extract<LiveMessage, { type: 'event' | 'opened' }>): StreamEvent {
  if (message.type === 'opened') return { type: 'opened', resumed: message.resumed };
  return message.event.type === 'resync' ? { type: 'opened', resumed: false } : message.event;
}

/**
 * Returns true for a late message of a leader that was asleep: another leader has already sent this event and later
 * ones.
 */
function isStaleMessage(message: LiveMessage, last_id: string | null): boolean {
  if (message.type !== 'event' || message.event.type === 'resync' || message.id === null || last_id === null)
    return false;
  return Number(message.id) < Number(last_id);
}

/** One stream for all tabs of a browser: the leader reads it, the others get its messages and can take over. */
export function createLive({ channel, runAsLeader, read }: LiveDeps) {
  const listeners = new Set<(event: StreamEvent) => void>();
  let followed_user_id: string | null = null;
  let last_id: string | null = null;
  let follow_controller = new AbortController();
  /** Users whose news came before the user was known: data read in between may lack it. */
  const missed_user_ids = new Set<string>();
  /** State of the leader's stream. */
  let is_stream_open = false;
  const opening = createOpening();

  function notify(event: StreamEvent): void {
    for (const listener of listeners) callSafely(() => listener(event));
  }

  function handleMessage(message: LiveMessage): void {
    const is_own = message.user_id === followed_user_id;
    if (message.type === 'asked') {
      if (is_own && is_stream_open) channel.post({ type: 'leads', user_id: message.user_id });
      return;
    }
    if (message.type === 'leads') {
      if (is_own) opening.end();
      return;
    }
    if (followed_user_id === null) missed_user_ids.add(message.user_id);
    if (!is_own || isStaleMessage(message, last_id)) return;
    if (message.type !== 'opened') last_id = message.id ?? last_id;
    if (message.type === 'position') return;
    notify(toStreamEvent(message));
    // Last, so that a query that waits for it is not read twice, once for the news and once for this.
    if (message.type === 'opened') opening.end();
  }

  function publish(message: LiveMessage): void {
    channel.post(message);
    handleMessage(message);
  }

  channel.listen(handleMessage);
  return {
    /** Follows this user's stream, as leader or listener; null stops. */
    follow(user_id: string | null) {
      if (user_id === followed_user_id) return;
      follow_controller.abort();
      followed_user_id = user_id;
      last_id = null;
      is_stream_open = false;
      if (user_id === null) return opening.end();
      opening.begin();
      const has_missed = missed_user_ids.has(user_id);
      missed_user_ids.clear();
      if (has_missed) notify({ type: 'opened', resumed: false });
      follow_controller = new AbortController();
      const { signal } = follow_controller;
      const hooks = {
        lastId: () => last_id,
        onEvent: (event: LiveEvent, id: string | null) => publish({ type: 'event', user_id, id, event }),
        onPosition: (id: string) => publish({ type: 'position', user_id, id }),
        onOpen(resumed: boolean) {
          is_stream_open = true;
          publish({ type: 'opened', user_id, resumed });
        },
        onEnd() {
          if (signal.aborted) return;
          is_stream_open = false;
          opening.end();
        },
      };
      channel.post({ type: 'asked', user_id });
      void runAsLeader((leader_signal) => read(hooks, leader_signal), signal).catch(() => {});
    },
    /** Queries that the stream keeps up to date wait for its end before their first read. */
    opening,
    subscribe(listener: (event: StreamEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** An error in one listener does not affect the others or the stream; it is still reported. */
function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
