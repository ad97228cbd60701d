import { onWritten, reachability, session } from '#web/shared/api/client.ts';
import { live } from '#web/shared/live/client.ts';
import { createRequestCache } from './request-cache.ts';

/** Calls `listener` when the server answers again after an unanswered call, and when the live stream reopens. */
function onRecovered(listener: () => void): void {
  reachability.subscribe(() => {
    if (reachability.isReached()) listener();
  });
  let has_opened = false;
  live.subscribe(({ type }) => {
    if (type !== 'opened') return;
    if (has_opened) listener();
    has_opened = true;
  });
}

/** This tab's request cache. */
export const queryClient = createRequestCache({ onSignedOut: session.onSignedOut, onWritten, onRecovered });
