import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { getStreamToken, handleRefusal, session } from '#web/shared/api/client.ts';
import { waitForRetryOpportunity } from '#web/shared/device/wait-for-retry-opportunity.ts';
import { openTabChannel } from '#web/shared/lib/tab-channel.ts';
import { readEvents } from './event-reader.ts';
import { type LeadershipDeps, runAsLeader } from './leadership.ts';
import { createLive, type LiveMessage } from './live.ts';
import { whileVisible } from './while-visible.ts';

const NAME = 'sendlap-live';
const HEARTBEAT_CHANNEL = 'sendlap-live-beat';

/** The live stream of this browser. */
export const live = createLive({
  channel: openTabChannel<LiveMessage>(NAME),
  async runAsLeader(work, signal) {
    if (navigator.locks && typeof BroadcastChannel !== 'undefined')
      await runAsLeader(createLeadershipDeps(signal), work, signal);
    else await whileVisible(work, signal, document);
  },
  read: (hooks, signal) =>
    readEvents(
      {
        ...hooks,
        fetch: (input, init) => fetch(input, init),
        address: (import.meta.env.VITE_API_BASE ?? '') + EVENTS_PATH,
        token: getStreamToken,
        onForbidden: handleRefusal,
        wait: waitForRetryOpportunity,
        onNetwork(listener) {
          addEventListener('online', listener);
          return () => removeEventListener('online', listener);
        },
        random: () => Math.random(),
      },
      signal,
    ),
});

let started = false;

/** Follows the signed-in user's stream. Runs once per page life; the signed-in layout calls it. */
export function startLive(): void {
  if (started) return;
  started = true;
  live.opening.begin();
  const follow = () => {
    const { user, checking_auth } = session.getState();
    live.follow(checking_auth ? null : (user?.id ?? null));
  };
  session.subscribe(follow);
  follow();
}

function createLeadershipDeps(signal: AbortSignal): LeadershipDeps {
  const channel = openTabChannel<null>(HEARTBEAT_CHANNEL);
  signal.addEventListener('abort', channel.close);
  return {
    // Not `createWebLock`: only leadership is preempted, by `steal`.
    request: (options, run) => navigator.locks.request(NAME, options, run),
    sendHeartbeat: () => channel.post(null),
    onHeartbeat: channel.listen,
    isVisible: () => document.visibilityState === 'visible',
  };
}
