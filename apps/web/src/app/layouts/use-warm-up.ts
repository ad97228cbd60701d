import { useEffect } from 'react';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { startProbing } from '#web/shared/api/probe-server.ts';
import { renewDeviceKey } from '#web/shared/data/device-key.ts';
import { refereeRightsQuery } from '#web/shared/data/referee-rights.ts';
import { startLive } from '#web/shared/live/client.ts';
import { startOutbox } from '#web/shared/outbox/client.ts';
import { queryClient } from '../session/query-client.ts';

/**
 * Starts what runs beside all screens (sending, live events) and loads what must work later without a network: the key
 * that signs codes, the rights of a referee, the first board.
 */
export function useWarmUp(user_id: string | undefined): void {
  useEffect(() => {
    startOutbox();
    startLive();
    startProbing();
    if (user_id === undefined) return;
    // Without a key yet the code's own screen asks again and says why it can't be drawn.
    renewDeviceKey(user_id).catch((error: unknown) => {
      if (!isUnreachable(error)) console.warn('device key', error);
    });
    void queryClient.prefetchQuery(refereeRightsQuery(user_id));
    const leaving = new AbortController();
    void saveFirstBoard(user_id, leaving.signal);
    return () => leaving.abort();
  }, [user_id]);
}

/** The code of the boards is loaded with the first one. Without a network the next start of the app tries again. */
async function saveFirstBoard(user_id: string, signal: AbortSignal): Promise<void> {
  try {
    const leaderboards = await import('#web/features/leaderboards/queries.ts');
    // The user may have left while the code was loaded.
    if (!signal.aborted) await leaderboards.saveFirstBoard(user_id, signal);
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiError)) console.warn('first board', error);
  }
}
