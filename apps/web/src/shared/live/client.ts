import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { session, streamToken } from '#web/shared/api/client.ts';
import { readEvents } from './event-reader.ts';
import { createLive, type LiveChannel, type LiveMessage } from './live.ts';
import { whileVisible } from './while-visible.ts';

const NAME = 'sendlap-live';

/** The live stream of this browser. */
export const live = createLive({
  channel: createChannel(),
  async lead(work, signal) {
    if (navigator.locks) await navigator.locks.request(NAME, { signal }, () => work(signal));
    else await whileVisible(work, signal, document);
  },
  read: (hooks, signal) =>
    readEvents(
      {
        ...hooks,
        fetch: (input, init) => fetch(input, init),
        address: (import.meta.env.VITE_API_BASE ?? '') + EVENTS_PATH,
        token: streamToken,
        wait,
        random: () => Math.random(),
      },
      signal,
    ),
});

let started = false;

/** Follows the stream of whoever is signed in. Once a page life; the signed-in layout calls it. */
export function startLive(): void {
  if (started) return;
  started = true;
  const follow = () => {
    const { user, checking_auth } = session.getState();
    live.follow(checking_auth ? null : (user?.id ?? null));
  };
  session.subscribe(follow);
  follow();
}

/** Waits, but no longer than until the network is back or the app is looked at again. */
function wait(delay_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const finish = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(finish, delay_ms);
    addEventListener('online', finish, { signal: over.signal });
    document.addEventListener('visibilitychange', finish, { signal: over.signal });
    signal.addEventListener('abort', finish, { signal: over.signal });
  });
}

function createChannel(): LiveChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(NAME);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => listener(data));
    },
  };
}
