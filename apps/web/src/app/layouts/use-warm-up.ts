import { useEffect } from 'react';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { startProbing } from '#web/shared/api/probe-server.ts';
import { renewDeviceKey } from '#web/shared/data/device-key.ts';
import { refereeRightsQuery } from '#web/shared/data/referee-rights.ts';
import { startLive } from '#web/shared/live/client.ts';
import { startOutbox } from '#web/shared/outbox/client.ts';
import { startSealedWork } from '#web/shared/outbox/sealed/client.ts';
import { useIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import { queryClient } from '../session/query-client.ts';

/**
 * Starts the parts that run on all screens (outbox, live events), and preloads data for offline use: the key that signs
 * codes, the referee's rights, the first board. The latter wait until the screen has been drawn.
 */
export function useWarmUp(user_id: string | undefined): void {
  useEffect(() => {
    startOutbox();
    startSealedWork();
    startLive();
    startProbing();
  }, []);
  const is_idle = useIdle();
  useEffect(() => {
    if (user_id === undefined || !is_idle) return;
    // Not fatal: the code's screen tries again and shows why no code can be drawn.
    renewDeviceKey(user_id).catch((error: unknown) => {
      if (!isUnreachable(error)) console.warn('device key', error);
    });
    void queryClient.prefetchQuery(refereeRightsQuery(user_id));
    const unmounted = new AbortController();
    void saveFirstBoard(user_id, unmounted.signal);
    return () => unmounted.abort();
  }, [user_id, is_idle]);
}

/** Lazy-loads the boards' code, then the first board. Offline, the next start of the app tries again. */
async function saveFirstBoard(user_id: string, signal: AbortSignal): Promise<void> {
  try {
    const leaderboards = await import('#web/features/leaderboards/queries.ts');
    // The user may have signed out while the code was loading.
    if (!signal.aborted) await leaderboards.saveDefaultBoard(user_id, signal);
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiError)) console.warn('first board', error);
  }
}
